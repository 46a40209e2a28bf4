import { invalidInput } from '../../lib/errors/errors.ts';
import type { Codebook, CodebookRow, CodedField } from './codebook.ts';

/**
 * The columns of a data dictionary that are read: as an export names them, and as the API does.
 * https://projectredcap.org; the other columns (branching logic, alignment, matrices) do not concern values.
 */
const columns = {
  field: ['variable / field name', 'field_name'],
  form: ['form name', 'form_name'],
  type: ['field type', 'field_type'],
  label: ['field label', 'field_label'],
  choices: ['choices, calculations, or slider labels', 'select_choices_or_calculations'],
  note: ['field note', 'field_note'],
  validation: ['text validation type or show slider number', 'text_validation_type_or_show_slider_number'],
  identifier: ['identifier?', 'identifier'],
} as const;

type Column = keyof typeof columns;

export const isDictionary = (header: readonly string[]): boolean =>
  (['form', 'type', 'choices'] as const).every((column) =>
    columns[column].some((name) => header.includes(name)),
  );

/** @throws TributaryError INPUT_INVALID choices that are not written as code, label | code, label */
export const readDictionary = (rows: readonly CodebookRow[], file: string): Codebook => {
  const book = new Map<string, CodedField>();
  const forms = new Set<string>();
  for (const row of rows) {
    const cell = (column: Column): string =>
      columns[column].map((name) => row[name]).find((value) => value !== undefined) ??
      // the first column, whatever its name
      (column === 'field' ? (Object.values(row)[0] ?? '') : '');
    forms.add(cell('form'));
    for (const [name, field] of fieldsOf(cell, file)) book.set(name, field);
  }
  forms.delete('');
  for (const form of forms) book.set(`${form}_complete`, { ...plain, type: 'keyword', values: states });
  return book;
};

const plain = { values: new Map<string, string>(), missing: [], isIdentifier: false };
const yesNo = new Map([
  ['1', 'Yes'],
  ['0', 'No'],
]);
const trueFalse = new Map([
  ['1', 'True'],
  ['0', 'False'],
]);
const checked = new Map([
  ['1', 'Checked'],
  ['0', 'Unchecked'],
]);
/** Of the field that each form has besides its own. */
const states = new Map([
  ['0', 'Incomplete'],
  ['1', 'Unverified'],
  ['2', 'Complete'],
]);

const fieldsOf = (
  cell: (column: Column) => string,
  file: string,
): readonly (readonly [name: string, CodedField])[] => {
  const [name, kind, label] = [cell('field'), cell('type').toLowerCase(), textOf(cell('label'))];
  // headings and pictures between questions
  if (name === '' || kind === 'descriptive') return [];
  const common = {
    ...plain,
    ...(label !== '' && { label }),
    ...(cell('note') !== '' && { description: textOf(cell('note')) }),
    isIdentifier: cell('identifier').toLowerCase() === 'y',
  };
  const coded = (values: ReadonlyMap<string, string>) =>
    [[name, { ...common, type: 'keyword', values }]] as const;
  switch (kind) {
    case 'radio':
    case 'dropdown':
      return coded(choicesOf(cell('choices'), name, file));
    case 'yesno':
      return coded(yesNo);
    case 'truefalse':
      return coded(trueFalse);
    case 'checkbox':
      return [...choicesOf(cell('choices'), name, file)].map(([code, choice]) => [
        `${name}___${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`,
        { ...common, type: 'keyword', values: checked, label: `${label || name}: ${choice}` },
      ]);
    default: {
      const type = kind === 'text' ? typeOf(cell('validation').toLowerCase()) : undefined;
      return [[name, { ...common, ...(type && { type }) }]];
    }
  }
};

const typeOf = (validation: string): string | undefined => {
  if (/^date(time)?_/.test(validation)) return 'date';
  if (validation === 'integer') return 'long';
  if (/^number(_\ddp)?$/.test(validation)) return 'double';
  // a phone number or a ZIP code may have digits only, and is no number
  return validation === '' || /^(number|time)/.test(validation) ? undefined : 'keyword';
};

/** `1, Female | 2, Male`. A label may contain commas. */
const choicesOf = (text: string, name: string, file: string): ReadonlyMap<string, string> => {
  const choices = new Map<string, string>();
  for (const choice of text.split('|').map((one) => one.trim())) {
    const comma = choice.indexOf(',');
    const code = (comma < 0 ? '' : choice.slice(0, comma)).trim();
    if (code === '')
      throw invalidInput(
        `the codebook ${file} has choices of ${name} that are not understood at "${choice}": a form like 1, Female | 2, Male expected`,
      );
    choices.set(code, textOf(choice.slice(comma + 1)));
  }
  return choices;
};

/** Labels may have the markup of a page. */
const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&nbsp;/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
