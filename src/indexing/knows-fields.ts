import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';

/**
 * Whether a mapping's `properties` have an entry for every field of the document that holds something. Much cheaper
 * than inferring types, which only a document that fails this needs.
 */
export const knowsFields = (properties: JsonObject, document: JsonObject): boolean =>
  Object.entries(document).every(
    ([name, value]) => isEmpty(value) || (Object.hasOwn(properties, name) && knows(properties[name], value)),
  );

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const knows = (definition: JsonValue | undefined, value: JsonValue | undefined): boolean => {
  if (!isJsonObject(definition)) return false;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).every((element) => knows(definition, element));
  const below = definition['properties'];
  return !isJsonObject(value) || !isJsonObject(below) || knowsFields(below, value);
};
