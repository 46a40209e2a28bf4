import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';

/** The mapped type at a dotted path of a mapping's `properties` (`object` for an object), or null. */
export const mappingType = (properties: JsonObject, path: string): string | null => {
  let level: JsonObject = properties;
  let type: string | null = null;
  for (const segment of path.split('.')) {
    const property = level[segment];
    if (!isJsonObject(property)) return null;
    type = typeof property['type'] === 'string' ? property['type'] : 'object';
    level = isJsonObject(property['properties']) ? property['properties'] : {};
  }
  return type;
};
