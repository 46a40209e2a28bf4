import { isoDate } from '../../introspection/dates/dates.ts';
import { mayBeWide, withoutOrigin, type Field, type Fields } from '../../introspection/fields/field.ts';
import type { JsonScalar, JsonValue, JsonObject } from '../../lib/json/json.ts';
import { isJsonObject, isWholeText, setOwn, shownWhole } from '../../lib/json/json.ts';

/** All values of a stored field: nested lists flattened, as the engines do; null and absent values are skipped. */
export const storedValues = (stored: JsonValue | undefined): readonly Exclude<JsonValue, null>[] => {
  if (stored === undefined || stored === null) return [];
  return Array.isArray(stored) ? (stored as readonly JsonValue[]).flatMap(storedValues) : [stored];
};

/**
 * A stored value converted to the schema's scalar type: numeric strings of numeric fields to numbers, except digits of
 * 64-bit integers that a number would lose, everything to text in text fields. A value that does not fit becomes null, so
 * that it never fails the row.
 */
export const fieldValue = (
  value: JsonValue,
  field: Pick<Field, 'kind' | 'type' | 'holdsLongs'>,
): JsonValue => {
  switch (field.kind) {
    case 'keyword':
    case 'text':
    case 'date':
      return textOf(value);
    case 'number':
      if (smallIntegers.has(field.type)) return integerOf(numberOf(value) ?? NaN);
      // a number comes from a node with fractions, which JSON may write like an integer
      if (field.holdsLongs && typeof value === 'number') return value;
      return mayBeWide(field) ? wholeOf(value) : numberOf(value);
    case 'boolean':
      return booleanOf(value);
    case 'range':
    case 'object':
    case 'nested':
    case 'flattened':
    case 'json':
      return value;
  }
};

/** Shown as Int, which GraphQL limits to 32 bits. */
const smallIntegers = new Set(['byte', 'short']);

const textOf = (value: JsonValue): JsonScalar =>
  typeof value === 'string' || value === null ? value : isJsonObject(value) ? null : String(value);

const numberOf = (value: JsonValue): number | null => {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
};

/** A value of a type that may hold more than 2^53. */
const wholeOf = (value: JsonValue): number | string | null => {
  if (typeof value === 'string' && isWholeText(value)) return shownWhole(BigInt(value));
  const number = numberOf(value);
  return number !== null && Number.isInteger(number) ? shownWhole(BigInt(number)) : number;
};

const integerOf = (value: number): number | null => {
  const integer = Math.trunc(value);
  return integer === (integer | 0) ? integer : null;
};

const booleanOf = (value: JsonValue): boolean | null => {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' || value === '' ? false : null;
};

/**
 * The document as shown: the part stored under the catalogue's nestingPrefix, {} when there is none; without its
 * origin.
 */
export const unwrapDocument = (stored: JsonObject, nestingPrefix: string | null): JsonObject => {
  if (nestingPrefix === null) return withoutOrigin(stored);
  let inner: JsonValue | undefined = stored;
  for (const segment of nestingPrefix.split('.')) inner = isJsonObject(inner) ? inner[segment] : undefined;
  return isJsonObject(inner) ? inner : {};
};

type Show = (stored: JsonValue) => JsonValue;

/**
 * Shows the dates of a document, or of the nested objects at a path, in ISO 8601, whatever their formats.
 * @returns a function that returns the object itself if all of them already are
 */
export const isoDates = (fields: Fields, nestedPath = ''): ((object: JsonObject) => JsonObject) => {
  const above = nestedPath === '' ? '' : `${nestedPath}.`;
  const dates = [...fields.values()].filter(({ kind, path }) => kind === 'date' && path.startsWith(above));
  const show = inObjects(
    dates.map(({ path, format }) => ({
      path: path.slice(above.length).split('.'),
      show: datesInIso(format),
    })),
    0,
  );
  return (object) => show(object) as JsonObject;
};

