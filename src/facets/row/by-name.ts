import type { SelectedField } from '../../graphql/selected-fields.ts';

/** The values below a selected field, by response name, as byResponseKey reads them. */
export type Shaped = Readonly<Record<string, unknown>>;

/**
 * Returns a function that computes a value for each selected field, in order, keyed by response name; how to compute
 * each is determined only once.
 */
export const byName = <Answer>(
  fields: readonly SelectedField[],
  valueOf: (field: SelectedField) => (answer: Answer) => unknown,
): ((answer: Answer) => Shaped) => {
  const values = fields.map((field) => [field.responseName, valueOf(field)] as const);
  return (answer) => Object.fromEntries(values.map(([name, value]) => [name, value(answer)]));
};

/** The value of a field that depends on no answer: `__typename`, and null for fields that such buckets lack. */
export const fixed = ({ name, typeName }: SelectedField): (() => string | null) => {
  const value = name === '__typename' ? typeName : null;
  return () => value;
};
