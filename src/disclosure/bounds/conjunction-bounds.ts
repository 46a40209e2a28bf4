import { groupBounds, type Interval } from '../table/interval.ts';
import type { Formula, Formulas } from './formula.ts';

export interface ConjunctionRules extends Pick<Formulas, 'and'> {
  /** Bounds from the cells of one block; null where none covers the formula. */
  readonly fromBlock: (formula: Formula) => Interval | null;
  /** Bounds of one part by all rules but pivots. */
  readonly part: (formula: Formula) => Interval;
  /** All units. */
  readonly whole: Interval;
}

/** A conjunction of more parts is bounded by its first ones, the others one by one. */
const maxParts = 6;

/**
 * Bounds of a conjunction that no single block covers, from subsets of its parts, named by bits:
 *
 *   upper(M) = min over the subsets of M that a block covers
 *   lower(M) = max of 0 and, over A + B + C = M, lower(AC) + lower(BC) - upper(C)
 *
 * (Bonferroni within C: the units in both AC and BC lie in C, where they overlap at least by what does not fit.
 * With C empty it is Fréchet's bound.)
 */
export const conjunctionBounds = (parts: readonly Formula[], rules: ConjunctionRules): Interval => {
  const each = parts.map(rules.part);
  const simple = groupBounds('and', each, rules.whole);
  const few = parts.slice(0, maxParts);
  const subsets = subsetBounds(few, each, rules);
  const all = 2 ** few.length - 1;
  const rest = each.slice(maxParts);
  const first = { lower: subsets.lower(all), upper: subsets.upper(all) };
  const joined = rest.length === 0 ? first : groupBounds('and', [first, ...rest], rules.whole);
  return { lower: Math.max(simple.lower, joined.lower), upper: Math.min(simple.upper, joined.upper) };
};

/** The bounds of subsets of some parts. */
interface SubsetBounds {
  readonly lower: (subset: number) => number;
  readonly upper: (subset: number) => number;
}

const subsetBounds = (
  parts: readonly Formula[],
  each: readonly Interval[],
  { fromBlock, and, whole }: ConjunctionRules,
): SubsetBounds => {
  const chosen = (subset: number): Formula[] => parts.filter((_, index) => (subset >> index) & 1);
  const covered = memo((subset): Interval | null => {
    const single = Math.log2(subset);
    return Number.isInteger(single) ? each[single]! : fromBlock(and(chosen(subset)));
  });
  const upper = memo((subset): number => {
    if (subset === 0) return whole.upper;
    const known = covered(subset);
    if (known !== null) return known.upper;
    return Math.min(...singles(subset).map((part) => upper(subset & ~part)));
  });
  const lower = memo((subset): number => {
    if (subset === 0) return whole.lower;
    const known = covered(subset);
    if (known !== null) return known.lower;
    let best = 0;
    // AC: a proper subset that lacks at least one part; BC: those parts, and some of AC
    for (let left = (subset - 1) & subset; left > 0; left = (left - 1) & subset) {
      const lacking = subset & ~left;
      const leftLower = lower(left);
      if (leftLower === 0) continue;
      for (let shared = (left - 1) & left; ; shared = (shared - 1) & left) {
        best = Math.max(best, leftLower + lower(lacking | shared) - upper(shared));
        if (shared === 0) break;
      }
    }
    return best;
  });
  return { lower, upper };
};

const singles = (subset: number): number[] =>
  Array.from({ length: 32 - Math.clz32(subset) }, (_, index) => 1 << index).filter((part) => subset & part);

const memo = <Value>(make: (subset: number) => Value): ((subset: number) => Value) => {
  const known: Value[] = [];
  return (subset) => {
    if (!(subset in known)) known[subset] = make(subset);
    return known[subset]!;
  };
};
