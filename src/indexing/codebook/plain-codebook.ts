import { invalidInput } from '../../lib/errors/errors.ts';
import { requestableTypes } from '../file-import/inference/requested-types.ts';
import type { Codebook, CodebookRow, CodedField } from './codebook.ts';

/** `type` and `missing` may be there too. */
const required = ['field', 'value', 'label'];

export const isPlain = (header: readonly string[]): boolean =>
  required.every((name) => header.includes(name));

/**
 * A row without a value is about the field: its label, unit, description and type. A row with one is about that value: its
 * label; or, with `yes` under missing, that it means no value.
 * @throws TributaryError INPUT_INVALID a row without a field, two labels for one value, an unknown type
 */
export const readPlain = (rows: readonly CodebookRow[], file: string): Codebook => {
  const book = new Map<string, Mutable>();
  rows.forEach((row, at) => addRow(book, row, `the codebook ${file}, row ${at + 2}`));
  return new Map(
    [...book].map(([name, { values, ...field }]) => [
      name,
      { ...field, ...(values.size > 0 && { type: field.type ?? 'keyword' }), values },
    ]),
  );
};

type Mutable = { -readonly [Key in keyof CodedField]: CodedField[Key] } & {
  values: Map<string, string>;
  missing: string[];
};

const addRow = (book: Map<string, Mutable>, row: CodebookRow, where: string): void => {
  const { field = '', value = '', label = '', unit = '', description = '', type = '', missing = '' } = row;
  if (field === '') throw invalidInput(`${where}: it names no field`);
  const known = book.get(field) ?? { values: new Map<string, string>(), missing: [], isIdentifier: false };
  book.set(field, known);
  if (unit !== '') known.unit = unit;
  if (description !== '' && value === '') known.description = description;
  if (type !== '') known.type = knownType(type, where);
  if (value === '') {
    if (label !== '') known.label = label;
    return;
  }
  if (isYes(missing)) return void known.missing.push(value);
  const before = known.values.get(value);
  if (before !== undefined && before !== label)
    throw invalidInput(`${where}: the value ${value} of ${field} has two labels, "${before}" and "${label}"`);
  if (label !== '') known.values.set(value, label);
};

const isYes = (text: string): boolean => ['yes', 'y', 'true', '1'].includes(text.toLowerCase());

const knownType = (type: string, where: string): string => {
  if ((requestableTypes as readonly string[]).includes(type)) return type;
  throw invalidInput(`${where}: the type ${type} is not one of ${requestableTypes.join(', ')}`);
};
