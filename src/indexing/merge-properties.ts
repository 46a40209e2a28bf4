import type { JsonObject } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';

/** A mapping's `properties` with further ones added, objects merged by name; `added` wins on conflict. */
export const mergeProperties = (properties: JsonObject, added: JsonObject): JsonObject => {
  const merged = new Map(Object.entries(properties));
  for (const [name, value] of Object.entries(added)) {
    const before = merged.get(name);
    merged.set(name, isJsonObject(before) && isJsonObject(value) ? mergeProperties(before, value) : value);
  }
  return Object.fromEntries(merged);
};
