import type { Interval } from '../table/interval.ts';
import { intersection } from '../table/interval.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import type { Condition } from './condition.ts';
import { groupBounds } from './group-bounds.ts';
import type { Margins } from './margins.ts';
import { subsetBounds, type BoundsAt } from './subset-bounds.ts';

/** Bounds of units that satisfy conditions on different dimensions. */
export type SelectionBounds = (conditions: readonly Condition[]) => Interval;

/** More conditions are bounded by the first ones and the others one by one. */
const maxParts = 6;

/** Plans of more selections than this are not kept. */
const maxPlans = 200;

export interface SelectionRules {
  readonly table: ReleasedTable;
  readonly margins: Margins;
  /** All units. */
  readonly whole: Interval;
  /** What is known of selections that differ in the cell of a facet only. */
  readonly plans: Map<string, BoundsAt>;
}

/**
 * Bounds of a conjunction of conditions on different dimensions:
 *
 *   what the margins of its subsets say                                             (subset-bounds.ts)
 *   pivot: the sum of that over the cells of a dimension of which every unit has one cell
 */
export const selectionBoundsOver = (rules: SelectionRules): SelectionBounds => {
  const joint = (conditions: readonly Condition[]): Interval => {
    const name = conditions.map((one) => (isOneCell(one) ? `d${one.dimension}` : one.id)).join();
    let plan = rules.plans.get(name);
    if (plan === undefined) {
      plan = planned(conditions, rules);
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

/** The bounds of selections with these conditions, whatever the cells of those with one cell only. */
const planned = (conditions: readonly Condition[], rules: SelectionRules): BoundsAt => {
  const { dimensions, order } = rules.table;
  const fixed = conditions.flatMap((one, index) => (isOneCell(one) ? [index] : []));
  const base = subsetBounds(conditions, fixed, rules);
  // within the order, margins are such sums already
  if (conditions.length <= order) return base;
  const pivots = [...conditions.keys()].filter(
    (index) => !fixed.includes(index) && !dimensions[conditions[index]!.dimension]!.isMulti,
  );
  const sums = pivots.map((index) =>
    sumOverCells(conditions, index, subsetBounds(conditions, [...fixed, index], rules)),
  );
  return (at) => sums.reduce((bounds, sum) => intersection(bounds, sum(at)), base(at));
};

const sumOverCells =
  (conditions: readonly Condition[], pivot: number, bounds: BoundsAt): BoundsAt =>
  (given) => {
    const at = [...given];
    let [lower, upper] = [0, 0];
    for (const cell of conditions[pivot]!.cells) {
      at[pivot] = cell;
      const here = bounds(at);
      lower += here.lower;
      upper += here.upper;
    }
    return { lower, upper };
  };
