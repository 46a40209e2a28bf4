import type { Field } from '../../introspection/fields/field.ts';
import type { JsonScalar, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';

/** All values of a stored field: nested lists flattened, as the engines do; null and absent values are skipped. */
export const storedValues = (stored: JsonValue | undefined): readonly Exclude<JsonValue, null>[] => {
  if (stored === undefined || stored === null) return [];
  return Array.isArray(stored) ? (stored as readonly JsonValue[]).flatMap(storedValues) : [stored];
};

/**
 * A stored value converted to the schema's scalar type: numeric strings of numeric fields to numbers, everything to
 * text in text fields. A value that does not fit becomes null, so that it never fails the row.
 */
export const fieldValue = (value: JsonValue, field: Pick<Field, 'kind' | 'type'>): JsonValue => {
  switch (field.kind) {
    case 'keyword':
    case 'text':
    case 'date':
      return textOf(value);
    case 'number':
      return smallIntegers.has(field.type) ? integerOf(numberOf(value)) : numberOf(value);
    case 'boolean':
      return booleanOf(value);
    case 'object':
    case 'nested':
    case 'json':
      return value;
  }
};

/** Shown as Int, which GraphQL limits to 32 bits. */
const smallIntegers = new Set(['byte', 'short', 'unsigned_long']);

const textOf = (value: JsonValue): JsonScalar =>
  typeof value === 'string' || value === null ? value : isJsonObject(value) ? null : String(value);

const numberOf = (value: JsonValue): number | null => {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
};

const integerOf = (value: number | null): number | null => {
  if (value === null) return null;
  const integer = Math.trunc(value);
  return integer === (integer | 0) ? integer : null;
};

const booleanOf = (value: JsonValue): boolean | null => {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' || value === '' ? false : null;
};
