import type { Field } from '../../introspection/fields/field.ts';
import type { JsonValue } from '../../json.ts';
import { fieldValue, storedValues } from '../hits/field-value.ts';

/**
 * A cell of a JSON file: the real value, of the type the schema shows; what does not fit that type as it is stored. A
 * list where the column may hold several values or does, null without any.
 */
export const jsonCell = (
  values: readonly JsonValue[],
  field: Field | undefined,
  isList: boolean,
): JsonValue => {
  const typed = (value: JsonValue): JsonValue =>
    field === undefined ? value : (fieldValue(value, field) ?? value);
  if (isList || values.length > 1) {
    const items = values.flatMap(storedValues);
    return items.length === 0 && values.length === 0 ? null : items.map(typed);
  }
  const [value] = values;
  if (value === undefined) return null;
  return Array.isArray(value) ? storedValues(value).map(typed) : typed(value);
};
