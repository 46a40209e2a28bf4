import { difference, intersection, sumOf, groupBounds, type Interval } from '../table/interval.ts';
import { intervalOf, type ReleasedTable } from '../table/released-table.ts';
import { formulasOver, shapesOf, type Formula, type Formulas } from './formula.ts';
import { selectionsOver } from './selections.ts';
import { tableBounds } from './table-bounds.ts';

/** Where the number of units that satisfy a formula lies. */
export type Bounds = (formula: Formula) => Interval;

/** What a step costs besides the cells it reads. */
const cellsOfStep = 16;

/** Reading more cells than this for one question adds no more rules: what is known by then stays true. */
const maxCells = 65_536;

/**
 * The bounds of formulas over a released table, by arithmetic on its intervals alone.
 *
 *   B(f) = [0, T], intersected with all that applies:
 *     conditions on different dimensions: the margins of their subsets  (selection-bounds.ts)
 *     what the cells of a block say of it                             (table-bounds.ts)
 *     and:   each part, every subset that a block covers, Bonferroni  (conjunctionBounds)
 *     or:    the largest part, the sum of all; of two: the sum less the overlap; as not(and(not ..))
 *     pivot: the sum over the cells of a dimension of which every unit has one
 *
 * Each rule is true whenever every count of the release lies in its interval, and so is their intersection; the fewer
 * rules are applied, the wider it gets. The answer depends on the formula and the table only, not on what was queried
 * before: what is remembered counts as read again.
 */
export const boundsOver = (table: ReleasedTable): Bounds => {
  const formulas = formulasOver(shapesOf(table));
  const whole = intervalOf(table.total, table.threshold);
  let left = maxCells;
  const read = (cells: number): void => {
    left -= cells;
  };
  const selections = selectionsOver(table, read);
  const ofBlock = remembered(tableBounds({ table, formulas, read }), () => left, read);
  const fromBlock = (formula: Formula): Interval | null =>
    (formula.uses.size <= table.order ? selections(formula) : null) ?? ofBlock(formula);

  // of one question: a formula and its complement may each lead to the other's parts
  let found = new Map<string, Interval>();
  const bounds = (formula: Formula, mayPivot: boolean): Interval => {
    if (formula.kind === 'constant') return formula.value ? whole : { lower: 0, upper: 0 };
    const name = `${mayPivot ? 'pivots' : 'parts'} ${formula.key}`;
    const before = found.get(name);
    if (before !== undefined) return before;
    read(cellsOfStep);
    const made = left > 0 ? boundsAfresh(formula, mayPivot) : { lower: 0, upper: whole.upper };
    found.set(name, made);
    return made;
  };

  const boundsAfresh = (formula: Formula, mayPivot: boolean): Interval => {
    const selected = selections(formula);
    if (selected !== null) return selected;
    const known = ofBlock(formula);
    if (known !== null && formula.kind !== 'or') return known;
    const start = known ?? { lower: 0, upper: whole.upper };
    const rules = formula.kind === 'or' ? [union(formula.of, mayPivot)] : [];
    if (formula.kind === 'and')
      rules.push(
        conjunctionBounds(formula.of, { ...formulas, fromBlock, part: (part) => bounds(part, false), whole }),
      );
    if (mayPivot && known === null) rules.push(...pivots(formula));
    return rules.reduce(intersection, start);
  };

  const union = (parts: readonly Formula[], mayPivot: boolean): Interval => {
    const each = parts.map((part) => bounds(part, false));
    const neither = bounds(formulas.and(parts.map(formulas.not)), mayPivot);
    const rules = [groupBounds('or', each, whole), difference(whole, neither)];
    if (parts.length === 2) rules.push(lessOverlap(each, bounds(formulas.and(parts), mayPivot)));
    return rules.reduce(intersection);
  };

  /** For each dimension of which every unit has one cell: the sum over its cells, in each of which less is open. */
  const pivots = (formula: Formula): Interval[] =>
    [...formula.uses]
      .filter((dimension) => !table.dimensions[dimension]!.isMulti)
      .map((dimension) =>
        sumOf(
          table.dimensions[dimension]!.cells.map((_, cell) => {
            const here = formulas.conditionedOn(formula, dimension, cell);
            return bounds(formulas.and([formulas.isIn(dimension, [cell]), here]), false);
          }),
        ),
      );

  return (formula) => {
    left = maxCells;
    found = new Map();
    return bounds(formula, true);
  };
};

/** |A or B| = |A| + |B| - |A and B| */
const lessOverlap = (each: readonly Interval[], overlap: Interval): Interval => {
  const sum = sumOf(each);
  return { lower: sum.lower - overlap.upper, upper: sum.upper - overlap.lower };
};

/** What may be kept in memory of a table. */
const maxRemembered = 50_000;

const remembered = (
  bounds: (formula: Formula) => Interval | null,
  left: () => number,
  read: (cells: number) => void,
): ((formula: Formula) => Interval | null) => {
  const known = new Map<string, { readonly interval: Interval | null; readonly cells: number }>();
  return (formula) => {
    const found = known.get(formula.key);
    if (found !== undefined) {
      read(found.cells);
      return found.interval;
    }
    const before = left();
    const interval = bounds(formula);
    if (known.size >= maxRemembered) known.clear();
    known.set(formula.key, { interval, cells: before - left() });
    return interval;
  };
};

interface ConjunctionRules extends Pick<Formulas, 'and'> {
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
const conjunctionBounds = (parts: readonly Formula[], rules: ConjunctionRules): Interval => {
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
