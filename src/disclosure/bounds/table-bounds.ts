import type { Interval } from '../table/interval.ts';
import { difference, intersection, sumOf } from '../table/interval.ts';
import type { Block, ReleasedTable } from '../table/released-table.ts';
import { blockKey, intervalOf } from '../table/released-table.ts';
import type { CellsFormula, Formula, Formulas } from './formula.ts';

/** Bounds that the cells of one block say directly of a formula; null for a formula that no block covers. */
export type TableBounds = (formula: Formula) => Interval | null;

export interface TableRules {
  readonly table: ReleasedTable;
  readonly formulas: Formulas;
  /** Called with the number of cells read. */
  readonly read: (cells: number) => void;
}

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
      const found = orderings(singles).map((path) => tree(formula, path, rules));
      const pairs = singles.length === 0 ? pairOfLists(formula, rules) : null;
      return (pairs === null ? found : [...found, pairs]).reduce(intersection);
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
const tree = (formula: Formula, path: readonly number[], rules: TableRules): Interval => {
  const { table, formulas, read } = rules;
  const steps = path.map((_, depth) => placing(path.slice(0, depth + 1), table));
  const conditions = conditionsOn(formula, path);
  if (conditions !== null) return conjunctionTree(conditions, steps, rules);
  const split = (rest: Formula, cells: readonly number[], row: Interval): Split => {
    if (rest.kind === 'constant')
      return rest.value ? { held: row, failed: nothing } : { held: nothing, failed: row };
    const step = steps[cells.length];
    if (step === undefined) {
      const held = listBounds(rest, path, cells, row, rules);
      return { held, failed: difference(row, held) };
    }
    read(step.size);
    let [heldLower, heldUpper, failedLower, failedUpper] = [0, 0, 0, 0];
    for (let cell = 0; cell < step.size; cell += 1) {
      const place = step.place([...cells, cell]);
      const part = intervalOf(step.levels[place]!, table.threshold);
      const { held, failed } = split(formulas.given(rest, step.dimension, cell), [...cells, cell], part);
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

/** The cells wanted of each dimension of the path, if the formula is one condition on each; null for any other. */
const conditionsOn = (formula: Formula, path: readonly number[]): readonly Uint8Array[] | null => {
  const parts = formula.kind === 'and' ? formula.of : [formula];
  if (parts.length !== path.length) return null;
  const found = path.map((dimension) =>
    parts.find((part) => part.kind === 'in' && part.dimension === dimension),
  );
  if (found.includes(undefined)) return null;
  return found.map((part) => {
    const { cells } = part as CellsFormula;
    const wanted = new Uint8Array(cells.at(-1)! + 1);
    for (const cell of cells) wanted[cell] = 1;
    return wanted;
  });
};

type Step = ReturnType<typeof placing>;

/** The same for conjunctions of one condition on each dimension, which are nearly all that portals ask, in numbers. */
const conjunctionTree = (
  conditions: readonly Uint8Array[],
  steps: readonly Step[],
  { table: { threshold, total }, read }: TableRules,
): Interval => {
  const widest = threshold - 1;
  // of each depth: least and most that satisfy the conditions, least and most that do not
  const sums = steps.map(() => new Float64Array(4));
  const visit = (depth: number, start: number, level: number): void => {
    const { size, strides, levels } = steps[depth]!;
    const wanted = conditions[depth]!;
    const own = sums[depth]!.fill(0);
    const below = sums[depth + 1];
    read(size);
    for (let cell = 0; cell < size; cell += 1) {
      const part = levels[start + cell * strides[depth]!]!;
      if (wanted[cell] !== 1) {
        own[2]! += part * threshold;
        own[3]! += part * threshold + widest;
      } else if (below === undefined) {
        own[0]! += part * threshold;
        own[1]! += part * threshold + widest;
      } else {
        visit(depth + 1, placeBelow(depth + 1, cell), part);
        for (let sum = 0; sum < 4; sum += 1) own[sum]! += below[sum]!;
      }
    }
    const [least, most] = [level * threshold, level * threshold + widest];
    own[0] = Math.max(own[0]!, least - own[3]!);
    own[1] = Math.min(own[1]!, most - own[2]!);
    own[2] = Math.max(own[2]!, least - own[1]);
    own[3] = Math.min(own[3]!, most - own[0]);
  };
  const at: number[] = [];
  /** Where the cells of a depth start, below the cell chosen above it: blocks differ in how they are laid out. */
  const placeBelow = (depth: number, cell: number): number => {
    at[depth - 1] = cell;
    let place = 0;
    for (let above = 0; above < depth; above += 1) place += at[above]! * steps[depth]!.strides[above]!;
    return place;
  };
  visit(0, 0, total);
  const [lower, upper] = sums[0]! as unknown as [number, number];
  return intersection({ lower, upper }, { lower: 0, upper });
};

const nothing: Interval = { lower: 0, upper: 0 };

/** Where the cells of some dimensions, in this order, are in their block. */
const placing = (path: readonly number[], { blocks, dimensions }: ReleasedTable) => {
  const sorted = path.toSorted((left, right) => left - right);
  const { levels, sizes } = blocks.get(blockKey(sorted))!;
  const strides = path.map((dimension) =>
    sizes.slice(sorted.indexOf(dimension) + 1).reduce((product, size) => product * size, 1),
  );
  const dimension = path.at(-1)!;
  return {
    levels,
    strides,
    dimension,
    size: dimensions[dimension]!.cells.length,
    place: (cells: readonly number[]): number =>
      cells.reduce((sum, cell, depth) => sum + cell * strides[depth]!, 0),
  };
};

/** The units of a row that satisfy a formula about one list. */
const listBounds = (
  formula: Formula,
  path: readonly number[],
  cells: readonly number[],
  row: Interval,
  rules: TableRules,
): Interval => {
  switch (formula.kind) {
    case 'in':
      return listIn(formula, path, cells, row, rules);
    case 'not':
      return difference(row, listIn(formula.of, path, cells, row, rules));
    case 'and':
    case 'or':
      return groupBounds(
        formula.kind,
        formula.of.map((part) => listBounds(part, path, cells, row, rules)),
        row,
      );
    case 'constant':
      return formula.value ? row : nothing;
  }
};

/** What the parts' own bounds say of their conjunction or disjunction (Fréchet). */
export const groupBounds = (op: 'and' | 'or', parts: readonly Interval[], whole: Interval): Interval => {
  const sum = sumOf(parts);
  if (op === 'or')
    return {
      lower: Math.max(...parts.map(({ lower }) => lower)),
      upper: Math.min(whole.upper, sum.upper),
    };
  return {
    lower: Math.max(0, sum.lower - (parts.length - 1) * whole.upper),
    upper: Math.min(whole.upper, ...parts.map(({ upper }) => upper)),
  };
};

/**
 * The units of a row with some of the values of a list. Values overlap, so a list is a cover and never a partition:
 * there are at least as many units as have the most frequent value, and at most the sum over all. Only units without a
 * value are apart from the others.
 */
const listIn = (
  { dimension, cells: wanted }: CellsFormula,
  path: readonly number[],
  cells: readonly number[],
  row: Interval,
  { table, read }: TableRules,
): Interval => {
  const { levels, size, place } = placing([...path, dimension], table);
  read(size);
  const all = Array.from({ length: size }, (_, cell) =>
    intervalOf(levels[place([...cells, cell])]!, table.threshold),
  );
  const missing = table.dimensions[dimension]!.cells.findIndex(({ kind }) => kind === 'missing');
  const values = wanted.filter((cell) => cell !== missing);
  const empty = missing < 0 ? nothing : all[missing]!;
  const without = wanted.includes(missing) ? nothing : empty;
  const apart = wanted.includes(missing) ? empty : nothing;
  const others = all.filter((_, cell) => cell !== missing && !wanted.includes(cell));
  const pairs = path.length === 0 ? table.blocks.get(blockKey([dimension, dimension])) : undefined;
  const union = unionOf(values, all, pairs, table.threshold);
  return intersection(
    { lower: apart.lower + union.lower, upper: apart.upper + union.upper },
    { lower: row.lower - without.upper - sumOf(others).upper, upper: row.upper - without.lower },
  );
};

/**
 * The union of overlapping groups. With the pairs: at least the sum less all overlaps, over any selection of values
 * (chosen greedily); at most the sum less the overlaps along a spanning tree (Hunter 1976), the heaviest one.
 */
const unionOf = (
  values: readonly number[],
  all: readonly Interval[],
  pairs: Block | undefined,
  threshold: number,
): Interval => {
  const groups = values.map((value) => all[value]!);
  const lower = Math.max(0, ...groups.map((group) => group.lower));
  const upper = sumOf(groups).upper;
  if (pairs === undefined || values.length < 2) return { lower, upper };
  const [size] = pairs.sizes as [number];
  const overlap = (left: number, right: number): Interval =>
    intervalOf(pairs.levels[left * size + right]!, threshold);
  return {
    lower: Math.max(lower, greedyLower(values, all, overlap)),
    upper: Math.max(0, upper - spanningTree(values, (left, right) => overlap(left, right).lower)),
  };
};

type Overlap = (left: number, right: number) => Interval;

const greedyLower = (values: readonly number[], all: readonly Interval[], overlap: Overlap): number => {
  const chosen: number[] = [];
  let sum = 0;
  for (const value of values.toSorted((left, right) => all[right]!.lower - all[left]!.lower)) {
    const shared = chosen.reduce((total, other) => total + overlap(value, other).upper, 0);
    if (all[value]!.lower <= shared) continue;
    sum += all[value]!.lower - shared;
    chosen.push(value);
  }
  return sum;
};

/** The weight of a heaviest spanning tree (Prim). */
const spanningTree = (nodes: readonly number[], weight: (left: number, right: number) => number): number => {
  const [first, ...rest] = nodes as [number, ...number[]];
  const best = new Map(rest.map((node) => [node, weight(first, node)]));
  let sum = 0;
  while (best.size > 0) {
    const [node, heaviest] = [...best].reduce((found, entry) => (entry[1] > found[1] ? entry : found));
    sum += heaviest;
    best.delete(node);
    for (const [other, known] of best) best.set(other, Math.max(known, weight(node, other)));
  }
  return sum;
};

/**
 * A value of one list and a value of another: at least the most frequent pair, at most their sum, and what each list
 * says. Two conditions on one list are such a pair too, not the intersection of their values; there, a value with itself
 * is the value.
 */
const pairOfLists = (formula: Formula, rules: TableRules): Interval | null => {
  const { table, read } = rules;
  const [left, right] = twoLists(formula) ?? [];
  if (left === undefined || right === undefined) return null;
  const block = table.blocks.get(blockKey([left.dimension, right.dimension]));
  if (block === undefined) return null;
  const size = block.sizes[1]!;
  read(left.cells.length * right.cells.length);
  const all = left.cells.flatMap((first) =>
    right.cells.map((second) => intervalOf(block.levels[first * size + second]!, table.threshold)),
  );
  const whole = intervalOf(table.total, table.threshold);
  const each = [left, right].map((part) => listIn(part, [], [], whole, rules));
  return intersection(
    { lower: Math.max(...all.map(({ lower }) => lower)), upper: sumOf(all).upper },
    groupBounds('and', each, whole),
  );
};

const twoLists = (formula: Formula): readonly CellsFormula[] | null => {
  if (formula.kind !== 'and' || formula.of.length !== 2) return null;
  const parts = formula.of.flatMap((part) => (part.kind === 'in' ? [part] : []));
  return parts.length === 2 ? parts.toSorted((left, right) => left.dimension - right.dimension) : null;
};
