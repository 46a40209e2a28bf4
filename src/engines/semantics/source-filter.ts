import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '../../lib/json/json.ts';

/**
 * Reduces a document to the requested dotted paths, through lists; everything below a requested object is kept. Lists
 * keep their length: an object without any requested path becomes {}.
 * @param paths null for the whole document
 */
export const filterSource = (document: JsonObject, paths: readonly string[] | null): JsonObject =>
  paths === null ? document : sourceFilter(paths)(document);

/** Prepares a filter for many documents. */
export const sourceFilter = (paths: readonly string[]): ((document: JsonObject) => JsonObject) => {
  const wanted = new Set(paths);
  const above = new Set(paths.flatMap(ancestorsOf));
  return (document) => pick(document, '', wanted, above);
};

/**
 * Drops the paths that a mapping's `_source.excludes` names, with everything below them; `*` in one is any characters.
 * null: nothing is dropped.
 */
export const excludedBy = (mapping: JsonObject): ((document: JsonObject) => JsonObject) | null => {
  const excludes = excludesOf(mapping);
  if (excludes.length === 0) return null;
  const excluded = new RegExp(`^(?:${excludes.map(patternSource).join('|')})$`, 's');
  // a key may contain dots itself
  const isExcluded = (path: string): boolean =>
    [...ancestorsOf(path), path].some((candidate) => excluded.test(candidate));
  const kept = (value: JsonValue, prefix: string): JsonValue => {
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => kept(item, prefix));
    return isJsonObject(value) ? keptObject(value, prefix) : value;
  };
  const keptObject = (object: JsonObject, prefix: string): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([key, value]): [string, JsonValue][] =>
        value === undefined || isExcluded(prefix + key) ? [] : [[key, kept(value, `${prefix}${key}.`)]],
      ),
    );
  return (document) => keptObject(document, '');
};

/** The patterns of a mapping's `_source.excludes`. */
export const excludesOf = ({ _source: rules }: JsonObject): readonly string[] =>
  [isJsonObject(rules) ? (rules['excludes'] ?? []) : []].flat().map(String);

const patternSource = (pattern: string): string =>
  pattern
    .split('*')
    .map((text) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
    .join('.*');

/** `a.b.c` has the ancestors `a` and `a.b`. */
const ancestorsOf = (path: string): readonly string[] => {
  const parts = path.split('.');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'));
};

const pick = (
  object: JsonObject,
  prefix: string,
  wanted: ReadonlySet<string>,
  above: ReadonlySet<string>,
): JsonObject => {
  const without: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) {
    // keys may contain dots themselves, so paths are compared as text
    const path = prefix + key;
    if (value === undefined) continue;
    if (wanted.has(path) || (key.includes('.') && hasWantedAncestor(path, prefix.length, wanted))) {
      setOwn(without, key, value);
    } else if (above.has(path)) {
      const inner = pickInside(value, `${path}.`, wanted, above);
      if (inner !== undefined) setOwn(without, key, inner);
    }
  }
  return without;
};

/** Whether one of the objects implied by a dotted key was requested. */
const hasWantedAncestor = (path: string, from: number, wanted: ReadonlySet<string>): boolean => {
  for (let dot = path.indexOf('.', from); dot !== -1; dot = path.indexOf('.', dot + 1))
    if (wanted.has(path.slice(0, dot))) return true;
  return false;
};

const pickInside = (
  value: JsonValue,
  prefix: string,
  wanted: ReadonlySet<string>,
  above: ReadonlySet<string>,
): JsonValue | undefined => {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[])
      .map((item) => pickInside(item, prefix, wanted, above))
      .filter((item) => item !== undefined);
  }
  return isJsonObject(value) ? pick(value, prefix, wanted, above) : undefined;
};
