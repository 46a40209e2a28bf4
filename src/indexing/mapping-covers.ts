import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';

/**
 * Whether a mapping's `properties` have an entry for every field of the document that holds something. Much cheaper
 * than inferring types, which only a document that fails this needs.
 */
export const mappingCovers = (properties: JsonObject, document: JsonObject): boolean => {
  // a loop over the keys themselves: this runs for every document and makes nothing
  for (const name in document) {
    const value = document[name];
    if (isEmpty(value)) continue;
    if (!Object.hasOwn(properties, name) || !covers(properties[name], value)) return false;
  }
  return true;
};

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const covers = (definition: JsonValue | undefined, value: JsonValue | undefined): boolean => {
  if (!isJsonObject(definition)) return false;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).every((element) => covers(definition, element));
  const below = definition['properties'];
  return !isJsonObject(value) || !isJsonObject(below) || mappingCovers(below, value);
};
