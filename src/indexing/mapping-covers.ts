import type { JsonObject, JsonValue } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';

/**
 * Whether a mapping's `properties` have an entry for every non-empty field of the document. Much cheaper than inferring
 * types, which only documents that fail this need.
 */
export const mappingCovers = (properties: JsonObject, document: JsonObject): boolean => {
  // for...in, as this runs for every document and should not allocate
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
