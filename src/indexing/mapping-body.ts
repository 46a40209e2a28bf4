import { indexSettings } from '../engines/engine.ts';
import { invalidInput, type TributaryError } from '../lib/errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts';
import { growth } from '../introspection/mapping/infer.ts';
import { mappedFields, propertiesOf } from '../introspection/mapping/mapping.ts';
import { fieldNameOffers, nameCollision, type NameCollision } from '../introspection/fields/field.ts';

export interface MappingBody {
  /** `{dynamic, properties}`. */
  readonly mapping: JsonObject;
  /** The names under `aliases`. */
  readonly aliases: readonly string[];
  /** Settings that the mapping needs, such as `analysis`, and those for creating the index; absent if none. */
  readonly settings?: JsonObject;
  /** The level between `mappings` and its content that version 6 wrote: `_doc`; absent if there is none. */
  readonly documentLevel?: string;
}

/**
 * An index body: `{settings, mappings, aliases}`, the response of an engine's mapping request (`{<index>:
 * {mappings}}`), or the mapping itself (`{dynamic, properties}`). Settings specific to the original index are dropped.
 * @param where names the file in errors
 * @throws TributaryError INPUT_INVALID anything else
 */
export const readMappingBody = (content: unknown, where: string): MappingBody => {
  if (!isJsonObject(content)) throw unknownShape(where);
  const [only, second] = Object.values(content);
  const body = second === undefined && isJsonObject(only) && 'mappings' in only ? only : content;
  const whole = 'mappings' in body ? body['mappings'] : 'properties' in body ? body : undefined;
  if (!isJsonObject(whole)) throw unknownShape(where);
  const documentLevel = documentLevelOf(whole);
  const mapping = documentLevel === null ? whole : (whole[documentLevel] as JsonObject);
  if (mapping['properties'] !== undefined && !isJsonObject(mapping['properties'])) throw unknownShape(where);
  const settings = isJsonObject(body['settings']) ? indexSettings(body['settings']) : {};
  return {
    mapping,
    aliases: isJsonObject(body['aliases']) ? Object.keys(body['aliases']) : [],
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(documentLevel !== null && { documentLevel }),
  };
};

/** The name of a document type around the content; null if there is none. */
const documentLevelOf = (mapping: JsonObject): string | null => {
  const [[name, content] = [], ...others] = Object.entries(mapping);
  const isLevel =
    others.length === 0 && name !== 'properties' && isJsonObject(content) && 'properties' in content;
  return isLevel ? name! : null;
};

/** Whether unmapped fields are added to the mapping: yes unless `dynamic` is false or strict. */
export const isDynamic = (mapping: JsonObject): boolean =>
  !['false', 'strict'].includes(String(mapping['dynamic'] ?? true));

const unknownShape = (where: string): TributaryError =>
  invalidInput(
    `${where} is not a mapping: {"mappings": {"properties": {...}}} or {"properties": {...}} is accepted`,
  );

/**
 * Whether a mapping's `properties` have an entry for every non-empty field of the document. Much cheaper than inferring
 * types, which is only needed if this is false.
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
    level = propertiesOf(property);
  }
  return found;
};

/** A mapping's `properties` with others added; objects are merged by name, and `added` wins on conflict. */
export const mergeProperties = (properties: JsonObject, added: JsonObject): JsonObject => {
  const merged = new Map(Object.entries(properties));
  for (const [name, value] of Object.entries(added)) {
    const before = merged.get(name);
    merged.set(name, isJsonObject(before) && isJsonObject(value) ? mergeProperties(before, value) : value);
  }
  return Object.fromEntries(merged);
};

/**
 * The first two fields with the same GraphQL name, with which no catalogue could serve the index; null if all are
 * distinct.
 * @param settled properties whose collisions are ignored: those of an existing index or a given mapping
 */
export const fieldCollision = (properties: JsonObject, settled: JsonObject = {}): NameCollision | null =>
  nameCollision(fieldPaths(properties), new Set(fieldPaths(settled)));

/** @throws TributaryError INPUT_INVALID a collision found by `fieldCollision`, with suggested names */
export const rejectCollisions = (properties: JsonObject, settled?: JsonObject): void => {
  const found = fieldCollision(properties, settled);
  if (found === null) return;
  const [one, other] = fieldNameOffers(found.first, found.second);
  throw invalidInput(`${collisionText(found)}: rename them, for example to ${one} and ${other}`, {
    details: { fields: [found.first, found.second], offered: [one, other] },
  });
};

/** The message about a collision. */
export const collisionText = ({ first, second, name }: NameCollision): string =>
  `the fields "${first}" and "${second}" would both be ${name} in GraphQL`;

const fieldPaths = (properties: JsonObject): readonly string[] =>
  mappedFields(properties).map(({ path }) => path);

/**
 * Properties with the missing fields of a document added, if unmapped fields are added.
 * @returns the added fields, null if none; `reason` if no catalogue could serve the index with them
 */
export const grownMapping = (
  properties: JsonObject,
  document: JsonObject,
  { dynamic, properties: settled }: { readonly dynamic: boolean; readonly properties: JsonObject },
): { readonly extended: JsonObject; readonly grown: JsonObject | null; readonly reason: string | null } => {
  const grown = !dynamic || mappingCovers(properties, document) ? null : growth(properties, document);
  if (grown === null) return { extended: properties, grown, reason: null };
  const extended = mergeProperties(properties, grown);
  const found = fieldCollision(extended, settled);
  const reason = found === null ? null : `${collisionText(found)}: rename one of them`;
  return { extended, grown, reason };
};
