import type { Interval } from '../table/interval.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { cellEstimatesOf } from './cell-estimates.ts';
import { conditionsFrom } from './condition.ts';
import type { Formula } from './formula.ts';
import { formulasOver } from './formula.ts';
import { selectionEstimateOver } from './selection-estimate.ts';
import { shapesOf } from './shapes.ts';

/**
 * About how many units satisfy a formula, within its bounds: a guess from the release, never a count. Parts that no
 * block covers together are taken to be independent.
 */
export type Estimate = (formula: Formula, bounds: Interval) => number;

/** What is kept in memory of a table. */
const maxRemembered = 50_000;

/** A dimension with more cells is not summed over for a guess. */
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
  /** The sum over the cells of a dimension, in each of which less is open; null without one. */
  const overCells = (formula: Formula): number | null => {
    const pivot = [...formula.uses].find(
      (dimension) => isPartition(dimension) && !isFixed(formula, dimension),
    );
    if (pivot === undefined || formula.uses.size > table.order) return null;
    return table.dimensions[pivot]!.cells.reduce((sum, _, cell) => {
      const here = formulas.given(formula, pivot, cell);
      return sum + guess(formulas.and([formulas.isIn(pivot, [cell]), here]));
    }, 0);
  };
  return (formula, { lower, upper }) => Math.round(Math.min(upper, Math.max(lower, guess(formula))));
};

/** Whether all units in question are in one cell of a dimension. */
const isFixed = (formula: Formula, dimension: number): boolean =>
  formula.kind === 'and' &&
  formula.of.some((part) => part.kind === 'in' && part.dimension === dimension && part.cells.length === 1);

const independent = (counts: readonly number[], whole: number): number =>
  whole === 0 ? 0 : counts.reduce((product, count) => product * Math.min(1, count / whole), whole);
