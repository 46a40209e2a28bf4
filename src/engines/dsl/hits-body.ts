import { TributaryError } from '../../errors.ts';
import { isIntegerType, kindOf, type IndexField } from '../../introspection/field.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import type { CursorValue, HitsQuery, SortKey } from '../engine.ts';
import type { Dialect } from './dialect.ts';
import { filterQuery } from './filter-query.ts';

/** The ends of 64 bits and infinities stand for missing numbers and dates in cursors. */
export const missingMark = ({ field, missing, order }: SortKey): string => {
  const high = (missing === 'last') === (order === 'asc');
  if (isWhole(field)) return high ? '9223372036854775807' : '-9223372036854775808';
  return high ? 'Infinity' : '-Infinity';
};

/** Whole numbers, dates and booleans are sorted as longs. */
const isWhole = ({ type }: IndexField): boolean =>
  isIntegerType(type) || kindOf(type) === 'date' || kindOf(type) === 'boolean';

/**
 * The search body of a page of hits. Hits before an `offset` behind a cursor are asked for too: servers take no offset there.
 * @param step where an earlier page ended, as nextStep gives it; it stands in for the query's own cursor
 * @throws TributaryError BAD_USER_INPUT for a sort that the field does not have, or a cursor that does not fit the sort
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
    sort: [...sort.map((key) => sortClause(key, dialect)), ...tieBreak[dialect.tieBreak]],
    ...(after !== null && { search_after: after }),
    _source: source === null ? true : source.length === 0 ? false : { includes: source },
  };
};

/** OpenSearch 3 fails at leaving out hits when the first sort value is one of its own making, as an average. */
const mustCount = ({ size, sort: [first] }: HitsQuery): boolean =>
  size > 0 && first !== undefined && first.mode !== 'min' && first.mode !== 'max';

const tieBreak: Readonly<Record<Dialect['tieBreak'], readonly JsonObject[]>> = {
  _id: [{ _id: 'asc' }],
  _seq_no: [{ _seq_no: 'asc' }, { _shard_doc: 'asc' }],
};

const sortClause = (key: SortKey, dialect: Dialect): JsonObject => {
  const { field, order, missing, mode } = key;
  if (field.path === '_id') return keyClause(order, dialect);
  const kind = kindOf(field.type);
  if (kind === 'text')
    throw new TributaryError(
      'BAD_USER_INPUT',
      `field ${field.path} is of type text, which cannot be sorted by`,
    );
  const numeric = kind === 'number' || kind === 'date';
  if (!numeric && mode !== 'min' && mode !== 'max')
    throw new TributaryError(
      'BAD_USER_INPUT',
      `sort mode ${mode} needs numbers, field ${field.path} is of type ${field.type}; min and max work`,
    );
  const path = field.nestedIn.at(-1);
  if (path !== undefined && mode === 'median')
    throw new TributaryError(
      'BAD_USER_INPUT',
      `this search server has no sort mode median for fields of nested objects, as ${field.path} is; min, max, avg and sum work`,
    );
  return {
    [field.path]: {
      order,
      missing: missing === 'first' ? '_first' : '_last',
      mode,
      unmapped_type: unmappedType(field),
      // else some versions sort these as 32 bits, with other marks for missing values
      ...(isShort(field) && { numeric_type: 'long' }),
      ...(path !== undefined && { nested: { path } }),
    },
  };
};

/** Where the server refuses it the engine orders by keys itself, and asks for none of it. */
const keyClause = (order: SortKey['order'], dialect: Dialect): JsonObject => {
  if (dialect.tieBreak === '_id') return { _id: order };
  throw new TributaryError('BAD_USER_INPUT', 'this search server does not sort by _id');
};

const isShort = ({ type }: IndexField): boolean =>
  kindOf(type) === 'boolean' || type === 'integer' || type === 'short' || type === 'byte';

const unmappedType = (field: IndexField): string => {
  const kind = kindOf(field.type);
  if (kind === 'number') return isIntegerType(field.type) ? 'long' : 'double';
  return kind === 'date' || kind === 'boolean' ? kind : 'keyword';
};

/** After every key that there can be. */
const afterAllKeys = '\u{10ffff}'.repeat(8);
const afterAllWrites = '9223372036854775807';

const searchAfter = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
  dialect: Dialect,
): readonly JsonValue[] => {
  assertCursorLength(cursor, sort);
  const values = sort.map((key, position) => afterValue(key, cursor[position]!));
  return [...values, ...tieBreakAfter(cursor.length > sort.length ? cursor.at(-1)! : undefined, dialect)];
};

/** @throws TributaryError BAD_USER_INPUT for a cursor of another sort */
export const assertCursorLength = (cursor: readonly CursorValue[], sort: readonly SortKey[]): void => {
  if (cursor.length === sort.length || cursor.length === sort.length + 1) return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `searchAfter has ${cursor.length} values, it must have ${sort.length} as the sort, or one more`,
  );
};

const tieBreakAfter = (value: CursorValue | undefined, dialect: Dialect): readonly JsonValue[] => {
  if (dialect.tieBreak === '_id') return [value === undefined ? afterAllKeys : String(value)];
  if (value === undefined) return [exactNumber(afterAllWrites), exactNumber(afterAllWrites)];
  const [write, place = afterAllWrites] = String(value).split(':');
  if (/^\d+$/.test(write!) && /^\d+$/.test(place))
    return [exactNumber(write!), exactNumber(behindInShard(place))];
  throw new TributaryError(
    'BAD_USER_INPUT',
    `searchAfter ends with ${JSON.stringify(value)}, which is no tie-break of this engine`,
  );
};

/**
 * A place is the number of the shard in its upper 32 bits, below that one of the document, which merges change. Within
 * a shard the number of the write is enough, so whatever has the same one there is behind us.
 */
const behindInShard = (place: string): string => String(((BigInt(place) >> 32n) << 32n) | 0x7fff_ffffn);

/** A sort value of a cursor as servers take it. @throws TributaryError BAD_USER_INPUT when it is none */
export const afterValue = (key: SortKey, value: CursorValue): JsonValue => {
  const kind = kindOf(key.field.type);
  if (kind === 'boolean')
    return value === null
      ? exactNumber(missingMark(key))
      : Number(value === true || value === 'true' || value === 1);
  if (kind !== 'number' && kind !== 'date') return value === null ? null : String(value);
  if (value === null) return exactNumber(missingMark(key));
  if (value !== '' && typeof value !== 'boolean' && !Number.isNaN(Number(value))) return exactNumber(value);
  throw new TributaryError(
    'BAD_USER_INPUT',
    `searchAfter has ${JSON.stringify(value)} for ${key.field.path}, which is no value of type ${key.field.type}`,
  );
};

/** Digits as a number of JSON, however many they are: as a text a server would read them in a date's format. */
const exactNumber = (value: string | number): JsonValue =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? rawJson(value) : value;

/** In the language since Node.js 21; its types follow with a later library. */
const rawJson = (JSON as typeof JSON & { rawJSON: (text: string) => JsonValue }).rawJSON;