/** @param dates by their paths below an object; @param depth how many segments of them lead to it */
const inObjects = (
  dates: readonly { readonly path: readonly string[]; readonly show: Show }[],
  depth: number,
): Show => {
  const below = [...Map.groupBy(dates, ({ path }) => path[depth]!)].map(([key, within]) => {
    const [date] = within;
    return [key, date!.path.length === depth + 1 ? date!.show : inObjects(within, depth + 1)] as const;
  });
  const ofObject = (stored: JsonObject): JsonObject => {
    let changed: Record<string, JsonValue | undefined> | null = null;
    for (const [key, show] of below) {
      const value = Object.hasOwn(stored, key) ? stored[key] : undefined;
      const iso = value === undefined ? undefined : show(value);
      if (iso !== value) setOwn((changed ??= { ...stored }), key, iso!);
    }
    return changed ?? stored;
  };
  return (stored) => inList(stored, (item) => (isJsonObject(item) ? ofObject(item) : item));
};

/** Shows a stored date, or a list of them, in ISO 8601; values that are not dates of the format stay. */
export const datesInIso =
  (format: string | undefined): Show =>
  (stored) =>
    inList(stored, (item) =>
      typeof item === 'string' || typeof item === 'number' ? (isoDate(item, format) ?? item) : item,
    );

/** Changes the items of a list, or a single one; the list itself if none changes. */
const inList = (stored: JsonValue, show: Show): JsonValue => {
  if (!Array.isArray(stored)) return show(stored);
  const items = (stored as readonly JsonValue[]).map((item) => inList(item, show));
  return items.every((item, position) => item === stored[position]) ? stored : items;
};

/**
 * Shows the value that a constant_keyword has in every document, stored there or not, where its path is requested.
 * @returns a function of the paths that are requested, null for all
 */
export const withConstants = (
  fields: Fields,
): ((paths: readonly string[] | null, document: JsonObject) => JsonObject) => {
  const constants = [...fields.values()].flatMap(({ path, nestedIn, storedAt, indexField: { constant } }) =>
    constant === undefined || storedAt !== undefined || nestedIn.length > 0 ? [] : [{ path, constant }],
  );
  if (constants.length === 0) return (_, document) => document;
  const isIn = (path: string) => (requested: string) =>
    `${path}.`.startsWith(`${fields.get(requested)?.storedAt ?? requested}.`);
  return (paths, document) =>
    constants
      .filter(({ path }) => paths?.some(isIn(path)) ?? true)
      .reduce<JsonObject>(
        (document, { path, constant }) => filledAt(document, path.split('.'), constant) as JsonObject,
        document,
      );
};

/** Fills in a value at a path where there is none, through lists of objects. */
const filledAt = (value: JsonValue, [key, ...rest]: readonly string[], filling: JsonValue): JsonValue => {
  if (key === undefined) return value ?? filling;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => filledAt(item, [key, ...rest], filling));
  if (value !== null && !isJsonObject(value)) return value;
  const inner = value !== null && Object.hasOwn(value, key) ? value[key]! : null;
  return { ...value, [key]: filledAt(inner, rest, filling) };
};

/**
 * The parts of a document under some dotted paths, preserving lists; empty objects are left out, except in lists, whose
 * objects keep their positions. Keys may have dots.
 */
export const pickPaths = (document: JsonObject, paths: readonly string[]): JsonObject => {
  const wanted = pathTree(paths);
  return (pick(document, wanted) as JsonObject | undefined) ?? {};
};

/** null: everything below. */
interface PathTree {
  readonly [segment: string]: PathTree | null | undefined;
}

const pathTree = (paths: readonly string[]): PathTree => {
  const root: Record<string, PathTree | null> = Object.create(null) as Record<string, PathTree | null>;
  for (const path of paths) {
    const segments = path.split('.');
    const last = segments.pop()!;
    let level: Record<string, PathTree | null> | null = root;
    for (const segment of segments) {
      if (level === null) break;
      if (!(segment in level)) level[segment] = Object.create(null) as PathTree;
      level = level[segment] as Record<string, PathTree | null> | null;
    }
    if (level !== null) level[last] = null;
  }
  return root;
};

const pick = (value: JsonValue, wanted: PathTree): JsonValue | undefined => {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return items.flatMap((item) => pick(item, wanted) ?? (isJsonObject(item) ? {} : []));
  }
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const below = key.includes('.') ? treeAt(wanted, key) : wanted[key];
    if (inner === undefined || below === undefined) return [];
    const picked = below === null ? inner : pick(inner, below);
    return picked === undefined ? [] : [[key, picked]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** undefined for a path that was not requested. */
const treeAt = (wanted: PathTree, path: string): PathTree | null | undefined =>
  path
    .split('.')
    .reduce<PathTree | null | undefined>((tree, segment) => (tree ? tree[segment] : tree), wanted);
