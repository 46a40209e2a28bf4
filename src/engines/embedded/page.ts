import { TributaryError } from '../../errors.ts';
import type { CursorValue, HitsQuery } from '../engine.ts';
import type { Columns } from './columns.ts';
import type { Order } from './order.ts';
import { bindSortKey } from './sort-key.ts';
import { smallest } from './top.ts';

/** One hit before its source is read. */
export interface PageEntry {
  readonly ordinal: number;
  readonly cursor: readonly CursorValue[];
}

/**
 * One page of the matching documents in their order; the document number breaks ties, so the order is total.
 * @param ids the matching documents' ordinals, ascending
 * @throws TributaryError BAD_USER_INPUT for a cursor or sort key that does not fit
 */
export const pageOf = (columns: Columns, ids: Uint32Array, query: HitsQuery): readonly PageEntry[] => {
  const orders = query.sort.map((key) => bindSortKey(columns, key, ids));
  const numberAt = (position: number): number => columns.numbers.at(ids[position]!);
  const positions = positionsAfter(orders, numberAt, ids.length, query.searchAfter);
  const wanted = query.offset + query.size;
  const ordered =
    orders.length === 0 ? positions.slice(0, wanted) : smallest(positions, wanted, comparison(orders));
  return Array.from(ordered.slice(query.offset), (position) => ({
    ordinal: ids[position]!,
    cursor: [...orders.map((order) => order.print(position)), numberAt(position)],
  }));
};

/** All positions, or those after the cursor. */
const positionsAfter = (
  orders: readonly Order[],
  numberAt: (position: number) => number,
  count: number,
  cursor: readonly CursorValue[] | null,
): Uint32Array => {
  const positions = new Uint32Array(count);
  for (let position = 0; position < count; position++) positions[position] = position;
  if (cursor === null || cursor.length === 0) return positions;
  if (cursor.length < orders.length || cursor.length > orders.length + 1) {
    throw new TributaryError(
      'BAD_USER_INPUT',
      `searchAfter has ${cursor.length} values, it must have ${orders.length} as the sort, or one more`,
    );
  }
  const keys = orders.map((order, i) => order.against(cursor[i]!));
  const tieBreak = cursor.length > orders.length ? tieBreakOf(cursor.at(-1)!) : Infinity;
  return positions.filter((position) => {
    for (const key of keys) {
      const order = key(position);
      if (order !== 0) return order > 0;
    }
    return numberAt(position) > tieBreak;
  });
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
