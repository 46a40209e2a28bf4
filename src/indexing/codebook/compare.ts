import { firstOf } from '../../lib/text/escaped-text.ts';
import { closest } from '../../lib/text/unknown-keys.ts';
import { optionText } from '../file-import/inference/proposals.ts';
import { emptyWords } from '../file-import/inference/value-shape.ts';
import { question } from '../file-import/tables/question.ts';
import type { Codebook, CodedField } from './codebook.ts';
import { fieldOf, type SurveyedField, type SurveyedValues } from './survey-values.ts';

const maxListed = 5;

/**
 * Where a codebook and the data contradict each other, as messages: values without a label, labels without a value, and
 * fields that the other lacks.
 */
export const contradictions = (book: Codebook, { fields, columns }: SurveyedValues): readonly string[] => {
  const paths = new Map([...book.keys()].map((name) => [name, fieldOf(name, columns)]));
  const known = new Set(paths.values());
  const present = new Set([...fields.keys(), ...columns.map(({ field }) => field)]);
  const unused = [...book].flatMap(([name, field]) => unusedIn(name, field, fields.get(paths.get(name)!)));
  const absent = [...paths].flatMap(([name, path]) => (present.has(path) ? [] : [name]));
  const names = new Map(columns.map(({ field, label }) => [field, label]));
  const unknown = [...present].filter((path) => !known.has(path)).map((path) => names.get(path) ?? path);
  return [
    ...[...book].flatMap(([name, field]) => unlabelled(name, field, fields.get(paths.get(name)!))),
    ...(unused.length === 0 ? [] : [`labels of values that no record has: ${listed(unused)}`]),
    ...(absent.length === 0
      ? []
      : [`fields that the data lack: ${listed(absent.map((name) => withHint(name, unknown)))}`]),
    ...(unknown.length === 0 ? [] : [`columns that the codebook lacks: ${listed(unknown)}`]),
  ];
};

const unlabelled = (
  name: string,
  { values, missing }: CodedField,
  data: SurveyedField | undefined,
): readonly string[] => {
  if (values.size === 0 || data === undefined) return [];
  const without = [...data.values].filter((value) => !values.has(value) && !missing.includes(value));
  return without.length === 0 ? [] : [`${name} has values without a label: ${listed(without)}`];
};

const unusedIn = (name: string, { values }: CodedField, data: SurveyedField | undefined): readonly string[] =>
  data === undefined
    ? []
    : [...values].flatMap(([value, label]) =>
        data.values.has(value) ? [] : [`${value} of ${name} (${label})`],
      );

const withHint = (name: string, unknown: readonly string[]): string => {
  const near = closest(name, unknown);
  return near?.isSlip ? `${name} (is it ${near.name}?)` : name;
};

const listed = (names: readonly string[]): string => firstOf(names, maxListed);

/**
 * The error where values do not fit the type that a codebook declares, which would reject their records.
 * @param isDeclared whether the codebook decides about the type of a field, by its path
 */
export const brokenType = (
  book: Codebook,
  { fields, columns }: SurveyedValues,
  isDeclared: (path: string) => boolean,
): Error | null => {
  for (const [name, { type }] of book) {
    const path = fieldOf(name, columns);
    const misfit = fields.get(path)?.misfit;
    if (!misfit || type === undefined || !isDeclared(path)) continue;
    const says = `the codebook says that ${name} is of type ${type}, but line ${misfit.line} has "${misfit.value.slice(0, 40)}"`;
    return emptyWords.has(misfit.value.trim().toLowerCase())
      ? question(
          `${says}: does it mean that there is no value?`,
          optionText({ name: 'null', value: `${name}=${misfit.value}` }),
        )
      : question(
          `${says}: correct one of them, or load the column as text`,
          optionText({ name: 'types', value: `${name}=keyword` }),
        );
  }
  return null;
};
