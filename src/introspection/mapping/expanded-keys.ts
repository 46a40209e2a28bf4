import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { isShownWhole, kindOf } from '../fields/field.ts';

/** Whether, for a dotted path, its content is kept as written. */
export type IsOpaque = (path: string) => boolean;

const nothingOpaque: IsOpaque = () => false;

/** The limit on nested objects that a key expands to; anything longer is not a field name. */
const maxParts = 100;

/**
 * A document whose dotted keys are expanded as search servers read them: `{"a.b": 1}` is `{"a": {"b": 1}}`, and values
 * from several keys for one field become a list in their order. A key that cannot be expanded stays.
 * @param isOpaque content below such a path is unchanged
 * @param path of the object within the document, '' for the document
 * @returns the document itself when it has no such key
 */
export const expandedKeys = (
  document: JsonObject,
  isOpaque: IsOpaque = nothingOpaque,
  path = '',
): JsonObject => (hasDottedKey(document) ? expanded(entriesOf(document), isOpaque, path) : document);

/**
 * Why a dotted key cannot be expanded, null for any other key. Search servers reject it too.
 * @param key as it occurs in an object
 */
export const keyProblem = (key: string): string | null => {
  if (!key.includes('.')) return null;
  const printed = JSON.stringify(key.slice(0, 200));
  const parts = key.split('.', maxParts + 1);
  if (parts.length > maxParts) return `the key ${printed} has more than ${maxParts} parts between dots`;
  return parts.some((part) => part.trim() === '')
    ? `the key ${printed} has an empty part: dots stand between the names of objects and fields, as in "a.b"`
    : null;
};

/** The first `keyProblem` of a document, or that it is nested too deeply; null when there is none. */
export const keyProblemIn = (document: JsonValue, isOpaque: IsOpaque = nothingOpaque): string | null => {
  if (!hasDottedKey(document)) return null;
  return isDeeper(document, maxLevels) ? tooDeep : problemBelow(document, isOpaque, '');
};

/** Search servers have 20 levels of objects; deeper values exhaust the stack. */
const maxLevels = 100;

/** Why a value of more levels is not read. */
export const tooDeep = `it has more than ${maxLevels} levels of objects and lists inside each other`;

const isDeeper = (value: JsonValue | undefined, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value as JsonObject).some((below) => isDeeper(below, levels - 1)));

/** The opaque paths of a mapping's `properties`: their contents are not expanded. */
export const opaqueIn = (properties: JsonObject): IsOpaque => {
  const paths = new Set(opaquePaths(properties, ''));
  return paths.size === 0 ? nothingOpaque : (path) => paths.has(path);
};

const opaquePaths = (properties: JsonObject, parent: string): readonly string[] =>
  Object.entries(properties).flatMap(([name, definition]) => {
    if (!isJsonObject(definition)) return [];
    const path = pathBelow(parent, name);
    const { type, enabled } = definition;
    if (enabled === false || (typeof type === 'string' && isShownWhole(kindOf(type)))) return [path];
    return isJsonObject(definition.properties) ? opaquePaths(definition.properties, path) : [];
  });

const problemBelow = (value: JsonValue | undefined, isOpaque: IsOpaque, path: string): string | null => {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return firstOf(value, (item: JsonValue) => problemBelow(item, isOpaque, path));
  return firstOf(Object.entries(value as JsonObject), ([key, inner]) => {
    const below = pathBelow(path, key);
    return isOpaque(below) ? null : (keyProblem(key) ?? problemBelow(inner, isOpaque, below));
  });
};

const firstOf = <Item>(items: readonly Item[], of: (item: Item) => string | null): string | null => {
  for (const item of items) {
    const problem = of(item);
    if (problem !== null) return problem;
  }
  return null;
};

const pathBelow = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Whether a value has a dotted key, or may, being too deep. Few documents have one: this check allocates nothing. */
const hasDottedKey = (value: JsonValue | undefined, levels = maxLevels): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item: JsonValue) => hasDottedKey(item, levels - 1));
  for (const key in value)
    if (key.includes('.') || hasDottedKey((value as JsonObject)[key], levels - 1)) return true;
  return false;
};

const isExpandable = (key: string): boolean => key.includes('.') && keyProblem(key) === null;

type Entry = readonly [key: string, value: JsonValue];

const entriesOf = (object: JsonObject): readonly Entry[] =>
  Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);

/** An object expanded from the entries of one object or of several to be merged. */
const expanded = (entries: readonly Entry[], isOpaque: IsOpaque, path: string): JsonObject => {
  const parts = new Map<string, JsonValue[]>();
  for (const [key, value] of entries) {
    const dot = isExpandable(key) ? key.indexOf('.') : key.length;
    const name = key.slice(0, dot);
    const part = dot === key.length ? value : { [key.slice(dot + 1)]: value };
    const before = parts.get(name);
    if (before === undefined) parts.set(name, [part]);
    else before.push(part);
  }
  return Object.fromEntries(
    [...parts].map(([name, values]) => [name, merged(values, isOpaque, pathBelow(path, name))]),
  );
};

/** Combines the values of several keys for one field: objects are merged, all others form a list. */
const merged = (values: readonly JsonValue[], isOpaque: IsOpaque, path: string): JsonValue => {
  const [only, second] = values;
  if (second === undefined) return isOpaque(path) ? only! : expandedValue(only!, isOpaque, path);
  const objects = values.filter(isJsonObject);
  const object = expanded(objects.flatMap(entriesOf), isOpaque, path);
  const others = values
    .filter((value) => !isJsonObject(value) || value === objects[0])
    .flatMap((value) =>
      isJsonObject(value) ? [object] : ([expandedValue(value, isOpaque, path)].flat() as JsonValue[]),
    );
  return others.length === 1 ? others[0]! : others;
};

const expandedValue = (value: JsonValue, isOpaque: IsOpaque, path: string): JsonValue => {
  if (Array.isArray(value)) return value.map((item: JsonValue) => expandedValue(item, isOpaque, path));
  return isJsonObject(value) ? expanded(entriesOf(value), isOpaque, path) : value;
};
