import type { Field } from '../../introspection/fields/field.ts';
import type { JsonValue } from '../../json/json.ts';
import { fieldValue, storedValues } from '../hits/field-value.ts';

/**
 * A cell of a JSON file: the typed value as the schema shows it; values that do not fit that type as stored. A list if
 * the column has or may have several values, null if it has none.
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
