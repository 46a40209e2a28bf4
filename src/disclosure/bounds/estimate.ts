import type { Interval } from '../table/interval.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { blockKey, intervalOf } from '../table/released-table.ts';
import type { Formula, Formulas } from './formula.ts';
import { formulasOver } from './formula.ts';
import { shapesOf } from './shapes.ts';

/**
 * About how many units satisfy a formula, within its bounds: a guess from the release, never a count. Parts are taken
 * to be independent within each cell of a dimension, and the average is taken over the dimensions that can be used so.
 */
export type Estimate = (formula: Formula, bounds: Interval) => number;

export const estimateOver = (table: ReleasedTable): Estimate => {
  const formulas = formulasOver(shapesOf(table));
  const cells = cellEstimates(table);
  const known = new Map<string, number>();
  const guess = (formula: Formula): number => {
    const before = known.get(formula.key);
    if (before !== undefined) return before;
    const made = guessAfresh(formula, { table, formulas, cells, guess });
    if (known.size >= maxRemembered) known.clear();
    known.set(formula.key, made);
    return made;
  };
  return (formula, { lower, upper }) => Math.round(Math.min(upper, Math.max(lower, guess(formula))));
};

const maxRemembered = 50_000;

interface Parts {
  readonly table: ReleasedTable;
  readonly formulas: Formulas;
  readonly cells: CellEstimate;
  readonly guess: (formula: Formula) => number;
}

const guessAfresh = (formula: Formula, parts: Parts): number => {
  const { table, formulas, guess } = parts;
  const whole = parts.cells([], []);
  const isList = (dimension: number): boolean => table.dimensions[dimension]!.isMulti;
  switch (formula.kind) {
    case 'constant':
      return formula.value ? whole : 0;
    case 'not':
      return whole - guess(formula.of);
    case 'or':
      if (formula.uses.size > table.order || [...formula.uses].some(isList))
        return whole - guess(formulas.and(formula.of.map(formulas.not)));
      break;
    case 'in':
      if (isList(formula.dimension))
        return unionOf(
          formula.cells.map((cell) => parts.cells([formula.dimension], [cell])),
          whole,
        );
      break;
    case 'and':
      break;
  }
  const used = [...formula.uses].sort((left, right) => left - right);
  if (used.length <= table.order && !used.some(isList)) return sumOfCells(formula, used, [], parts);
  return formula.kind === 'and' ? conjunction(formula.of, parts) : whole / 2;
};

/** Groups that overlap as if by chance. */
const unionOf = (counts: readonly number[], whole: number): number =>
  whole === 0 ? 0 : whole * (1 - counts.reduce((none, count) => none * (1 - Math.min(1, count / whole)), 1));

const sumOfCells = (
  formula: Formula,
  used: readonly number[],
  at: readonly number[],
  parts: Parts,
): number => {
  if (formula.kind === 'constant') return formula.value ? parts.cells(used.slice(0, at.length), at) : 0;
  const dimension = used[at.length]!;
  let sum = 0;
  for (let cell = 0; cell < parts.table.dimensions[dimension]!.cells.length; cell += 1)
    sum += sumOfCells(parts.formulas.given(formula, dimension, cell), used, [...at, cell], parts);
  return sum;
};

/** Parts that are independent given the cell of a dimension; with no such dimension, independent altogether. */
const conjunction = (of: readonly Formula[], parts: Parts): number => {
  const { table, guess, formulas } = parts;
  const whole = parts.cells([], []);
  const pivots = of.flatMap((part) =>
    part.kind === 'in' && !table.dimensions[part.dimension]!.isMulti ? [part] : [],
  );
  if (pivots.length === 0) return independent(of.map(guess), whole);
  const sums = pivots.map((pivot) => {
    const rest = of.filter((part) => part !== pivot);
    return pivot.cells.reduce((sum, cell) => {
      const here = formulas.isIn(pivot.dimension, [cell]);
      return (
        sum +
        independent(
          rest.map((part) => together(here, part, parts)),
          parts.cells([pivot.dimension], [cell]),
        )
      );
    }, 0);
  });
  return sums.reduce((sum, value) => sum + value, 0) / sums.length;
};

/** A cell and one other part. A list's part within a row: its values in that row. */
const together = (here: Formula & { readonly kind?: string }, part: Formula, parts: Parts): number => {
  const { table, formulas, guess } = parts;
  const joint = formulas.and([here, part]);
  const row = guess(here);
  const isList = part.kind === 'in' && table.dimensions[part.dimension]!.isMulti;
  if (!isList || here.kind !== 'in') {
    const used = [...joint.uses];
    const direct =
      used.length <= table.order && !used.some((dimension) => table.dimensions[dimension]!.isMulti);
    return direct ? guess(joint) : (row * guess(part)) / Math.max(1, parts.cells([], []));
  }
  const values = part.cells.map((cell) => {
    const pairs = [[here.dimension, here.cells[0]!] as const, [part.dimension, cell] as const];
    pairs.sort(([left], [right]) => left - right);
    return parts.cells(
      pairs.map(([dimension]) => dimension),
      pairs.map(([, at]) => at),
    );
  });
  return unionOf(values, row);
};

const independent = (counts: readonly number[], whole: number): number =>
  whole === 0 ? 0 : counts.reduce((product, count) => product * Math.min(1, count / whole), whole);

/** About how many units are in a cell of some dimensions. */
type CellEstimate = (dimensions: readonly number[], cells: readonly number[]) => number;

/**
 * The middle of a cell's interval; of a hidden one what independence makes of the cells above it, and of a hidden cell
 * of one dimension an equal share of what the others leave.
 */
const cellEstimates = (table: ReleasedTable): CellEstimate => {
  const { threshold, blocks } = table;
  const middle = (level: number): number => {
    const { lower, upper } = intervalOf(level, threshold);
    return (lower + upper) / 2;
  };
  const most = threshold - 1;
  const shares = new Map<number, number>();
  const share = (dimension: number): number => {
    const known = shares.get(dimension);
    if (known !== undefined) return known;
    const levels = [...blocks.get(blockKey([dimension]))!.levels];
    const shown = levels.filter((level) => level > 0).reduce((sum, level) => sum + middle(level), 0);
    const hidden = levels.filter((level) => level === 0).length;
    const made = Math.min(most, Math.max(0, (middle(table.total) - shown) / Math.max(1, hidden)));
    shares.set(dimension, made);
    return made;
  };
  const estimate: CellEstimate = (dimensions, cells) => {
    if (dimensions.length === 0) return middle(table.total);
    const { levels, sizes } = blocks.get(blockKey(dimensions))!;
    const level = levels[cells.reduce((place, cell, depth) => place * sizes[depth]! + cell, 0)]!;
    if (level > 0) return middle(level);
    if (dimensions.length === 1) return share(dimensions[0]!);
    const first = estimate(dimensions.slice(0, -1), cells.slice(0, -1));
    const last = estimate(dimensions.slice(1), cells.slice(1));
    const shared = estimate(dimensions.slice(1, -1), cells.slice(1, -1));
    return shared === 0 ? 0 : Math.min(most, (first * last) / shared);
  };
  return estimate;
};
