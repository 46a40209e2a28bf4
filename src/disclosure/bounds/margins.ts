import { inconsistent, type Interval } from '../table/interval.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { blockKey } from '../table/released-table.ts';
import { collapseList, collapsePartition, type Margin, type Rows } from './collapse.ts';
import type { Condition } from './condition.ts';
import type { MarginsOf } from './kept-margins.ts';

/** Bounds of counts in at most as many dimensions altogether as the table's order. */
export type Margins = MarginsOf<Margin>;

/**
 *   margin(kept, {}) = the published block
 *   margin(kept, C)  = the intersection, over each c in C, of margin(kept + c's dimension, C - c) summed up over the
 *                      cells of c, row by row, where a row is margin(kept, C - c)       (collapse.ts)
 *
 * So one walk of a block answers every bucket of a facet, and each way to the same margin narrows it.
 * @param listAlone the bounds of a condition on one list and nothing else, of which pairs are known
 * @param known gives the margins that this one is made from
 */
export const newMargin = (
  table: ReleasedTable,
  listAlone: (condition: Condition) => Interval,
  known: () => Margins,
): Margins => {
  const narrowed = (kept: readonly number[], condition: Condition, others: readonly Condition[]): Margin => {
    const { isMulti, cells } = table.dimensions[condition.dimension]!;
    if (isMulti && kept.length === 0 && others.length === 0) return single(listAlone(condition));
    const all = [...kept, condition.dimension].sort((left, right) => left - right);
    const rows: Rows = {
      cells: known()(all, others),
      whole: known()(kept, others),
      size: cells.length,
      stride: strideOf(all, condition.dimension, table),
    };
    const missing = cells.findIndex(({ kind }) => kind === 'missing');
    return isMulti ? collapseList(rows, condition, missing) : collapsePartition(rows, condition);
  };
  return (kept, conditions) =>
    conditions.length === 0
      ? published(table, kept)
      : conditions
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

const published = ({ threshold, total, blocks }: ReleasedTable, kept: readonly number[]): Margin => {
  const levels = kept.length === 0 ? Uint32Array.of(total) : blocks.get(blockKey(kept))!.levels;
  return {
    lower: Int32Array.from(levels, (level) => level * threshold),
    upper: Int32Array.from(levels, (level) => level * threshold + threshold - 1),
  };
};

/** How far apart the cells of a dimension are among those of some. */
export const strideOf = (
  all: readonly number[],
  dimension: number,
  { dimensions }: Pick<ReleasedTable, 'dimensions'>,
): number =>
  all
    .slice(all.indexOf(dimension) + 1)
    .reduce((product, later) => product * dimensions[later]!.cells.length, 1);

/** What two ways to the same margin say together. @throws TributaryError when they contradict each other */
const bothOf = (left: Margin, right: Margin): Margin => {
  const lower = left.lower.map((least, row) => Math.max(least, right.lower[row]!));
  const upper = left.upper.map((most, row) => Math.min(most, right.upper[row]!));
  if (lower.some((least, row) => least > upper[row]!)) throw inconsistent();
  return { lower, upper };
};
