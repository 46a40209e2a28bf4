import type { JsonObject } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';

/** The dotted path of every field of a mapping's `properties`, objects before their fields. */
export const fieldPaths = (properties: JsonObject, parent = ''): readonly string[] =>
  Object.entries(properties).flatMap(([name, definition]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    const below = isJsonObject(definition) ? definition['properties'] : undefined;
    return isJsonObject(below) ? [path, ...fieldPaths(below, path)] : [path];
  });
