import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json.ts';

/** Reduces an object to these dotted paths, through lists; null keeps it whole. */
export const filterSource = (object: JsonObject, paths: readonly string[] | null): JsonObject => {
  if (paths === null) return object;
  const kept = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    if (value === undefined) return [];
    // a dotted key is short for objects within objects
    if (paths.some((path) => key === path || key.startsWith(`${path}.`))) return [[key, value]];
    const below = paths
      .filter((path) => path.startsWith(`${key}.`))
      .map((path) => path.slice(key.length + 1));
    const inner = below.length === 0 ? undefined : filterValue(value, below);
    return inner === undefined ? [] : [[key, inner]];
  });
  return Object.fromEntries(kept);
};

const filterValue = (value: JsonValue, paths: readonly string[]): JsonValue | undefined => {
  if (!Array.isArray(value)) return isJsonObject(value) ? filterSource(value, paths) : undefined;
  return value.flatMap((item: JsonValue) => {
    const kept = filterValue(item, paths);
    return kept === undefined ? [] : [kept];
  });
};
