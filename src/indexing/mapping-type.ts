import type { JsonObject } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';

/** The mapped type at a dotted path of a mapping's `properties` (`object` for an object), or null. */
export const mappingType = (properties: JsonObject, path: string): string | null => {
  const property = propertyAt(properties, path);
  if (property === null) return null;
  return typeof property['type'] === 'string' ? property['type'] : 'object';
};

/** The definition at a dotted path of a mapping's `properties`, or null. */
export const propertyAt = (properties: JsonObject, path: string): JsonObject | null => {
  let level: JsonObject = properties;
  let found: JsonObject | null = null;
  for (const segment of path.split('.')) {
    const property = Object.hasOwn(level, segment) ? level[segment] : undefined;
    if (!isJsonObject(property)) return null;
    found = property;
    level = isJsonObject(property['properties']) ? property['properties'] : {};
  }
  return found;
};
