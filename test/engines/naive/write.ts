import { kindOf } from '../../../src/introspection/fields/field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json/json.ts';
import { read } from './values.ts';

/** Why a document does not fit a mapping, or null when it does. */
export const refusal = (mapping: JsonObject, document: JsonObject, path = ''): string | null => {
  for (const [key, value] of Object.entries(document)) {
    const at = path + key;
    if (key.includes('.') && key.split('.').some((part) => part.trim() === '')) return `${at} is not a name`;
    const properties = (mapping['properties'] ?? {}) as JsonObject;
    const property = properties[key];
    const dot = key.indexOf('.');
    if (property === undefined && dot > 0 && isJsonObject(properties[key.slice(0, dot)])) {
      const reason = refusal(mapping, { [key.slice(0, dot)]: { [key.slice(dot + 1)]: value } }, path);
      if (reason !== null) return reason;
    } else if (isJsonObject(property)) {
      const inner = { dynamic: mapping['dynamic'], ...property };
      const reason = [value].flat(Infinity as 1).map((item) => refusedItem(inner, item as JsonValue, at));
      const first = reason.find((text) => text !== null);
      if (first) return first;
    } else if (mapping['dynamic'] === 'strict') {
      return `field ${at} is not mapped`;
    }
  }
  return null;
};

const refusedItem = (property: JsonObject, item: JsonValue, at: string): string | null => {
  if (item === null || property['enabled'] === false) return null;
  if (property['type'] === undefined || property['type'] === 'nested' || property['type'] === 'object') {
    return isJsonObject(item) ? refusal(property, item, `${at}.`) : `field ${at} is not an object`;
  }
  if (property['ignore_malformed'] === true || kindOf(String(property['type'])) === 'json') return null;
  const fits = !isJsonObject(item) && read(property, item as string | number | boolean) !== null;
  return fits ? null : `field ${at} holds ${JSON.stringify(item)}`;
};
