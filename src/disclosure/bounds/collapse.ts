import { inconsistent } from '../table/interval.ts';
import type { Condition } from './condition.ts';

/** Bounds of many counts, the last dimension fastest. */
export interface Margin {
  readonly lower: Int32Array;
  readonly upper: Int32Array;
}

/** Rows of cells, of which one dimension is to be summed up. */
export interface Rows {
  readonly cells: Margin;
  /** All units of each row. */
  readonly whole: Margin;
  /** The number of cells in a row, and how far apart they are. */
  readonly size: number;
  readonly stride: number;
}

/**
 * The units of each row in some cells of a dimension of which every unit has one: those cells, or the row without the
 * others.
 *
 *   [max(sum of L in c, L of the row - sum of U not in c), min(sum of U in c, U of the row - sum of L not in c)]
 */
export const collapsePartition = (rows: Rows, { cells: wanted }: Condition): Margin => {
  const isWanted = new Uint8Array(rows.size);
  for (const cell of wanted) isWanted[cell] = 1;
  const { lower, upper } = rows.cells;
  return eachRow(rows, (row, start) => {
    let [inLower, inUpper, outLower, outUpper] = [0, 0, 0, 0];
    for (let cell = 0, at = start; cell < rows.size; cell += 1, at += rows.stride)
      if (isWanted[cell] === 1) {
        inLower += lower[at]!;
        inUpper += upper[at]!;
      } else {
        outLower += lower[at]!;
        outUpper += upper[at]!;
      }
    return [
      Math.max(inLower, rows.whole.lower[row]! - outUpper),
      Math.min(inUpper, rows.whole.upper[row]! - outLower),
    ];
  });
};

/**
 * The units of each row with some of the values of a list, or with none of them. Values overlap, so a list is a cover and
 * never a partition: there are at least as many units as have the most frequent value, and at most the sum over all. Only
 * units without a value, m, are apart from the others.
 *
 *   [max(max of L_v, L of the row - U_m - sum of U not in c), min(sum of U_v, U of the row - L_m)]
 */
export const collapseList = (
  rows: Rows,
  { cells: wanted, isNegated }: Condition,
  missing: number,
): Margin => {
  const isWanted = new Uint8Array(rows.size);
  for (const cell of wanted) isWanted[cell] = 1;
  const { lower, upper } = rows.cells;
  return eachRow(rows, (row, start) => {
    let [largest, sum, others] = [0, 0, 0];
    for (let cell = 0, at = start; cell < rows.size; cell += 1, at += rows.stride) {
      if (cell === missing) continue;
      if (isWanted[cell] === 1) {
        largest = Math.max(largest, lower[at]!);
        sum += upper[at]!;
      } else others += upper[at]!;
    }
    const index = start + missing * rows.stride;
    const [emptyLower, emptyUpper] = missing < 0 ? [0, 0] : [lower[index]!, upper[index]!];
    const isEmptyWanted = isWanted[missing] === 1;
    const [minOfRow, maxOfRow] = [rows.whole.lower[row]!, rows.whole.upper[row]!];
    const held = {
      lower: Math.max(
        largest + (isEmptyWanted ? emptyLower : 0),
        minOfRow - others - (isEmptyWanted ? 0 : emptyUpper),
      ),
      upper: Math.min(sum + (isEmptyWanted ? emptyUpper : 0), maxOfRow - (isEmptyWanted ? 0 : emptyLower)),
    };
    return isNegated ? [Math.max(0, minOfRow - held.upper), maxOfRow - held.lower] : [held.lower, held.upper];
  });
};

/** @throws TributaryError when the cells of a row contradict it */
const eachRow = (
  { whole, size, stride }: Rows,
  boundsOf: (row: number, start: number) => readonly [number, number],
): Margin => {
  const lower = new Int32Array(whole.lower.length);
  const upper = new Int32Array(whole.lower.length);
  for (let row = 0; row < lower.length; row += 1) {
    const start = Math.floor(row / stride) * stride * size + (row % stride);
    const [least, most] = boundsOf(row, start);
    if (least > most) throw inconsistent();
    lower[row] = least;
    upper[row] = most;
  }
  return { lower, upper };
};
