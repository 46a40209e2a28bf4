import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';

/** The location of the records in a JSON object. */
export interface FoundRecords {
  /**
   * The dotted path of an array of records, and of the object in each element, `*` for each member of an object; null:
   * the object is a record.
   */
  readonly path: string | null;
  /** Paths of all arrays of objects, of rows next to the names of their columns, and of members with similar objects. */
  readonly others: readonly string[];
}

/** Standard formats of objects around records, with the paths of the records. */
const standards: readonly (readonly [(root: JsonObject) => boolean, string])[] = [
  [({ resourceType }) => resourceType === 'Bundle', 'entry.resource'],
  [({ type }) => type === 'FeatureCollection', 'features'],
  [({ hits }) => isJsonObject(hits) && Array.isArray(hits['hits']), 'hits.hits._source'],
];

/** Names that APIs give the list of results, and objects around it. */
const lists = [
  'results',
  'data',
  'records',
  'items',
  'entries',
  'docs',
  'documents',
  'rows',
  'value',
  'content',
  'hits',
  'features',
];
const wrappers = ['data', 'response', 'result', '_embedded'];
const looksLikeKey = /^_?id$|_id$|Id$/;

/**
 * Finds the records in a JSON value: FHIR bundles, GeoJSON, responses of search servers, `results`, `data` and similar,
 * or the only array of objects in an object that has no key of its own; also rows next to the names of their columns, and
 * members with similar objects, under names such as `P-001`.
 */
export const findRecords = (value: unknown): FoundRecords => {
  if (!isJsonObject(value)) return { path: null, others: [] };
  const others = hasAlikeMembers(value) || isColumns(value) ? [anyMember] : recordPaths(value, '', 3);
  const standard = standards.find(
    ([matches, path]) => matches(value) && recordsAt(value, path).some(({ record }) => isJsonObject(record)),
  );
  if (standard !== undefined) return { path: standard[1], others };
  if (others[0] === anyMember)
    return { path: isColumns(value) || hasKeyNames(value) ? anyMember : null, others };
  if (Object.keys(value).some((name) => looksLikeKey.test(name))) return { path: null, others };
  const partsOf = (path: string): readonly string[] => path.replace(/\.\*$/, '').split('.');
  const wrapped = others.filter((path) =>
    partsOf(path)
      .slice(0, -1)
      .every((part) => wrappers.includes(part)),
  );
  const named = wrapped.find((path) => lists.includes(partsOf(path).at(-1)!));
  return { path: named ?? (wrapped.length === 1 ? wrapped[0]! : null), others };
};

/** In a path, each member of an object. */
const anyMember = '*';

/** A value inside another, and the key from its position there. */
interface Inner {
  readonly value: unknown;
  readonly key: string | null;
}

/** The values at a dotted path, through every array on the way, and the keys from their positions. */
export const recordsAt = (value: unknown, path: string) => {
  let found: readonly Inner[] = itemsOf(value, null);
  for (const name of path.split('.').filter((part) => part !== ''))
    found = found.flatMap((one) => (isJsonObject(one.value) ? innerAt(one.value, name) : []));
  return found.map(({ value: record, key }) => ({ record, key }));
};

const itemsOf = (value: unknown, key: string | null): readonly Inner[] => {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ value: item, key: null }));
  return value === null ? [] : [{ value, key }];
};

const innerAt = (object: JsonObject, name: string): readonly Inner[] => {
  if (Object.hasOwn(object, name)) {
    const rows = rowsAt(object, name);
    const { [name]: value, _id: id } = object;
    return itemsOf(rows ?? value, name === '_source' && typeof id === 'string' ? id : null);
  }
  if (name !== anyMember) return [];
  return isColumns(object)
    ? rowsOfColumns(object)
    : Object.entries(object).flatMap(([key, value]) => (isJsonObject(value) ? [{ key, value }] : []));
};

