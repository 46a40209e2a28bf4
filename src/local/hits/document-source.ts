import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import { withoutOrigin } from '../../introspection/fields/field.ts';

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
