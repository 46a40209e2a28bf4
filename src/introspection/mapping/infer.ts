import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.ts';
import { parseDate } from '../dates/dates.ts';
import { expandedKeys } from './expanded-keys.ts';

/** A mapping being inferred from sample documents. */
export interface Inference {
  add(document: JsonObject): void;
  /** The result so far, as an index body's `mappings` without its settings: {properties}. */
  mapping(): JsonObject;
  /** The dotted paths of values (not objects) that occurred as lists, in the order they were first seen. */
  arrays(): string[];
}

/** What was seen at one path. Empty until the first value that is neither null nor an empty list. */
interface Seen {
  readonly scalars: Set<'boolean' | 'integer' | 'decimal' | 'date' | 'keyword' | 'text'>;
  /** Set once an object was seen here: its contents. */
  parts: Map<string, Seen> | null;
  /** Objects occurred in a list. */
  listed: boolean;
}

/** A new, empty inference. */
export const newInference = (): Inference => {
  const root = newSeen();
  const arrays = new Set<string>();
  root.parts = new Map();
  return {
    add: (document) => lookAtParts(root.parts!, expandedKeys(document), '', arrays),
    mapping: () => ({ properties: propertiesOf(root.parts!) }),
    arrays: () => [...arrays],
  };
};

const newSeen = (): Seen => ({ scalars: new Set(), parts: null, listed: false });

const lookAtParts = (
  parts: Map<string, Seen>,
  object: JsonObject,
  parent: string,
  arrays: Set<string>,
): void => {
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || !isMappable(name, parent)) continue;
    const seen = parts.get(name) ?? newSeen();
    parts.set(name, seen);
    lookAt(seen, value, parent === '' ? name : `${parent}.${name}`, false, arrays);
  }
};

/** A dot would be read as a path; `_id` is the document's key, which engines do not store in documents. */
const isMappable = (name: string, parent: string): boolean =>
  name.trim() !== '' && !name.includes('.') && !(parent === '' && name === '_id');

const lookAt = (seen: Seen, value: JsonValue, path: string, inList: boolean, arrays: Set<string>): void => {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) lookAt(seen, item, path, true, arrays);
  } else if (isJsonObject(value)) {
    seen.parts ??= new Map();
    seen.listed ||= inList;
    lookAtParts(seen.parts, value, path, arrays);
  } else {
    seen.scalars.add(scalarType(value as string | number | boolean));
    if (inList) arrays.add(path);
  }
};

type ScalarType = Seen['scalars'] extends Set<infer Type> ? Type : never;

/** Longer texts are prose: no one filters by all of it, and engines reject keywords longer than 32 766 bytes. */
const maxKeywordBytes = 8000;
const maxLineLength = 200;

const scalarType = (value: string | number | boolean): ScalarType => {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return isLong(value) ? 'integer' : 'decimal';
  if (/^[+-]?\d{4,}-\d\d-\d\d/.test(value) && parseDate(value, 'strict_date_optional_time', 'down') !== null)
    return 'date';
  const prose = value.includes('\n') && value.length > maxLineLength;
  return prose || Buffer.byteLength(value) > maxKeywordBytes ? 'text' : 'keyword';
};

const isLong = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 63;

/** The mapping of texts that are not prose. */
export const keywordProperty: JsonObject = { type: 'keyword', ignore_above: maxKeywordBytes };

const propertiesOf = (parts: ReadonlyMap<string, Seen>): JsonObject =>
  Object.fromEntries(
    [...parts].flatMap(([name, seen]) => {
      const definition = definitionOf(seen);
      return definition === null ? [] : [[name, definition] as const];
    }),
  );

const definitionOf = (seen: Seen): JsonObject | null => {
  if (seen.parts === null) return seen.scalars.size === 0 ? null : scalarDefinition(seen.scalars);
  // both objects and plain values: no type supports this, so it is stored whole and not searched
  if (seen.scalars.size > 0) return { type: 'object', enabled: false };
  const properties = propertiesOf(seen.parts);
  if (Object.keys(properties).length === 0) return null;
  return seen.listed ? { type: 'nested', properties } : { properties };
};

const scalarDefinition = (scalars: Seen['scalars']): JsonObject => {
  if (scalars.has('text')) return { type: 'text' };
  const [only = 'keyword'] = scalars;
  if (scalars.size > 1)
    return scalars.size === 2 && isNumeric(scalars) ? { type: 'double' } : keywordProperty;
  switch (only) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'long' };
    case 'decimal':
      return { type: 'double' };
    case 'date':
      return { type: 'date', ignore_malformed: true };
    case 'keyword':
    case 'text':
      return keywordProperty;
  }
};

const isNumeric = (scalars: Seen['scalars']): boolean => scalars.has('integer') && scalars.has('decimal');

/**
 * The properties to add to a mapping for content of documents that it does not cover yet.
 * @param properties the mapping's `properties`
 * @returns a body for extending the mapping, or null when it covers everything
 */
export const growth = (properties: JsonObject, ...documents: readonly JsonObject[]): JsonObject | null => {
  const inference = newInference();
  for (const document of documents) inference.add(document);
  return unknownTo(properties, inference.mapping().properties as JsonObject);
};

/** The inferred properties that a mapping's properties do not have; null when it has them all. */
export const unknownTo = (known: JsonObject, inferred: JsonObject): JsonObject | null => {
  const added = Object.entries(inferred).flatMap(([name, definition]) => {
    const existing = Object.hasOwn(known, name) ? known[name] : undefined;
    if (existing === undefined) return [[name, definition] as const];
    if (!isJsonObject(existing) || !isJsonObject(definition) || !isJsonObject(definition.properties))
      return [];
    if (!holdsObjects(existing) || isClosed(existing)) return [];
    const below = isJsonObject(existing.properties) ? existing.properties : {};
    const properties = unknownTo(below, definition.properties);
    const type = existing.type === 'nested' ? { type: 'nested' } : {};
    return properties === null ? [] : [[name, { ...type, properties }] as const];
  });
  return added.length === 0 ? null : Object.fromEntries(added);
};

/** Whether a definition is an object whose parts are mapped. */
const holdsObjects = (definition: JsonObject): boolean =>
  definition.enabled !== false &&
  (definition.type === undefined || definition.type === 'object' || definition.type === 'nested');

/** Whether an object's own setting keeps fields out of its mapping. */
const isClosed = ({ dynamic }: JsonObject): boolean => dynamic === 'strict' || String(dynamic) === 'false';
