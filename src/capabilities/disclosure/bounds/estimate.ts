import type { Interval } from '../table/interval.ts';
import { blockKey, intervalOf, strideOf, type ReleasedTable } from '../table/released-table.ts';
import { conditionsFrom, type Condition } from './condition.ts';
import { formulasOver, shapesOf, type Formula } from './formula.ts';
import { keptMargins, type MarginsOf } from './margins.ts';

/**
 * Estimates how many units satisfy a formula, within its bounds: a guess from the release, never a count. Parts that no
 * block covers together are assumed to be independent.
 */
export type Estimate = (formula: Formula, bounds: Interval) => number;

/** The limit on remembered estimates of a table. */
const maxRemembered = 50_000;

/** Dimensions with more cells are not summed over for an estimate. */
const maxPivot = 32;

/** The estimator over a released table; it remembers estimates of formulas. */
export const estimateOver = (table: ReleasedTable): Estimate => {
  const formulas = formulasOver(shapesOf(table));
  const cells = cellEstimatesOf(table);
  const selections = selectionEstimateOver(table, cells);
  const conditionsOf = conditionsFrom(selections.forget);
  const [whole] = cells([]) as unknown as [number];
  const known = new Map<string, number>();
  const guess = (formula: Formula): number => {
    const before = known.get(formula.key);
    if (before !== undefined) return before;
    const made = guessAfresh(formula);
    if (known.size >= maxRemembered) known.clear();
    known.set(formula.key, made);
    return made;
  };
  const guessAfresh = (formula: Formula): number => {
    if (formula.kind === 'constant') return formula.value ? whole : 0;
    const conditions = conditionsOf(formula);
    if (conditions !== null) return selections.of(conditions);
    // a single part is a condition
    const { kind, of } = formula as Formula & { readonly kind: 'and' | 'or' };
    return (
      overCells(formula) ??
      (kind === 'and' ? independent(of.map(guess), whole) : whole - guess(formulas.not(formula)))
    );
  };
  const isPartition = (dimension: number): boolean => {
    const { isMulti, cells: own } = table.dimensions[dimension]!;
    return !isMulti && own.length <= maxPivot;
  };
  /** The sum over the cells of a dimension, each of which leaves less undetermined; null if there is no such dimension. */
  const overCells = (formula: Formula): number | null => {
    const pivot = [...formula.uses].find(
      (dimension) => isPartition(dimension) && !isFixed(formula, dimension),
    );
    if (pivot === undefined || formula.uses.size > table.order) return null;
    return table.dimensions[pivot]!.cells.reduce((sum, _, cell) => {
      const here = formulas.conditionedOn(formula, pivot, cell);
      return sum + guess(formulas.and([formulas.isIn(pivot, [cell]), here]));
    }, 0);
  };
  return (formula, { lower, upper }) => Math.round(Math.min(upper, Math.max(lower, guess(formula))));
};

/** Whether all relevant units are in one cell of a dimension. */
const isFixed = (formula: Formula, dimension: number): boolean =>
  formula.kind === 'and' &&
  formula.of.some((part) => part.kind === 'in' && part.dimension === dimension && part.cells.length === 1);

const independent = (counts: readonly number[], whole: number): number =>
  whole === 0 ? 0 : counts.reduce((product, count) => product * Math.min(1, count / whole), whole);

/** Estimated numbers of units in each cell of some dimensions, ascending, the last one fastest. */
export type CellEstimates = (dimensions: readonly number[]) => Float64Array;

/**
 * The midpoint of a cell's interval; for a hidden cell, the value expected from its margins under independence; for a
 * hidden cell of one dimension, an equal share of what the others leave.
 */
const cellEstimatesOf = ({ threshold, blocks, total }: ReleasedTable): CellEstimates => {
  const most = threshold - 1;
  const middle = (level: number): number => {
    const { lower, upper } = intervalOf(level, threshold);
    return (lower + upper) / 2;
  };
  const known = new Map<string, Float64Array>();
  const estimates: CellEstimates = (dimensions) => {
    const key = blockKey(dimensions);
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = estimatesOf(dimensions);
    // with three dimensions there are many, and they are summed up once
    if (dimensions.length < 3) known.set(key, made);
    return made;
  };
  const estimatesOf = (dimensions: readonly number[]): Float64Array => {
    if (dimensions.length === 0) return Float64Array.of(middle(total));
    const { levels, sizes } = blocks.get(blockKey(dimensions))!;
    if (dimensions.length === 1) return ofOneDimension(levels);
    const [first, last, shared] = [dimensions.slice(0, -1), dimensions.slice(1), dimensions.slice(1, -1)].map(
      estimates,
    ) as [Float64Array, Float64Array, Float64Array];
    const size = sizes.at(-1)!;
    const inner = sizes.slice(1, -1).reduce((product, length) => product * length, 1);
    return Float64Array.from(levels, (level, cell) => {
      if (level > 0) return middle(level);
      const row = Math.floor(cell / size);
      const between = shared[row % inner]!;
      return between === 0 ? 0 : Math.min(most, (first[row]! * last[cell % (inner * size)]!) / between);
    });
  };
  const ofOneDimension = (levels: Uint32Array): Float64Array => {
    const shown = levels.reduce((sum, level) => sum + (level > 0 ? middle(level) : 0), 0);
    const hidden = levels.filter((level) => level === 0).length;
    const share = Math.min(most, Math.max(0, (middle(total) - shown) / Math.max(1, hidden)));
    return Float64Array.from(levels, (level) => (level > 0 ? middle(level) : share));
  };
  return estimates;
};

/**
 * About how many units satisfy conditions on different dimensions:
 *
 *   within the order: the sum of the cells; values of a list overlap as if by chance
 *   beyond it: conditions are taken to be independent within each cell of a dimension, and the average is taken over the
 *     dimensions that can be used so; without one, they are independent altogether
 */
export type SelectionEstimate = (conditions: readonly Condition[]) => number;

/** The cells of larger blocks are not summed up for an estimate. */
const maxSummed = 262_144;

/** The estimator over a released table; `forget` drops its cache before ids of conditions are reused. */
const selectionEstimateOver = (
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
  const withinCells = (pivot: Condition, conditions: readonly Condition[]): number => {
    const rows = margins.of([pivot.dimension], []);
    const others = conditions.filter((one) => one !== pivot);
    return pivot.cells.reduce((sum, cell) => {
      const parts = others.map((one) => inCell(pivot.dimension, cell, one));
      return sum + independent(parts, rows[cell]!);
    }, 0);
  };
  /** A condition with one cell is a cell of the margin of its whole dimension: one walk for all buckets of a facet. */
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
      return pivots.reduce((sum, pivot) => sum + withinCells(pivot, conditions), 0) / pivots.length;
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
