import { difference, groupBounds, type Interval } from '../table/interval.ts';
import { intervalOf, type ReleasedTable } from '../table/released-table.ts';
import { conditionsFrom, type Condition } from './condition.ts';
import type { CellsFormula, Formula } from './formula.ts';
import { listIn } from './list-bounds.ts';
import { keptMargins, newMargin, type Margins } from './margins.ts';
import { subsetBounds, type BoundsAt } from './subset-bounds.ts';

/** Larger blocks are not walked as a whole for one query. */
const maxBlock = 131_072;

/** The cost of a margin, in cells of the budget for one cell walked: most are walked once for many queries. */
const cellsPerRead = 8;

/**
 * The bounds of formulas that are conditions on different dimensions; null for all others.
 * @param read called with the cost of the query, regardless of what is remembered
 */
export const selectionsOver = (
  table: ReleasedTable,
  read: (cells: number) => void,
): ((formula: Formula) => Interval | null) => {
  const whole = intervalOf(table.total, table.threshold);
  const plans = new Map<string, BoundsAt>();
  const made: Margins = newMargin(
    table,
    (condition) => ofListAlone(condition, table, whole),
    () => margins.of,
  );
  const margins = keptMargins(
    made,
    ({ lower }) => lower.length,
    () => plans.clear(),
  );
  const conditionsOf = conditionsFrom(margins.forget);
  const bounds = selectionBoundsOver({ table, margins: margins.of, whole, plans });
  return (formula) => {
    const walked = largestBlock(formula, table);
    const conditions = walked > maxBlock ? null : conditionsOf(formula);
    if (conditions === null) return null;
    read(walked / cellsPerRead);
    return bounds(conditions);
  };
};

const largestBlock = ({ uses }: Formula, { dimensions, order }: ReleasedTable): number =>
  [...uses]
    .map((dimension) => dimensions[dimension]!.cells.length)
    .sort((left, right) => right - left)
    .slice(0, order)
    .reduce((product, size) => product * size, 1);

/** A single condition on a list whose pairs the release contains. */
const ofListAlone = (
  { dimension, cells, isNegated }: Condition,
  table: ReleasedTable,
  whole: Interval,
): Interval => {
  const formula = { kind: 'in', dimension, cells, key: '', uses: new Set() } as CellsFormula;
  const held = listIn(formula, [], [], whole, { table, read: () => undefined });
  return isNegated ? difference(whole, held) : held;
};

/** Bounds of units that satisfy conditions on different dimensions. */
export type SelectionBounds = (conditions: readonly Condition[]) => Interval;

/** For more conditions, the first ones are bounded together, and the others one by one. */
const maxParts = 6;

/** The maximum number of selections whose plans are kept. */
const maxPlans = 200;

export interface SelectionRules {
  readonly table: ReleasedTable;
  readonly margins: Margins;
  /** All units. */
  readonly whole: Interval;
  /** Bounds of selections that differ only in the cell of a facet. */
  readonly plans: Map<string, BoundsAt>;
}

/** Bounds of a conjunction of conditions on different dimensions, from the margins of its subsets. */
const selectionBoundsOver = (rules: SelectionRules): SelectionBounds => {
  const joint = (conditions: readonly Condition[]): Interval => {
    const name = conditions.map((one) => (isOneCell(one) ? `d${one.dimension}` : one.id)).join();
    let plan = rules.plans.get(name);
    if (plan === undefined) {
      const fixed = conditions.flatMap((one, index) => (isOneCell(one) ? [index] : []));
      plan = subsetBounds(conditions, fixed, rules);
      if (rules.plans.size >= maxPlans) rules.plans.clear();
      rules.plans.set(name, plan);
    }
    return plan(conditions.map(({ cells }) => cells[0]!));
  };
  return (conditions) => {
    const first = joint(conditions.slice(0, maxParts));
    const rest = conditions.slice(maxParts).map((one) => joint([one]));
    return rest.length === 0 ? first : groupBounds('and', [first, ...rest], rules.whole);
  };
};

const isOneCell = ({ cells, isNegated }: Condition): boolean => cells.length === 1 && !isNegated;
