import { notATieBreak, printCursor, readCursor, type SortValue } from '../../semantics/cursor.ts';
import type { CursorValue, HitsQuery, SortKey } from '../../engine.ts';
import { hasBit, listFrom, type Bitset } from '../columns/bitset.ts';
import { neverStopped, type Checkpoint } from '../columns/search-run.ts';
import type { Columns } from '../columns/columns.ts';
import { orderRoom, keywordOrder, type Order, type OrderRoom } from './order.ts';
import { TopRanks, topK, type Threshold } from './top-ranks.ts';
import { isIntegerType, kindOf } from '../../../introspection/fields/field.ts';
import { assertSortKey } from '../../semantics/field-uses.ts';
import { numberOrder } from './number-order.ts';

/** One hit before its source is read. */
export interface PageEntry {
  readonly ordinal: number;
  readonly cursor: readonly CursorValue[];
}

/** Which of the matching documents to return, in which order. */
export type PageQuery = Pick<HitsQuery, 'sort' | 'searchAfter' | 'offset' | 'size'>;

/**
 * The ordinals of one page of the matching documents in their order; the document number breaks ties, so the order is
 * total.
 * @throws TributaryError BAD_USER_INPUT for a cursor or sort key that does not fit
 */
export const pageOf = (
  columns: Columns,
  matches: Bitset,
  query: PageQuery,
  checkpoint: Checkpoint = neverStopped,
): Uint32Array => {
  if (query.sort.length === 0) return unsortedPage(columns, matches, query);
  const wanted = query.offset + query.size;
  const candidates = candidatesAmong(columns, matches, query, wanted, checkpoint);
  return firstOf(columns, candidates, query.sort, wanted, checkpoint).slice(query.offset);
};

/** The first documents in the order of all sort keys; they are passed in ascending order. */
const firstOf = (
  columns: Columns,
  ids: Uint32Array,
  sort: PageQuery['sort'],
  wanted: number,
  checkpoint: Checkpoint,
): Uint32Array => {
  const orders = sort.map((key) => bindSortKey(columns, key, ids, checkpoint));
  const positions = topK(
    ids.map((_, position) => position),
    wanted,
    comparison(orders),
    checkpoint,
  );
  return Uint32Array.from(positions, (position) => ids[position]!);
};

/** The entries of a page: its documents with their cursors. */
export const pageEntries = (
  columns: Columns,
  page: Uint32Array,
  sort: HitsQuery['sort'],
  checkpoint: Checkpoint = neverStopped,
): readonly PageEntry[] => {
  const orders = sort.map((key) => bindSortKey(columns, key, page, checkpoint));
  return Array.from(page, (ordinal, position) => ({
    ordinal,
    cursor: printCursor(
      orders.map((order) => order.value(position)),
      sort,
      columns.docIds.at(ordinal),
    ),
  }));
};

/** Ordinals ascend with the document numbers, so a page is a run of the matches. */
const unsortedPage = (
  columns: Columns,
  matches: Bitset,
  { searchAfter, offset, size }: PageQuery,
): Uint32Array => {
  const page = new Uint32Array(Math.min(size, columns.root.count));
  let skip = offset;
  let length = 0;
  for (let at = firstAfter(columns, searchAfter); at < columns.root.count && length < page.length; at++) {
    if (matches[at >>> 5] === 0) at |= 31;
    else if (hasBit(matches, at) && skip-- <= 0) page[length++] = at;
  }
  return page.subarray(0, length);
};

