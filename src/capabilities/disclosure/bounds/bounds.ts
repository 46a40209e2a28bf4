import { difference, intersection, sumOf, groupBounds, type Interval } from '../table/interval.ts';
import { intervalOf, type ReleasedTable } from '../table/released-table.ts';
import { formulasOver, shapesOf, type Formula, type Formulas } from './formula.ts';
import { selectionsOver } from './selections.ts';
import { narrow } from './subset-bounds.ts';
import { maxCells, tableBounds } from './table-bounds.ts';

/** The bounds of the number of units that satisfy a formula. */
export type Bounds = (formula: Formula) => Interval;

/** The cost of a step in addition to the cells it reads. */
const cellsOfStep = 16;

/**
 * The bounds of formulas over a released table, by arithmetic on its intervals alone.
 *
 *   B(f) = [0, T], intersected with all that applies:
 *     conditions on different dimensions: the margins of their subsets  (selections.ts)
 *     what the cells of a block say of it                             (table-bounds.ts)
 *     and:   each part, every subset that a block covers, Bonferroni  (conjunctionBounds)
 *     or:    the largest part, the sum of all; as not(and(not ..))
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
    (formula.uses.size <= table.order ? selections(formula) : null) ?? (left > 0 ? ofBlock(formula) : null);

  // for one query: a formula and its complement may each lead to the other's parts
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
    return intersection(groupBounds('or', each, whole), difference(whole, neither));
  };

  /** For each dimension in which every unit has one cell: the sum over its cells, each of which leaves less undetermined. */
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

/** The limit on remembered bounds of a table. */
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
  /** Bounds from the cells of one block; null if no block covers the formula. */
  readonly fromBlock: (formula: Formula) => Interval | null;
  /** Bounds of one part by all rules except pivots. */
  readonly part: (formula: Formula) => Interval;
  /** All units. */
  readonly whole: Interval;
}

/** For a conjunction of more parts, the first ones are bounded together, the others one by one. */
const maxParts = 6;

/** Bounds of a conjunction that no single block covers: of each subset of its parts that one does, and `narrow`. */
const conjunctionBounds = (
  parts: readonly Formula[],
  { and, fromBlock, part, whole }: ConjunctionRules,
): Interval => {
  const each = parts.map(part);
  const simple = groupBounds('and', each, whole);
  const few = parts.slice(0, maxParts);
  const all = 2 ** few.length - 1;
  const [lower, upper] = [new Int32Array(all + 1), new Int32Array(all + 1)];
  [lower[0], upper[0]] = [whole.lower, whole.upper];
  for (let subset = 1; subset <= all; subset += 1) {
    const single = Math.log2(subset);
    const known = Number.isInteger(single)
      ? each[single]!
      : fromBlock(and(few.filter((_, index) => (subset >> index) & 1)));
    [lower[subset], upper[subset]] = known === null ? [0, whole.upper] : [known.lower, known.upper];
    if (known === null) narrow(subset, lower, upper);
  }
  const first = { lower: lower[all]!, upper: upper[all]! };
  const rest = each.slice(maxParts);
  const joined = rest.length === 0 ? first : groupBounds('and', [first, ...rest], whole);
  return { lower: Math.max(simple.lower, joined.lower), upper: Math.min(simple.upper, joined.upper) };
};