const recordPaths = (object: JsonObject, prefix: string, depth: number): readonly string[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const path = prefix + name;
    if (Array.isArray(value))
      return isArrayOfObjects(value as readonly JsonValue[]) || rowsAt(object, name) !== null ? [path] : [];
    if (!isJsonObject(value) || depth === 1) return [];
    return (hasAlikeMembers(value) && hasKeyNames(value)) || isColumns(value)
      ? [`${path}.${anyMember}`]
      : recordPaths(value, `${path}.`, depth - 1);
  });

const isArrayOfObjects = (values: readonly JsonValue[]): boolean =>
  values.length > 0 && values.every(isJsonObject);

/** Whether an object has several members, all objects, most of which share most names. */
const hasAlikeMembers = (object: JsonObject): boolean => {
  const members = Object.values(object).map((value) => (isJsonObject(value) ? Object.keys(value) : []));
  const counts = new Map<string, number>();
  members.flat().forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  const isShared = (name: string): boolean => counts.get(name)! * 2 > members.length;
  return members.length > 1 && members.every((names) => names.filter(isShared).length * 2 > names.length);
};

/** Whether most names are those of records rather than of fields: names with digits, or many. */
const hasKeyNames = (object: JsonObject): boolean => {
  const names = Object.keys(object);
  return names.length > 20 || names.filter((name) => /\d/.test(name)).length * 2 > names.length;
};

const columnLists = ['columns', 'fields', 'header', 'headers', 'names'];

/** The rows in a member of an object as objects, named by the list of columns next to it; null if there are none. */
const rowsAt = (object: JsonObject, name: string): readonly JsonObject[] | null => {
  const { [name]: rows, index } = object;
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every((row) => Array.isArray(row))) return null;
  const lists = columnLists.map((list) => (list === name ? null : namesIn(object[list])));
  const names = lists.find((list) => list !== null && rows.every(({ length }) => length <= list.length));
  if (names === undefined || names === null) return null;
  const labels = isLabels(index, rows.length) && !names.includes('index') ? index : null;
  return rows.map((row, at) =>
    Object.fromEntries([
      ...(labels === null ? [] : [['index', labels[at]!] as const]),
      ...(row as readonly JsonValue[]).map((cell, column) => [names[column]!, cell] as const),
    ]),
  );
};

/** Whether a list labels the rows with more than their numbers, as pandas does. */
const isLabels = (index: JsonValue | undefined, rows: number): index is readonly JsonValue[] =>
  Array.isArray(index) && index.length === rows && index.some((label, at) => label !== at);

/** A list of names, or of objects with a name each; null for anything else. */
const namesIn = (list: JsonValue | undefined): readonly string[] | null => {
  if (!Array.isArray(list)) return null;
  const names = (list as readonly JsonValue[]).map((one) => (isJsonObject(one) ? one['name'] : one));
  const isName = (name: unknown): boolean => typeof name === 'string' || typeof name === 'number';
  return names.every(isName) && new Set(names.map(String)).size === names.length ? names.map(String) : null;
};

/** Whether the members are the columns of a table, each with its values by row number, as pandas writes it. */
const isColumns = (object: JsonObject): boolean => {
  const [first, ...others] = Object.values(object);
  if (!isJsonObject(first)) return false;
  const rows = Object.keys(first);
  const isColumn = (column: JsonValue | undefined): boolean =>
    isJsonObject(column) &&
    Object.keys(column).length === rows.length &&
    rows.every((row) => Object.hasOwn(column, row) && !isJsonObject(column[row]));
  return rows.length > 0 && rows.every((row) => /^\d+$/.test(row)) && [first, ...others].every(isColumn);
};

const rowsOfColumns = (columns: JsonObject): readonly Inner[] => {
  const rows = Object.keys(Object.values(columns)[0] as JsonObject);
  const isNumbered = rows.every((row, at) => row === String(at));
  return rows.map((row) => ({
    key: isNumbered ? null : row,
    value: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, (column as JsonObject)[row]]),
    ),
  }));
};
