import type { Interval } from '../table/interval.ts';
import { strideOf, type ReleasedTable } from '../table/released-table.ts';
import { levelsOf, type Margin, type Margins } from './margins.ts';
import type { Condition } from './condition.ts';

/** Bounds for one cell of each condition; not for conditions with several cells. */
export type BoundsAt = (at: readonly number[]) => Interval;

interface SubsetRules {
  readonly table: ReleasedTable;
  readonly margins: Margins;
  readonly whole: Interval;
}

/**
 * The margin of a subset, or the block that equals it, and the distance between its cells for each condition that fixes
 * one cell.
 */
interface Covered {
  readonly margin: Margin | Uint32Array;
  readonly strides: readonly number[];
}

/**
 * Bounds of a conjunction from its subsets: their margins, and `narrow` of those that no block covers.
 * @param fixed the conditions that fix one cell
 */
export const subsetBounds = (
  conditions: readonly Condition[],
  fixed: readonly number[],
  rules: SubsetRules,
): BoundsAt => {
  const { table, whole } = rules;
  const all = 2 ** conditions.length - 1;
  const covered = Array.from({ length: all + 1 }, (_, subset) =>
    subset === 0 || bitsOf(subset) > table.order ? null : coveredBy(subset, conditions, fixed, rules),
  );
  const [lower, upper] = [new Int32Array(all + 1), new Int32Array(all + 1)];
  return (at) => {
    [lower[0], upper[0]] = [whole.lower, whole.upper];
    for (let subset = 1; subset <= all; subset += 1) {
      const known = covered[subset]!;
      [lower[subset], upper[subset]] = [0, whole.upper];
      if (known !== null) {
        let row = 0;
        for (let index = 0; index < fixed.length; index += 1)
          row += at[fixed[index]!]! * known.strides[index]!;
        const { margin } = known;
        if (margin instanceof Uint32Array) {
          lower[subset] = margin[row]! * table.threshold;
          upper[subset] = lower[subset]! + table.threshold - 1;
        } else {
          lower[subset] = margin.lower[row]!;
          upper[subset] = margin.upper[row]!;
        }
      }
      if (known === null) narrow(subset, lower, upper);
    }
    return { lower: lower[all]!, upper: upper[all]! };
  };
};

const coveredBy = (
  subset: number,
  conditions: readonly Condition[],
  fixed: readonly number[],
  { table, margins }: SubsetRules,
): Covered => {
  const has = (index: number): boolean => ((subset >> index) & 1) === 1;
  const kept = fixed
    .filter(has)
    .map((index) => conditions[index]!.dimension)
    .sort((left, right) => left - right);
  const others = conditions.filter((_, index) => has(index) && !fixed.includes(index));
  return {
    margin: others.length === 0 ? levelsOf(table, kept) : margins(kept, others),
    strides: fixed.map((index) => (has(index) ? strideOf(kept, conditions[index]!.dimension, table) : 0)),
  };
};

/**
 * Narrows the bounds of one subset of the parts of a conjunction, each named by bits, by those of smaller ones:
 *
 *   upper(M) = min over M less one part
 *   lower(M) = max over A + B + C = M of lower(AC) + lower(BC) - upper(C)
 *
 * (Bonferroni within C: the units in both AC and BC lie in C, where they overlap at least by what does not fit.
 * With C empty it is Fréchet's bound.)
 */
export const narrow = (subset: number, lower: Int32Array, upper: Int32Array): void => {
  let [least, most] = [lower[subset]!, upper[subset]!];
  for (let bit = 1; bit <= subset; bit <<= 1) if (subset & bit) most = Math.min(most, upper[subset & ~bit]!);
  // AC: a proper subset; BC: the parts it lacks, and some of its own
  for (let left = (subset - 1) & subset; left > 0; left = (left - 1) & subset) {
    const leftLower = lower[left]!;
    if (leftLower <= least) continue;
    const lacking = subset & ~left;
    for (let shared = (left - 1) & left; ; shared = (shared - 1) & left) {
      least = Math.max(least, leftLower + lower[lacking | shared]! - upper[shared]!);
      if (shared === 0) break;
    }
  }
  lower[subset] = least;
  upper[subset] = most;
};

const bitsOf = (subset: number): number => {
  let bits = 0;
  for (let rest = subset; rest > 0; rest &= rest - 1) bits += 1;
  return bits;
};
