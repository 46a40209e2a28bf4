import type { ReleasedTable } from '../table/released-table.ts';
import type { CellEstimates } from './cell-estimates.ts';
import type { Condition } from './condition.ts';
import { keptMargins, type MarginsOf } from './kept-margins.ts';
import { strideOf } from './margins.ts';

/**
 * About how many units satisfy conditions on different dimensions:
 *
 *   within the order: the sum of the cells; values of a list overlap as if by chance
 *   beyond it: conditions are taken to be independent within each cell of a dimension, and the average is taken over the
 *     dimensions that can be used so; without one, they are independent altogether
 */
export type SelectionEstimate = (conditions: readonly Condition[]) => number;

/** The cells of more are not summed up for a guess. */
const maxSummed = 262_144;

/** The estimator over a released table; `forget` drops what it keeps, once ids of conditions are given out again. */
export const selectionEstimateOver = (
  table: ReleasedTable,
  cells: CellEstimates,
): { readonly of: SelectionEstimate; readonly forget: () => void } => {
  const made: MarginsOf<Float64Array> = (kept, conditions) => {
    const [last] = conditions.slice(-1);
    if (last === undefined) return cells(kept);
    const others = conditions.slice(0, -1);
    const all = [...kept, last.dimension].sort((left, right) => left - right);
    return summed(margins.of(all, others), margins.of(kept, others), last, table, all);
  };
  const margins = keptMargins(made, ({ length }) => length);
  const isPivot = ({ dimension, isNegated }: Condition): boolean =>
    !isNegated && !table.dimensions[dimension]!.isMulti;
  const sizeOf = (conditions: readonly Condition[]): number =>
    conditions.reduce((size, { dimension }) => size * table.dimensions[dimension]!.cells.length, 1);
  const ofCells = (conditions: readonly Condition[]): number => {
    const fixed = conditions.find(({ cells: own, isNegated }) => own.length === 1 && !isNegated);
    if (fixed === undefined) return margins.of([], conditions)[0]!;
    return margins.of(
      [fixed.dimension],
      conditions.filter((one) => one !== fixed),
    )[fixed.cells[0]!]!;
  };
  const within = (pivot: Condition, conditions: readonly Condition[]): number => {
    const rows = margins.of([pivot.dimension], []);
    const others = conditions.filter((one) => one !== pivot);
    return pivot.cells.reduce((sum, cell) => {
      const parts = others.map((one) => inCell(pivot.dimension, cell, one));
      return sum + independent(parts, rows[cell]!);
    }, 0);
  };
  /** A condition with one cell is a cell of the margin of all its dimension: one walk for all buckets of a facet. */
  const inCell = (dimension: number, cell: number, condition: Condition): number => {
    const { cells: own, isNegated } = condition;
    if (own.length !== 1 || isNegated) return margins.of([dimension], [condition])[cell]!;
    const all = [dimension, condition.dimension].sort((left, right) => left - right);
    const strides = all.map((one) => strideOf(all, one, table));
    const at = all.map((one) => (one === dimension ? cell : own[0]!));
    return margins.of(all, [])[at[0]! * strides[0]! + at[1]! * strides[1]!]!;
  };
  return {
    of: (conditions) => {
      if (conditions.length === 1 || (conditions.length <= table.order && sizeOf(conditions) <= maxSummed))
        return ofCells(conditions);
      const pivots = conditions.filter(isPivot);
      if (pivots.length === 0)
        return independent(
          conditions.map((one) => ofCells([one])),
          margins.of([], [])[0]!,
        );
      return pivots.reduce((sum, pivot) => sum + within(pivot, conditions), 0) / pivots.length;
    },
    forget: margins.forget,
  };
};

/** Each row's cells that a condition names, summed up. */
const summed = (
  cells: Float64Array,
  rows: Float64Array,
  { dimension, cells: wanted, isNegated }: Condition,
  table: ReleasedTable,
  all: readonly number[],
): Float64Array => {
  const stride = strideOf(all, dimension, table);
  const { isMulti, cells: own } = table.dimensions[dimension]!;
  return rows.map((whole, row) => {
    const start = Math.floor(row / stride) * stride * own.length + (row % stride);
    const parts = wanted.map((cell) => cells[start + cell * stride]!);
    const held = isMulti ? unionOf(parts, whole) : parts.reduce((sum, part) => sum + part, 0);
    return isNegated ? Math.max(0, whole - held) : held;
  });
};

/** Groups that overlap as if by chance. */
const unionOf = (counts: readonly number[], whole: number): number =>
  whole === 0 ? 0 : whole * (1 - counts.reduce((none, count) => none * (1 - Math.min(1, count / whole)), 1));

const independent = (counts: readonly number[], whole: number): number =>
  whole === 0 ? 0 : counts.reduce((product, count) => product * Math.min(1, count / whole), whole);
