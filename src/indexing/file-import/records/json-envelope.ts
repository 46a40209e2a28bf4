import type { JsonObject, JsonValue } from '../../../json/json.ts';
import { isJsonObject } from '../../../json/json.ts';

/** Where the records of a JSON object are. */
export interface FoundRecords {
  /** The dotted path of an array of records, and of the object in each element; null: the object is a record. */
  readonly path: string | null;
  /** Paths of all arrays of objects. */
  readonly others: readonly string[];
}

/** Objects around records, with the paths of the records. */
const standards: readonly (readonly [(root: JsonObject) => boolean, string])[] = [
  [({ resourceType }) => resourceType === 'Bundle', 'entry.resource'],
  [({ type }) => type === 'FeatureCollection', 'features'],
  [({ hits }) => isJsonObject(hits) && Array.isArray(hits['hits']), 'hits.hits._source'],
];

/** Names that interfaces give the list of their answers, and objects around it. */
const lists = ['results', 'data', 'records', 'items', 'entries', 'docs', 'documents', 'rows', 'value', 'content', 'hits', 'features']; // prettier-ignore
const wrappers = ['data', 'response', 'result', '_embedded'];
const looksLikeKey = /^_?id$|_id$|Id$/;

/**
 * Finds the records in a JSON value: FHIR bundles, GeoJSON, answers of search servers, `results`, `data` and the like,
 * or the only array of objects in an object that has no key of its own.
 */
export const findRecords = (value: unknown): FoundRecords => {
  if (!isJsonObject(value)) return { path: null, others: [] };
  const others = arrayPaths(value, '', 3);
  const standard = standards.find(([matches, path]) => matches(value) && recordsAt(value, path).length > 0);
  if (standard !== undefined) return { path: standard[1], others };
  if (Object.keys(value).some((name) => looksLikeKey.test(name))) return { path: null, others };
  const isListed = (path: string): boolean => {
    const parts = path.split('.');
    return lists.includes(parts.at(-1)!) && parts.slice(0, -1).every((part) => wrappers.includes(part));
  };
  const wrapped = others.filter((path) =>
    path
      .split('.')
      .slice(0, -1)
      .every((part) => wrappers.includes(part)),
  );
  return { path: wrapped.find(isListed) ?? (wrapped.length === 1 ? wrapped[0]! : null), others };
};

/** The objects at a dotted path, with those of every array on the way. */
export const recordsAt = (value: unknown, path: string): readonly JsonObject[] => {
  let found: readonly unknown[] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  for (const name of path.split('.').filter((part) => part !== ''))
    found = found.flatMap((one) =>
      isJsonObject(one) && Object.hasOwn(one, name) ? (one[name] as unknown) : [],
    );
  return found.filter((one) => isJsonObject(one));
};

const arrayPaths = (object: JsonObject, prefix: string, depth: number): readonly string[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const path = prefix + name;
    if (Array.isArray(value)) return isArrayOfObjects(value as readonly JsonValue[]) ? [path] : [];
    return isJsonObject(value) && depth > 1 ? arrayPaths(value, `${path}.`, depth - 1) : [];
  });

const isArrayOfObjects = (values: readonly JsonValue[]): boolean =>
  values.length > 0 && values.every(isJsonObject);
