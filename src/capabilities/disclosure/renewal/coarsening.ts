import { isDeepStrictEqual } from 'node:util';
import { cellFinder } from '../cells/cell.ts';
import type { Dimension, DimensionCell } from '../table/released-table.ts';

/** A dimension of two tables, with the cells that both can be compared by. */
export interface CommonDimension {
  readonly fieldName: string;
  /** Whether a unit of either table can be in several of its cells. */
  readonly isMulti: boolean;
  readonly before: CoarseCells;
  readonly now: CoarseCells;
}

/** A dimension of one table: its position, and the class that each of its cells is in. */
export interface CoarseCells {
  readonly position: number;
  readonly classOf: readonly number[];
}

/**
 * The common coarsening of two tables: the finest classes of values such that each cell of either table is part of one.
 * Dimensions that one table lacks are summed over. Cells that may have a value in common, such as two patterns, are in one
 * class.
 */
export const commonCoarsening = (
  before: readonly Dimension[],
  now: readonly Dimension[],
): readonly CommonDimension[] =>
  before.flatMap(({ fieldName, cells, isMulti }, position) => {
    const other = now.findIndex((one) => one.fieldName === fieldName);
    if (other < 0) return [];
    const [old, next] = classesOf(cells, now[other]!.cells);
    return [
      {
        fieldName,
        isMulti: isMulti || now[other]!.isMulti,
        before: { position, classOf: old },
        now: { position: other, classOf: next },
      },
    ];
  });

type Cells = readonly DimensionCell[];

const classesOf = (before: Cells, now: Cells): readonly [readonly number[], readonly number[]] => {
  if (isDeepStrictEqual(before, now)) return [[...before.keys()], [...now.keys()]];
  const parent = [...before, ...now].map((_, index) => index);
  const rootOf = (index: number): number => (parent[index] === index ? index : rootOf(parent[index]!));
  const join = (old: number, next: number): void => {
    if (old >= 0 && next >= 0) parent[rootOf(old)] = rootOf(before.length + next);
  };
  before.forEach((old, index) =>
    now.forEach((next, other) => {
      if (mayShare(old, next, before, now)) join(index, other);
    }),
  );
  const [findBefore, findNow] = [cellFinder(before, null), cellFinder(now, null)];
  for (const cell of [...before, ...now])
    if (cell.kind === 'value') join(findBefore(cell.value), findNow(cell.value));
  const classes = parent.map((_, index) => rootOf(index));
  return [classes.slice(0, before.length), classes.slice(before.length)];
};

/** Whether values that neither table lists may be in both cells. */
const mayShare = (old: DimensionCell, next: DimensionCell, before: Cells, now: Cells): boolean => {
  if (old.kind === 'missing' || next.kind === 'missing') return old.kind === next.kind;
  if (old.kind === 'value' || next.kind === 'value') return false;
  if (old.kind === 'range' && next.kind === 'range')
    return (
      Math.max(old.from ?? -Infinity, next.from ?? -Infinity) <
      Math.min(old.to ?? Infinity, next.to ?? Infinity)
    );
  if (old.kind === 'pattern' && next.kind === 'pattern')
    return old.pattern === next.pattern || startsAlike(old.pattern, next.pattern);
  if (old.kind === 'pattern' && next.kind === 'other') return !hasPattern(now, old.pattern);
  if (old.kind === 'other' && next.kind === 'pattern') return !hasPattern(before, next.pattern);
  return true;
};

const hasPattern = (cells: Cells, pattern: string): boolean =>
  cells.some((cell) => cell.kind === 'pattern' && cell.pattern === pattern);

/** Whether one value can begin with both texts before the `*`. */
const startsAlike = (left: string, right: string): boolean => {
  const [one, other] = [left, right].map((pattern) => pattern.replace(/\*$/, ''));
  return one!.startsWith(other!) || other!.startsWith(one!);
};