/** The first ordinal after the cursor of an unsorted query. */
const firstAfter = (columns: Columns, cursor: HitsQuery['searchAfter']): number => {
  if (cursor === null || cursor.length === 0) return 0;
  const last = tieBreakOf(readCursor(cursor, []).tieBreak);
  let low = 0;
  let high = columns.docIds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (columns.docIds.at(middle) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Binds a sort key to the documents it orders; a field without a column is missing everywhere.
 * @param room reused for the order's arrays, which are then only valid until it is used again
 * @throws TributaryError BAD_USER_INPUT for text fields, and modes that need a number or a date
 */
const bindSortKey = (
  columns: Columns,
  key: SortKey,
  ids: Uint32Array,
  checkpoint: Checkpoint = neverStopped,
  room?: OrderRoom,
): Order => {
  const column = columns.column(key.field.path);
  const kind = column?.fieldKind ?? kindOf(key.field.type);
  const numeric = kind === 'number' || kind === 'date';
  assertSortKey(key.field, kind, key.mode);
  if (!numeric) return keywordOrder(columns, column, key, ids, checkpoint, room);
  const whole = kind === 'date' || isIntegerType(column?.type ?? key.field.type);
  return numberOrder(columns, column, key, whole, ids, checkpoint, room);
};

/** Documents ranked at once, few enough for their ranks to stay in the CPU cache. */
const blockSize = 1 << 14;

/**
 * The documents that can be on the page judging by the first sort key; only for these few are the other keys looked up.
 * Where many share its value, they are compared by all keys early, and then only documents before the last of the first
 * ones are added. Ascending.
 */
const candidatesAmong = (
  columns: Columns,
  matches: Bitset,
  { sort, searchAfter }: PageQuery,
  wanted: number,
  checkpoint: Checkpoint,
): Uint32Array => {
  const leading = new TopRanks(wanted);
  const most = Math.max(1 << 15, 2 * wanted);
  const cursor = cursorPlace(sort, searchAfter);
  let last: Place | null = null;
  // one list of all matches, or new arrays for each block, would be garbage of megabytes for each page
  const room = new Uint32Array(Math.min(blockSize, matches.length * 32));
  const orderRooms = sort.map(() => orderRoom(room.length));
  let word = 0;
  do {
    const { length, next } = listFrom(matches, word, room);
    const block = room.subarray(0, length);
    checkpoint();
    const orderOf = boundOnce(columns, sort, block, checkpoint, orderRooms);
    const { ranks, isExact } = orderOf(0);
    leading.add(block, ranks, sort.length === 1 && isExact, {
      after: cursor && thresholdAt(columns, cursor, block, orderOf),
      before: last && thresholdAt(columns, last, block, orderOf),
    });
    if (sort.length > 1 && wanted > 0 && leading.size > most) {
      const first = firstOf(columns, Uint32Array.from(leading.ids()), sort, wanted, checkpoint);
      last = placeOf(columns, sort, first.at(-1)!);
      leading.keep(first);
    }
    word = next;
  } while (word < matches.length);
  return Uint32Array.from(leading.ids());
};

/** A place in the order: the values of all sort keys, and the document number that breaks a tie. */
interface Place {
  readonly values: readonly SortValue[];
  readonly tieBreak: number;
}

/** Null for the start. */
const cursorPlace = (sort: PageQuery['sort'], cursor: readonly CursorValue[] | null): Place | null => {
  if (cursor === null || cursor.length === 0) return null;
  const { values, tieBreak } = readCursor(cursor, sort);
  return { values, tieBreak: cursor.length > sort.length ? tieBreakOf(tieBreak) : Infinity };
};

const placeOf = (columns: Columns, sort: PageQuery['sort'], id: number): Place => ({
  values: sort.map((key) => bindSortKey(columns, key, Uint32Array.of(id)).value(0)),
  tieBreak: columns.docIds.at(id),
});

/** Sort keys bound to the documents when they are first needed, by position. */
const boundOnce = (
  columns: Columns,
  sort: PageQuery['sort'],
  ids: Uint32Array,
  checkpoint: Checkpoint,
  rooms: readonly OrderRoom[],
): ((key: number) => Order) => {
  const orders: Order[] = [];
  return (key) => (orders[key] ??= bindSortKey(columns, sort[key]!, ids, checkpoint, rooms[key]));
};

const thresholdAt = (
  columns: Columns,
  { values, tieBreak }: Place,
  ids: Uint32Array,
  orderOf: (key: number) => Order,
): Threshold => {
  const bound = orderOf(0).against(values[0]!);
  const bounds = [bound];
  const isPast = (position: number): boolean => {
    for (let key = 0; key < values.length; key++) {
      bounds[key] ??= orderOf(key).against(values[key]!);
      const order = bounds[key]!.compare(position);
      if (order !== 0) return order > 0;
    }
    return columns.docIds.at(ids[position]!) > tieBreak;
  };
  return { rank: bound.rank, isPast };
};

const tieBreakOf = (value: CursorValue): number => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw notATieBreak(value);
};

/** Positions are in document number order, so they break ties. */
const comparison =
  (orders: readonly Order[]) =>
  (left: number, right: number): number => {
    for (const order of orders) {
      const difference = order.compare(left, right);
      if (difference !== 0) return difference;
    }
    return left - right;
  };
