import { numberIn, objectIn, objectsIn, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import { isIntegerType, kindOf, type IndexField } from '../../../introspection/fields/field.ts';
import { notATieBreak, maxLong, minLong, readCursor, printCursor } from '../../semantics/cursor.ts';
import { assertSortKey } from '../../semantics/field-uses.ts';
import type { CursorValue, HitsQuery, SortKey, Hit, HitsResult } from '../../engine.ts';
import { constantPath } from './terms-aggregations.ts';
import { filterQuery } from './filter/filter-query.ts';
import { afterValues, endOf, exactNumber, isBehindConstant, isTwice, readSortValues } from './sort-values.ts';

/**
 * Differences between servers. `_id`: OpenSearch and Elasticsearch 7 sort by the key, and then by the index where the
 * name resolves to several, which may share keys; Elasticsearch 8 and later refuse to, so there the sequence number
 * breaks ties, then the position in the shard.
 */
export interface Dialect {
  readonly tieBreak: '_id' | '_id#_index' | '_seq_no';
}

/**
 * The search body of a page of hits. With a cursor, hits before `offset` are requested too: servers do not accept an
 * offset there.
 * @param step where an earlier page ended, from nextStep; replaces the query's own cursor
 * @throws TributaryError BAD_USER_INPUT for a sort the field does not support, or a cursor that does not fit the sort
 */
export const hitsBody = (
  query: HitsQuery,
  dialect: Dialect,
  step?: readonly JsonValue[] | null,
): JsonObject => {
  const { filter, offset, size, sort, source, trackTotal } = query;
  const cursor = query.searchAfter !== null && query.searchAfter.length > 0 ? query.searchAfter : null;
  const after = step ?? (cursor && searchAfter(cursor, sort, dialect));
  const counted = { query: filterQuery(filter), track_total_hits: trackTotal || mustCount(query) };
  if (size === 0) return { ...counted, size: 0 };
  return {
    ...counted,
    size: after === null ? size : offset + size,
    ...(after === null && offset > 0 && { from: offset }),
    sort: [...sort.flatMap((key) => sortClauses(key, dialect)), ...tieBreak[dialect.tieBreak]],
    ...(after !== null && { search_after: after }),
    _source: source === null ? true : source.length === 0 ? false : { includes: source },
  };
};

/**
 * Whether hits may not be skipped: OpenSearch fails to when the first sort value is computed, such as an average, or in
 * nested objects.
 */
const mustCount = ({ size, sort: [first] }: HitsQuery): boolean =>
  size > 0 &&
  first !== undefined &&
  ((first.mode !== 'min' && first.mode !== 'max') || first.field.nestedIn.length > 0);

const tieBreak: Readonly<Record<Dialect['tieBreak'], readonly JsonObject[]>> = {
  _id: [{ _id: 'asc' }],
  '_id#_index': [{ _id: 'asc' }, { _index: 'asc' }],
  _seq_no: [{ _seq_no: 'asc' }, { _shard_doc: 'asc' }],
};

/** Whether the server sorts by the key of documents. */
export const sortsByKey = ({ tieBreak }: Dialect): boolean => tieBreak !== '_seq_no';

const separatorOf = ({ tieBreak }: Dialect): string => (tieBreak === '_id#_index' ? '#' : ':');

const sortClauses = (key: SortKey, dialect: Dialect): readonly JsonObject[] => {
  const { field, order } = key;
  return [
    ...(isBehindConstant(field) ? [{ [constantPath(field.path)]: { unmapped_type: 'long' } }] : []),
    sortClause(key, dialect),
    ...(isTwice(field) ? [sortClause({ ...key, order: order === 'asc' ? 'desc' : 'asc' }, dialect)] : []),
  ];
};

const sortClause = (key: SortKey, dialect: Dialect): JsonObject => {
  const { field, order, mode } = key;
  if (field.path === '_id') return keyClause(order, dialect);
  assertSortKey(field, kindOf(field.type), mode);
  const path = field.nestedIn.at(-1);
  if (path !== undefined && mode === 'median')
    throw badUserInput(
      `this search server has no sort mode median for fields of nested objects, as ${field.path} is; min, max, avg and sum work`,
    );
  return {
    [field.constant === undefined ? field.path : constantPath(field.path)]: {
      order,
      missing: field.constant ?? markOf(key),
      mode,
      unmapped_type: unmappedType(field),
      // otherwise some versions sort these as 32 bits, with different marks for missing values
      ...(isShort(field) && { numeric_type: 'long' }),
      ...(path !== undefined && { nested: { path } }),
    },
  };
};

const markOf = (key: SortKey): JsonValue => {
  const { field, missing, order } = key;
  // servers would replace `_first` and `_last` by a time that they do not accept in a cursor
  if (field.type === 'date_nanos') return endOf(key, 1);
  return missing === 'first' ? '_first' : lastMark(field, order);
};

/**
 * The mark of documents without a value that sort last. For dates it is spelt out: OpenSearch skips a shard whose dates
 * seem to sort after the results of other shards, and takes `_last` for a date there, so that documents with dates were
 * sometimes lost behind those without.
 */
const lastMark = ({ type }: IndexField, order: SortKey['order']): JsonValue => {
  if (type !== 'date') return '_last';
  return exactNumber(order === 'asc' ? maxLong : minLong);
};

/** Where the server refuses it, the engine orders by key itself and never requests it. */
const keyClause = (order: SortKey['order'], dialect: Dialect): JsonObject => {
  if (sortsByKey(dialect)) return { _id: order };
  throw badUserInput('this search server does not sort by _id');
};

const isShort = ({ type }: IndexField): boolean =>
  kindOf(type) === 'boolean' || type === 'integer' || type === 'short' || type === 'byte';

const unmappedType = (field: IndexField): string => {
  const kind = kindOf(field.type);
  if (kind === 'number') return isIntegerType(field.type) ? 'long' : 'double';
  return kind === 'date' || kind === 'boolean' ? kind : 'keyword';
};

/** Sorts after every possible key. */
const afterAllKeys = '\u{10ffff}'.repeat(8);

const afterAllWrites = maxLong;

const searchAfter = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
  dialect: Dialect,
): readonly JsonValue[] => {
  const { values, tieBreak } = readCursor(cursor, sort);
  const after = cursor.length > sort.length ? tieBreak : undefined;
  return [...afterValues(sort, values), ...tieBreakAfter(after, dialect)];
};

