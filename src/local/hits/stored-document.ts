import type { Field } from '../../introspection/fields/field.ts';
import { isWideType, withoutOrigin } from '../../introspection/fields/field.ts';
import type { JsonScalar, JsonValue, JsonObject } from '../../json/json.ts';
import { isJsonObject, isWholeText, shownWhole } from '../../json/json.ts';

/** All values of a stored field: nested lists flattened, as the engines do; null and absent values are skipped. */
export const storedValues = (stored: JsonValue | undefined): readonly Exclude<JsonValue, null>[] => {
  if (stored === undefined || stored === null) return [];
  return Array.isArray(stored) ? (stored as readonly JsonValue[]).flatMap(storedValues) : [stored];
};

/**
 * A stored value converted to the schema's scalar type: numeric strings of numeric fields to numbers, but for digits of
 * 64-bit integers that a number would lose, everything to text in text fields. A value that does not fit becomes null, so
 * that it never fails the row.
 */
export const fieldValue = (value: JsonValue, field: Pick<Field, 'kind' | 'type'>): JsonValue => {
  switch (field.kind) {
    case 'keyword':
    case 'text':
    case 'date':
      return textOf(value);
    case 'number':
      if (smallIntegers.has(field.type)) return integerOf(numberOf(value) ?? NaN);
      return isWideType(field.type) ? wholeOf(value) : numberOf(value);
    case 'boolean':
      return booleanOf(value);
    case 'object':
    case 'nested':
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

/** The parts of a document under some dotted paths, preserving lists; empty objects are left out. */
export const pickPaths = (document: JsonObject, paths: readonly string[]): JsonObject => {
  const wanted = pathTree(paths);
  return (pick(document, wanted) as JsonObject | undefined) ?? {};
};

/** null: everything below. */
interface PathTree {
  readonly [segment: string]: PathTree | null;
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
    return items.flatMap((item) => pick(item, wanted) ?? []);
  }
  if (!isJsonObject(value)) return undefined;
  const kept = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    if (inner === undefined || !(key in wanted)) return [];
    const below = wanted[key] ?? null;
    const picked = below === null ? inner : pick(inner, below);
    return picked === undefined ? [] : [[key, picked]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};
