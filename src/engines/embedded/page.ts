import { TributaryError } from '../../errors.ts';
import type { CursorValue, HitsQuery } from '../engine.ts';
import { hasBit, listBits, type Bitset } from './bitset.ts';
import type { Columns } from './columns.ts';
import type { Order } from './order.ts';
import { bindSortKey } from './sort-key.ts';
import { leading, smallest, type Threshold } from './top.ts';

/** One hit before its source is read. */
export interface PageEntry {
  readonly ordinal: number;
  readonly cursor: readonly CursorValue[];
}

/** Which of the matching documents, in which order. */
export type PageQuery = Pick<HitsQuery, 'sort' | 'searchAfter' | 'offset' | 'size'>;

/**
 * The ordinals of one page of the matching documents in their order; the document number breaks ties, so the order is
 * total.
 * @throws TributaryError BAD_USER_INPUT for a cursor or sort key that does not fit
 */
export const pageOf = (columns: Columns, matches: Bitset, query: PageQuery): Uint32Array => {
  if (query.sort.length === 0) return unsortedPage(columns, matches, query);
  const ids = listBits(matches);
  const orders = query.sort.map((key) => bindSortKey(columns, key, ids));
  const numberAt = (position: number): number => columns.numbers.at(ids[position]!);
  const after = pastCursor(orders, numberAt, query.searchAfter);
  const wanted = query.offset + query.size;
  const positions = leading(orders[0]!.ranks, orders.length === 1 && orders[0]!.isExact, wanted, after);
  const ordered = smallest(positions, wanted, comparison(orders));
  return Uint32Array.from(ordered.slice(query.offset), (position) => ids[position]!);
};

/** The entries of a page: its documents with their cursors. */
export const pageEntries = (
  columns: Columns,
  page: Uint32Array,
  sort: HitsQuery['sort'],
): readonly PageEntry[] => {
  const orders = sort.map((key) => bindSortKey(columns, key, page));
  return Array.from(page, (ordinal, position) => ({
    ordinal,
    cursor: [...orders.map((order) => order.print(position)), columns.numbers.at(ordinal)],
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

/** The first ordinal past the cursor of a query without a sort. */
const firstAfter = (columns: Columns, cursor: HitsQuery['searchAfter']): number => {
  if (cursor === null || cursor.length === 0) return 0;
  checkLength(cursor, 0);
  const last = tieBreakOf(cursor[0]!);
  let low = 0;
  let high = columns.numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (columns.numbers.at(middle) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** What comes after the cursor, null for everything. */
const pastCursor = (
  orders: readonly Order[],
  numberAt: (position: number) => number,
  cursor: readonly CursorValue[] | null,
): Threshold | null => {
  if (cursor === null || cursor.length === 0) return null;
  checkLength(cursor, orders.length);
  const bounds = orders.map((order, i) => order.against(cursor[i]!));
  const tieBreak = cursor.length > orders.length ? tieBreakOf(cursor.at(-1)!) : Infinity;
  const isPast = (position: number): boolean => {
    for (const bound of bounds) {
      const order = bound.compare(position);
      if (order !== 0) return order > 0;
    }
    return numberAt(position) > tieBreak;
  };
  return { rank: bounds[0]!.rank, isPast };
};

const checkLength = (cursor: readonly CursorValue[], keys: number): void => {
  if (cursor.length === keys || cursor.length === keys + 1) return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `searchAfter has ${cursor.length} values, it must have ${keys} as the sort, or one more`,
  );
};

const tieBreakOf = (value: CursorValue): number => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `searchAfter ends with ${JSON.stringify(value)}, which is no tie-break of this engine`,
  );
};

/** Positions are in the order of document numbers, so they break ties. */
const comparison =
  (orders: readonly Order[]) =>
  (left: number, right: number): number => {
    for (const order of orders) {
      const difference = order.compare(left, right);
      if (difference !== 0) return difference;
    }
    return left - right;
  };