const tieBreakAfter = (value: CursorValue | undefined, dialect: Dialect): readonly JsonValue[] => {
  if (dialect.tieBreak === '_id') return [value === undefined ? afterAllKeys : String(value)];
  if (dialect.tieBreak === '_id#_index')
    return keyAndIndex(value === undefined ? afterAllKeys : String(value));
  if (value === undefined) return [exactNumber(afterAllWrites), exactNumber(afterAllWrites)];
  const [write, position = afterAllWrites] = String(value).split(':');
  if (/^\d+$/.test(write!) && /^\d+$/.test(position))
    return [exactNumber(write!), exactNumber(behindInShard(position))];
  throw notATieBreak(value);
};

/** A key alone, from a name that resolved to one index, sorts after its documents in all indexes. */
const keyAndIndex = (tie: string): readonly JsonValue[] => {
  const [, key = tie, index = afterAllKeys] = /^(.*)#([^#]*)$/s.exec(tie) ?? [];
  return [key, index];
};

/**
 * A position is the shard number in the upper 32 bits and the document number below, which merges change. Within a
 * shard the sequence number is enough, so anything with the same one there is already behind the cursor.
 */
const behindInShard = (position: string): string => String(((BigInt(position) >> 32n) << 32n) | 0x7fff_ffffn);

/** Reads a page from the response to hitsBody. */
export const readHits = (query: HitsQuery, answer: JsonObject, dialect: Dialect): HitsResult => {
  const answered = objectIn(answer, 'hits');
  const hits = objectsIn(answered, 'hits').map((hit) => readHit(hit, query.sort, dialect));
  const behindCursor = query.searchAfter !== null && query.searchAfter.length > 0;
  return {
    total: query.trackTotal ? numberIn(objectIn(answered, 'total'), 'value') : null,
    hits: behindCursor ? hits.slice(query.offset) : hits,
  };
};

/** Where a page ends, for the next hitsBody with the same sort; null for an empty page. */
export const nextStep = (sort: readonly SortKey[], answer: JsonObject): readonly JsonValue[] | null => {
  const last = objectsIn(objectIn(answer, 'hits'), 'hits').at(-1);
  if (last === undefined) return null;
  const printed = (last['sort'] ?? []) as readonly JsonValue[];
  const { values, length } = readSortValues(sort, printed);
  return [...afterValues(sort, values), ...printed.slice(length)];
};

const readHit = (hit: JsonObject, sort: readonly SortKey[], dialect: Dialect): Hit => {
  const printed = (hit['sort'] ?? []) as readonly JsonValue[];
  const { values, length } = readSortValues(sort, printed);
  return {
    id: String(hit['_id']),
    source: objectIn(hit, '_source'),
    cursor: printCursor(values, sort, printed.slice(length).join(separatorOf(dialect))),
  };
};
