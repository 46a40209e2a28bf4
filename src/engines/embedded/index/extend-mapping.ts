import { isDeepStrictEqual } from 'node:util';
import { TributaryError } from '../../../errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json.ts';

/**
 * A mapping's `properties` with new ones added at any depth; existing ones must not change.
 * @throws TributaryError CONFLICT naming the field and both values
 */
export const extendMapping = (
  properties: JsonValue | undefined,
  added: JsonObject,
  path = '',
): JsonObject => {
  // a Map, because fields may be named like inherited properties of objects
  const grown = new Map(Object.entries(isJsonObject(properties) ? properties : {}));
  for (const [key, property] of Object.entries(added)) {
    const field = path === '' ? key : `${path}.${key}`;
    const before = grown.get(key);
    grown.set(
      key,
      isJsonObject(before) && isJsonObject(property) ? extendProperty(before, property, field) : property,
    );
  }
  return Object.fromEntries(grown);
};

const extendProperty = (before: JsonObject, added: JsonObject, field: string): JsonObject => {
  const grown: Record<string, JsonValue | undefined> = { ...before };
  rejectTypeChange(before, added, field);
  for (const [parameter, value] of Object.entries(added)) {
    if ((parameter === 'properties' || parameter === 'fields') && isJsonObject(value)) {
      grown[parameter] = extendMapping(before[parameter], value, field);
    } else if (parameter !== 'type' && !isDeepStrictEqual(before[parameter], value)) {
      throw conflict(field, parameter, before[parameter], value);
    }
  }
  return grown;
};

const rejectTypeChange = (before: JsonObject, added: JsonObject, field: string): void => {
  const old = before['type'] ?? 'object';
  const type = added['type'] ?? (isJsonObject(added['properties']) ? 'object' : old);
  // children may be added without repeating that the object is nested
  if (type !== old && !(added['type'] === undefined && old === 'nested'))
    throw conflict(field, 'type', old, type);
};

const conflict = (
  field: string,
  parameter: string,
  before: JsonValue | undefined,
  added: JsonValue | undefined,
): TributaryError =>
  new TributaryError(
    'CONFLICT',
    `field ${field} has ${parameter} ${JSON.stringify(before) ?? 'unset'}, which cannot become ${JSON.stringify(added)}; load into a new index instead`,
  );
