import { isJsonObject, type JsonValue } from '../json/json.ts';

/** The value of a document at a dotted path; of a list of objects, the list of their values, null where one has none. */
export const valueAt = (value: JsonValue | undefined, path: string): JsonValue | undefined =>
  valueBelow(value, path.split('.'));

const valueBelow = (
  value: JsonValue | undefined,
  [key, ...rest]: readonly string[],
): JsonValue | undefined => {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((one) => valueBelow(one, [key, ...rest]) ?? null);
  return isJsonObject(value) && Object.hasOwn(value, key) ? valueBelow(value[key], rest) : undefined;
};
