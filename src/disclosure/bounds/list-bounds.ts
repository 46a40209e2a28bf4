import type { Interval } from '../table/interval.ts';
import { difference, intersection, sumOf } from '../table/interval.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { blockKey, intervalOf } from '../table/released-table.ts';
import { blockRows } from './block-rows.ts';
import type { CellsFormula, Formula } from './formula.ts';
import { groupBounds } from './group-bounds.ts';
import { unionBounds } from './union-bounds.ts';

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
 * The units of a row with some of the values of a list. Values overlap, so a list is a cover and never a partition:
 * there are at least as many units as have the most frequent value, and at most the sum over all. Only units without a
 * value are apart from the others.
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
 * A value of one list and a value of another: at least the most frequent pair, at most their sum, and what each list
 * says. Two conditions on one list are such a pair too, not the intersection of their values; there, a value with itself
 * is the value.
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
