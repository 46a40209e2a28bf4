import { inconsistent, type Interval } from '../table/interval.ts';
import { blockKey, strideOf, type ReleasedTable } from '../table/released-table.ts';
import { maxConditions, type Condition } from './condition.ts';

/** Bounds of counts in at most as many dimensions altogether as the table's order. */
export type Margins = MarginsOf<Margin>;

/**
 *   margin(kept, {}) = the published block
 *   margin(kept, C)  = the intersection, over each c in C, of margin(kept + c's dimension, C - c) summed up over the
 *                      cells of c, row by row, where a row is margin(kept, C - c)
 *                      (collapsePartition, collapseList)
 *
 * So one walk of a block answers every bucket of a facet, and each way to the same margin narrows it.
 * @param listAlone the bounds of a single condition on a list whose pairs are known
 * @param known returns the margins that this one is computed from
 */
export const newMargin = (
  table: ReleasedTable,
  listAlone: (condition: Condition) => Interval,
  known: () => Margins,
): Margins => {
  // a block is read in place: copies of all blocks would displace computed margins
  const marginOf: Margins = (kept, conditions) =>
    conditions.length === 0 ? published(table, kept) : known()(kept, conditions);
  const narrowed = (kept: readonly number[], condition: Condition, others: readonly Condition[]): Margin => {
    const { isMulti, cells } = table.dimensions[condition.dimension]!;
    if (isMulti && kept.length === 0 && others.length === 0) return single(listAlone(condition));
    const all = [...kept, condition.dimension].sort((left, right) => left - right);
    const rows: Rows = {
      cells: marginOf(all, others),
      whole: marginOf(kept, others),
      size: cells.length,
      stride: strideOf(all, condition.dimension, table),
    };
    const missing = cells.findIndex(({ kind }) => kind === 'missing');
    return isMulti ? collapseList(rows, condition, missing) : collapsePartition(rows, condition);
  };
  return (kept, conditions) =>
    conditions
      .map((condition) =>
        narrowed(
          kept,
          condition,
          conditions.filter((other) => other !== condition),
        ),
      )
      .reduce(bothOf);
};

const single = ({ lower, upper }: Interval): Margin => ({
  lower: Int32Array.of(lower),
  upper: Int32Array.of(upper),
});

/** The levels of a block. */
export const levelsOf = (
  { total, blocks }: Pick<ReleasedTable, 'total' | 'blocks'>,
  kept: readonly number[],
): Uint32Array => (kept.length === 0 ? Uint32Array.of(total) : blocks.get(blockKey(kept))!.levels);

const published = (table: ReleasedTable, kept: readonly number[]): Margin => {
  const levels = levelsOf(table, kept);
  const [lower, upper] = [new Int32Array(levels.length), new Int32Array(levels.length)];
  // from() with a function takes fifty times as long
  for (let cell = 0; cell < levels.length; cell += 1) {
    lower[cell] = levels[cell]! * table.threshold;
    upper[cell] = lower[cell]! + table.threshold - 1;
  }
  return { lower, upper };
};

/** The intersection of two ways to the same margin. @throws TributaryError when they contradict each other */
const bothOf = (left: Margin, right: Margin): Margin => {
  const lower = left.lower.map((least, row) => Math.max(least, right.lower[row]!));
  const upper = left.upper.map((most, row) => Math.min(most, right.upper[row]!));
  if (lower.some((least, row) => least > upper[row]!)) throw inconsistent();
  return { lower, upper };
};

/** Values for every cell of some dimensions, ascending, for the units that satisfy conditions on others. */
export type MarginsOf<Values> = (kept: readonly number[], conditions: readonly Condition[]) => Values;

/** The limit on remembered margins of a table, in cells. */
const maxKept = 1_000_000;

/** The cost of remembering a margin in addition to its cells. */
const cellsOfEntry = 32;

/**
 * Margins that are computed once, unless too many are requested.
 * @param cleared called when all are forgotten, including by `forget`
 */
export const keptMargins = <Values>(
  make: MarginsOf<Values>,
  sizeOf: (values: Values) => number,
  cleared: () => void = () => undefined,
): { readonly of: MarginsOf<Values>; readonly forget: () => void } => {
  const known = new Map<number, Values>();
  let size = 0;
  const forget = (): void => {
    known.clear();
    size = 0;
    cleared();
  };
  const of: MarginsOf<Values> = (kept, conditions) => {
    const name = nameOf(kept, conditions);
    const before = known.get(name);
    if (before !== undefined) return before;
    const made = make(kept, conditions);
    const cells = sizeOf(made) + cellsOfEntry;
    if (size + cells > maxKept) forget();
    size += cells;
    known.set(name, made);
    return made;
  };
  return { of, forget };
};

/** At most three dimensions, of at most twelve, and conditions together: within the range of exact integers. */
const nameOf = (kept: readonly number[], conditions: readonly Condition[]): number => {
  let name = 0;
  for (const dimension of kept) name = name * 16 + dimension + 1;
  const ids = conditions.length < 2 ? conditions : conditions.toSorted((left, right) => left.id - right.id);
  for (const { id } of ids) name = name * maxConditions + id;
  return name * 4 + conditions.length;
};

/** Bounds of many counts, the last dimension fastest. */
export interface Margin {
  readonly lower: Int32Array;
  readonly upper: Int32Array;
}

/** Rows of cells, in which one dimension is to be summed up. */
export interface Rows {
  readonly cells: Margin;
  /** All units of each row. */
  readonly whole: Margin;
  /** The number of cells in a row, and the distance between them. */
  readonly size: number;
  readonly stride: number;
}

/**
 * The units of each row in some cells of a dimension in which every unit has one: those cells, or the row without the
 * others.
 *
 *   [max(sum of L in c, L of the row - sum of U not in c), min(sum of U in c, U of the row - sum of L not in c)]
 */
const collapsePartition = (rows: Rows, { cells: wanted }: Condition): Margin => {
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
 * units without a value, m, are disjoint from the others.
 *
 *   [max(max of L_v, L of the row - U_m - sum of U not in c), min(sum of U_v, U of the row - L_m)]
 */
const collapseList = (rows: Rows, { cells: wanted, isNegated }: Condition, missing: number): Margin => {
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
