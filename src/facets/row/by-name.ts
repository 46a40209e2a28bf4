import type { SelectedField } from '../../graphql/selected-fields.ts';

/** What stands below a selected field, by response name, as byResponseKey reads it. */
export type Shaped = Readonly<Record<string, unknown>>;

/**
 * A function that gives a value by response name for each selected field, in their order; what a value takes is found
 * out once.
 */
export const byName = <Answer>(
  fields: readonly SelectedField[],
  valueOf: (field: SelectedField) => (answer: Answer) => unknown,
): ((answer: Answer) => Shaped) => {
  const values = fields.map((field) => [field.responseName, valueOf(field)] as const);
  return (answer) => Object.fromEntries(values.map(([name, value]) => [name, value(answer)]));
};

/** The value of a field that no answer is needed for: `__typename`, and null for what such buckets do not have. */
export const fixed = ({ name, typeName }: SelectedField): (() => string | null) => {
  const value = name === '__typename' ? typeName : null;
  return () => value;
};
