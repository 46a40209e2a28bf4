import { difference, intersection, sumOf, groupBounds, type Interval } from '../table/interval.ts';
import { blockKey, intervalOf, type ReleasedTable, type Block } from '../table/released-table.ts';
import type { CellsFormula, Formula } from './formula.ts';

export interface ListRules {
  readonly table: ReleasedTable;
  /** Called with the number of cells read. */
  readonly read: (cells: number) => void;
}

const nothing: Interval = { lower: 0, upper: 0 };

/** The units of a row that satisfy a formula about one list. */
export const listBounds = (
  formula: Formula,
  path: readonly number[],
  cells: readonly number[],
  row: Interval,
  rules: ListRules,
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

/**
 * The units of a row with some of the values of a list. Values overlap, so a list is a cover and never a partition: there
 * are at least as many units as have the most frequent value, and at most the sum over all. Only units without a value are
 * disjoint from the others.
 */
export const listIn = (
  { dimension, cells: wanted }: CellsFormula,
  path: readonly number[],
  cells: readonly number[],
  row: Interval,
  { table, read }: ListRules,
): Interval => {
  const { levels, size, indexOf } = blockRows([...path, dimension], table);
  read(size);
  const all = Array.from({ length: size }, (_, cell) =>
    intervalOf(levels[indexOf([...cells, cell])]!, table.threshold),
  );
  const missing = table.dimensions[dimension]!.cells.findIndex(({ kind }) => kind === 'missing');
  const values = wanted.filter((cell) => cell !== missing);
  const empty = missing < 0 ? nothing : all[missing]!;
  const without = wanted.includes(missing) ? nothing : empty;
  const apart = wanted.includes(missing) ? empty : nothing;
  const others = all.filter((_, cell) => cell !== missing && !wanted.includes(cell));
  const pairs = path.length === 0 ? table.blocks.get(blockKey([dimension, dimension])) : undefined;
  const union = unionBounds(values, all, pairs, table.threshold);
  return intersection(
    { lower: apart.lower + union.lower, upper: apart.upper + union.upper },
    { lower: row.lower - without.upper - sumOf(others).upper, upper: row.upper - without.lower },
  );
};

/**
 * A value of one list and a value of another: at least the most frequent pair, at most their sum, within the bounds of
 * each list. Two conditions on one list are such a pair too, not the intersection of their values; there, a value with
 * itself is the value.
 */
export const pairOfLists = (formula: Formula, rules: ListRules): Interval | null => {
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

/** The positions of the cells of some dimensions, in this order, in their block. */
export const blockRows = (path: readonly number[], { blocks, dimensions }: ReleasedTable) => {
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
    indexOf: (cells: readonly number[]): number =>
      cells.reduce((sum, cell, depth) => sum + cell * strides[depth]!, 0),
  };
};

/**
 * The union of overlapping groups. With the pairs: at least the sum less all overlaps, over any selection of values
 * (chosen greedily); at most the sum less the overlaps along a spanning tree (Hunter 1976), the heaviest one.
 */
const unionBounds = (
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
