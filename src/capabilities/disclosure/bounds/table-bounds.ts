import { difference, intersection, type Interval } from '../table/interval.ts';
import { blockKey, intervalOf } from '../table/released-table.ts';
import { blockRows, listBounds, pairOfLists, type ListRules } from './list-bounds.ts';
import type { Formula, Formulas } from './formula.ts';

/** Bounds of a formula directly from the cells of one block; null for a formula that no block covers. */
export type TableBounds = (formula: Formula) => Interval | null;

export interface TableRules extends ListRules {
  readonly formulas: Formulas;
}

/** After reading more cells for one query, no more rules are applied: the bounds found so far stay valid. */
export const maxCells = 65_536;

/** After this many cells of one formula, rows are no longer divided. */
const maxDivided = 16 * maxCells;

/** The rules of a table's blocks. */
export const tableBounds =
  (rules: TableRules): TableBounds =>
  (formula) => {
    const { dimensions, order, blocks } = rules.table;
    const used = [...formula.uses].sort((left, right) => left - right);
    const lists = used.filter((dimension) => dimensions[dimension]!.isMulti);
    const singles = used.filter((dimension) => !dimensions[dimension]!.isMulti);
    if (used.length > order || used.length === 0) return null;
    if (lists.length === 0 || lists.length === 1) {
      if (!blocks.has(blockKey(used))) return null;
      const pairs = singles.length === 0 ? pairOfLists(formula, rules) : null;
      const found = pairs === null ? [] : [pairs];
      let cells = 0;
      const counted = {
        ...rules,
        read: (more: number): void => {
          cells += more;
          rules.read(more);
        },
        isDivided: () => cells < maxDivided,
      };
      // limited by what this formula alone reads, as its bounds are kept for other queries
      for (const path of orderings(singles)) if (cells < maxCells) found.push(tree(formula, path, counted));
      return found.reduce(intersection);
    }
    return lists.length === 2 && singles.length === 0 ? pairOfLists(formula, rules) : null;
  };

const orderings = (items: readonly number[]): number[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item) =>
        orderings(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

/** How many units of a branch satisfy a formula, and how many do not. */
interface Split {
  readonly held: Interval;
  readonly failed: Interval;
}

/**
 * Dimension after dimension, all of whose units have one cell each: the cells where the formula holds and those where
 * it does not partition their row, so that each side is at most the row without the least of the other:
 *
 *   upper = sum over rows of min(sum of U in f, U of the row - sum of L not in f)
 *   lower = sum over rows of max(sum of L in f, L of the row - sum of U not in f)
 *
 * A row that holds or fails as a whole is not divided. At the end of the path a list may be left.
 */
const tree = (
  formula: Formula,
  path: readonly number[],
  rules: TableRules & { readonly isDivided: () => boolean },
): Interval => {
  const { table, formulas, read, isDivided } = rules;
  const steps = path.map((_, depth) => blockRows(path.slice(0, depth + 1), table));
  const split = (rest: Formula, cells: readonly number[], row: Interval): Split => {
    if (rest.kind === 'constant')
      return rest.value ? { held: row, failed: nothing } : { held: nothing, failed: row };
    const step = steps[cells.length];
    if (step === undefined) {
      const held = listBounds(rest, path, cells, row, rules);
      return { held, failed: difference(row, held) };
    }
    if (!isDivided()) return { held: { ...row, lower: 0 }, failed: { ...row, lower: 0 } };
    read(step.size);
    let [heldLower, heldUpper, failedLower, failedUpper] = [0, 0, 0, 0];
    for (let cell = 0; cell < step.size; cell += 1) {
      const index = step.indexOf([...cells, cell]);
      const part = intervalOf(step.levels[index]!, table.threshold);
      const { held, failed } = split(
        formulas.conditionedOn(rest, step.dimension, cell),
        [...cells, cell],
        part,
      );
      heldLower += held.lower;
      heldUpper += held.upper;
      failedLower += failed.lower;
      failedUpper += failed.upper;
    }
    const held = intersection(
      { lower: heldLower, upper: heldUpper },
      { lower: row.lower - failedUpper, upper: row.upper - failedLower },
    );
    return { held, failed: intersection({ lower: failedLower, upper: failedUpper }, difference(row, held)) };
  };
  return split(formula, [], intervalOf(table.total, table.threshold)).held;
};

const nothing: Interval = { lower: 0, upper: 0 };
