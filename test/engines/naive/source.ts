import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json/json.ts';

/** What remains of an object when only these dotted paths are wanted; null keeps everything. */
export const keepPaths = (object: JsonObject, paths: readonly string[] | null): JsonObject => {
  if (paths === null) return object;
  const kept = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    if (value === undefined) return [];
    if (paths.some((path) => `${key}.`.startsWith(`${path}.`))) return [[key, value]];
    const deeper = paths
      .filter((path) => path.startsWith(`${key}.`))
      .map((path) => path.slice(key.length + 1));
    const inner = deeper.length === 0 ? undefined : keepInside(value, deeper);
    return inner === undefined ? [] : [[key, inner]];
  });
  return Object.fromEntries(kept);
};

const keepInside = (value: JsonValue, paths: readonly string[]): JsonValue | undefined => {
  if (Array.isArray(value)) {
    return value.map((item: JsonValue) => keepInside(item, paths)).filter((item) => item !== undefined);
  }
  return isJsonObject(value) ? keepPaths(value, paths) : undefined;
};
