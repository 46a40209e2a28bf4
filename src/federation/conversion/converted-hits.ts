import type { CursorValue } from '../../engines/engine.ts';
import {
  printCursor,
  sortValues,
  startAgain,
  type CursorKey,
  type SortValue,
} from '../../engines/semantics/cursor.ts';
import { badUserInput } from '../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { LazyHit, rankOf, sortDefaults } from '../../search/query.ts';
import type { CatalogueHit, HitsRequest, SortRequest } from '../../search/query.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import type { Constant, Conversion, Measured } from './converted-filter.ts';
import { converted } from './unit.ts';

/** How a node's rows are requested and shown. */
export interface ConvertedPage {
  readonly request: HitsRequest;
  readonly show: (hit: CatalogueHit) => CatalogueHit;
}

/**
 * @param fields the node's own fields
 * @param shownFields the same fields as the network sees them
 * @throws TributaryError BAD_USER_INPUT for a cursor with different units, and for a sum that an offset would change
 *   unnoticed
 */
export const convertedPage = (
  hits: HitsRequest,
  conversion: Conversion,
  fields: Fields,
  shownFields: Fields,
): ConvertedPage => {
  const { constants, measured } = conversion;
  const keys = hits.sort.map((key): PageKey => ({
    shown: keyOf(key, shownFields),
    constant: constants.get(key.fieldName),
    measured: measured.get(key.fieldName),
  }));
  const sort = hits.sort.flatMap((key) =>
    constants.has(key.fieldName) ? [] : [ownSort(key, measured.get(key.fieldName))],
  );
  const isSame = keys.every((key) => !key.constant && !key.measured);
  const request = {
    ...hits,
    sort,
    searchAfter: isSame ? hits.searchAfter : hits.searchAfter && ownCursor(hits.searchAfter),
    fields: hits.fields && hits.fields.filter((path) => !constants.has(path)),
  };
  const ownKeys = sort.map((key) => keyOf(key, fields));
  const documentOf = documentConverter(hits.fields, conversion);
  return {
    request,
    show: (hit) => convertedHit(hit, documentOf(hit.source), isSame ? null : { keys, ownKeys }),
  };
};

interface PageKey {
  readonly shown: CursorKey;
  readonly constant: Constant | undefined;
  readonly measured: Measured | undefined;
}

interface PageKeys {
  readonly keys: readonly PageKey[];
  readonly ownKeys: readonly CursorKey[];
}

const keyOf = (request: SortRequest, fields: Fields): CursorKey => {
  const { fieldName: path } = request;
  const { order, missing } = sortDefaults(request);
  return { field: { path, type: fields.get(path)?.type ?? path }, order, missing };
};

const ownSort = (key: SortRequest, target: Measured | undefined): SortRequest => {
  if (target === undefined) return key;
  if (key.mode === 'sum' && target.unit.offset !== 0)
    throw badUserInput(
      `cannot sort by the sum of "${key.fieldName}", to whose numbers an offset is added; sort by avg, min or max`,
    );
  if (target.unit.factor > 0) return key;
  const { mode, missing } = sortDefaults(key);
  return {
    ...key,
    order: key.order === 'asc' ? 'desc' : 'asc',
    missing,
    mode: mode === 'min' ? 'max' : mode === 'max' ? 'min' : mode,
  };
};

/** The node's own cursor is the tiebreaker of the converted one. */
const ownCursor = (cursor: readonly CursorValue[]): readonly CursorValue[] => {
  try {
    const read: unknown = JSON.parse(String(cursor.at(-1)).replace(/^values:[\d,]*;/, ''));
    if (Array.isArray(read)) return read as readonly CursorValue[];
  } catch {
    // invalid JSON comes from a different configuration
  }
  throw startAgain('was made when a node had other units or constants');
};

const convertedHit = (hit: CatalogueHit, source: JsonObject, keys: PageKeys | null): CatalogueHit => {
  const converted = (cursor: readonly CursorValue[]) =>
    keys === null ? cursor : convertedCursor(cursor, keys);
  return new LazyHit(
    { id: hit.id, nodeId: hit.nodeId, key: hit.key, source },
    () => converted(hit.cursor),
    () => converted(rankOf(hit)),
  );
};

const convertedCursor = (
  nodeCursor: readonly CursorValue[],
  { keys, ownKeys }: PageKeys,
): readonly CursorValue[] => {
  const values = sortValues(nodeCursor, ownKeys);
  let next = 0;
  const sorted = keys.map(({ constant, measured }): SortValue => {
    if (constant) return { isMissing: false, value: constant.value };
    const value = values[next++]!;
    if (!measured || value.isMissing) return value;
    return { isMissing: false, value: converted(Number(value.value), measured.unit) };
  });
  const cursor = printCursor(
    sorted,
    keys.map((key) => key.shown),
    JSON.stringify(nodeCursor),
  );
  // without a tiebreaker no row can be resumed after
  return nodeCursor.length > ownKeys.length ? cursor : cursor.slice(0, -1);
};

/**
 * Converts a node's documents, which keep the node's names.
 * @param paths the requested paths; null for all
 * @param nestedPath the nested path whose object the document is
 */
export const documentConverter = (
  paths: readonly string[] | null,
  { constants, measured }: Conversion,
  nestedPath: string | null = null,
): ((document: JsonObject) => JsonObject) => {
  const prefix = nestedPath === null ? '' : `${nestedPath}.`;
  const stored = new Map([...measured].map(([path, { field, unit }]) => [field.storedAt ?? path, unit]));
  const numbers = [...stored].flatMap(([path, unit]) =>
    path.startsWith(prefix) ? [[path.slice(prefix.length), unit] as const] : [],
  );
  const fixed = [...constants].flatMap(([path, { value }]) =>
    nestedPath === null && (paths === null || paths.includes(path)) ? [[path, value] as const] : [],
  );
  return (document) => {
    const total = numbers.reduce<JsonValue>(
      (known, [path, unit]) => changedAt(known, path, (value) => convertedValue(value, unit)),
      document,
    );
    return { ...(total as JsonObject), ...Object.fromEntries(fixed) };
  };
};

const convertedValue = (value: JsonValue, unit: Measured['unit']): JsonValue => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? converted(number, unit) : value;
};

/** A document with the values at a dotted path changed, through lists of objects; a key may itself contain the dots. */
const changedAt = (value: JsonValue, path: string, change: (value: JsonValue) => JsonValue): JsonValue => {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => changedAt(item, path, change));
  if (path === '') return change(value);
  if (!isJsonObject(value)) return value;
  const dot = path.indexOf('.');
  const [name, rest] =
    Object.hasOwn(value, path) || dot < 0 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)];
  const inner = Object.hasOwn(value, name) ? value[name] : undefined;
  return inner === undefined ? value : { ...value, [name]: changedAt(inner, rest, change) };
};
