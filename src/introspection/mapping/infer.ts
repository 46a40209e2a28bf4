import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { parseDate } from '../dates/dates.ts';
import { expandedKeys } from './expanded-keys.ts';

/** A mapping being inferred from sample documents. */
export interface Inference {
  add(document: JsonObject): void;
  /** As `add`, for a document without dotted keys. */
  addExpanded(document: JsonObject): void;
  /** The result so far, as an index body's `mappings` without its settings: {properties}. */
  mapping(): JsonObject;
  /** Changes whenever the result may have changed. */
  changes(): number;
}

/** Called once for each dotted path that has a value; gets each value there, items for lists, and whether it is a list. */
export type PathObserver = (
  path: string,
) => (value: string | number | boolean | JsonObject, type: ScalarType | 'object', inList: boolean) => void;

/** What a value is inferred as. */
export type ScalarType = 'boolean' | 'integer' | 'decimal' | 'date' | 'keyword' | 'text';

/** What was seen at one path. Empty until the first value that is neither null nor an empty list. */
interface Seen {
  readonly path: string;
  readonly scalars: Set<ScalarType>;
  /** Set once an object was seen here: its contents. */
  parts: Map<string, Seen> | null;
  /** Objects occurred in a list. */
  listed: boolean;
  /** Whether it has no place in a mapping: a dot would be read as a path, and `_id` is the document's key. */
  readonly isLeftOut: boolean;
  observe: ReturnType<PathObserver> | null;
}

const unobserved = (): void => undefined;

/** A new, empty inference. */
export const newInference = (observer: PathObserver = () => unobserved): Inference => {
  const parts = new Map<string, Seen>();
  const looking: Looking = { observer, changes: 0 };
  const addExpanded = (document: JsonObject): void => lookAtParts(parts, document, '', looking);
  return {
    add: (document) => addExpanded(expandedKeys(document)),
    addExpanded,
    mapping: () => ({ properties: propertiesOf(parts) }),
    changes: () => looking.changes,
  };
};

interface Looking {
  readonly observer: PathObserver;
  changes: number;
}

const newSeen = (name: string, parent: string): Seen => ({
  path: parent === '' ? name : `${parent}.${name}`,
  scalars: new Set(),
  parts: null,
  listed: false,
  isLeftOut: name.trim() === '' || name.includes('.') || (parent === '' && name === '_id'),
  observe: null,
});

/** For every value of every document, so it allocates nothing. */
const lookAtParts = (
  parts: Map<string, Seen>,
  object: JsonObject,
  parent: string,
  looking: Looking,
): void => {
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    let seen = parts.get(name);
    if (seen === undefined) parts.set(name, (seen = newSeen(name, parent)));
    lookAt(seen, value, false, looking);
  }
};

const lookAt = (seen: Seen, value: JsonValue, inList: boolean, looking: Looking): void => {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) lookAt(seen, item, true, looking);
    return;
  }
  seen.observe ??= looking.observer(seen.path);
  if (isJsonObject(value)) {
    seen.observe(value, 'object', inList);
    if (seen.parts === null || (inList && !seen.listed)) looking.changes += 1;
    seen.parts ??= new Map();
    seen.listed ||= inList;
    lookAtParts(seen.parts, value, seen.path, looking);
    return;
  }
  const type = scalarType(value as string | number | boolean);
  seen.observe(value as string | number | boolean, type, inList);
  if (seen.scalars.has(type)) return;
  seen.scalars.add(type);
  looking.changes += 1;
};

/** Longer texts are prose: filters never contain all of it, and engines reject keywords longer than 32 766 bytes. */
const maxKeywordBytes = 8000;
const maxLineLength = 200;

const scalarType = (value: string | number | boolean): ScalarType => {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return isLong(value) ? 'integer' : 'decimal';
  if (isDate(value)) return 'date';
  if (value.length <= maxLineLength) return 'keyword';
  return value.includes('\n') || Buffer.byteLength(value) > maxKeywordBytes ? 'text' : 'keyword';
};

/** Dates of most files, without the days that some months lack. */
const usualDate =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z?)?$/;

/** A text whose first character begins no date is decided without a pattern. */
const isDate = (value: string): boolean =>
  value.length > 9 &&
  value.charCodeAt(0) <= nine &&
  (usualDate.test(value) ||
    (/^[+-]?\d{4,}-\d\d-\d\d/.test(value) && parseDate(value, 'strict_date_optional_time', 'down') !== null));

const nine = 0x39;

const isLong = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 63;

/** The mapping of texts that are not prose. */
export const keywordProperty: JsonObject = { type: 'keyword', ignore_above: maxKeywordBytes };

const propertiesOf = (parts: ReadonlyMap<string, Seen>): JsonObject =>
  Object.fromEntries(
    [...parts].flatMap(([name, seen]) => {
      const definition = seen.isLeftOut ? null : definitionOf(seen);
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
      return { type: 'date' };
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
