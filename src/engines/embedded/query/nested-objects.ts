import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json.ts';

/**
 * The nested objects at a dotted path below an object, in the order in which they are numbered when a document is read:
 * lists flattened, nulls skipped.
 * @param path relative to `object`
 */
export const nestedObjects = (object: JsonObject, path: string): readonly JsonObject[] =>
  Object.entries(object).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (key === path) return objectsIn(value);
    if (path.startsWith(`${key}.`)) return inside(value, path.slice(key.length + 1));
    // a dotted key may reach below the path
    if (key.startsWith(`${path}.`)) return [{ [key.slice(path.length + 1)]: value }];
    return [];
  });

const inside = (value: JsonValue, path: string): readonly JsonObject[] =>
  objectsIn(value).flatMap((object) => nestedObjects(object, path));

const objectsIn = (value: JsonValue): readonly JsonObject[] => {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(objectsIn);
  return isJsonObject(value) ? [value] : [];
};
