import type { Block, Dimension, ReleasedTable } from './released-table.ts';
import { blockKey, combinations } from './released-table.ts';

/** For each unit the cells of one dimension that it is in. */
export type UnitCells =
  | { readonly kind: 'one'; readonly cells: Uint16Array }
  /** The cells of unit u are those from starts[u] up to starts[u + 1], distinct. */
  | { readonly kind: 'list'; readonly starts: Uint32Array; readonly cells: Uint16Array };

/** True counts of units, before they are published. */
export interface Counts {
  readonly total: number;
  /** By blockKey, with counts in the place of levels. */
  readonly blocks: ReadonlyMap<string, Uint32Array>;
}

/** Counts the units in every combination of at most `order` dimensions: one pass for each, over columns in memory. */
export const countCells = (
  units: readonly UnitCells[],
  total: number,
  dimensions: readonly Dimension[],
  order: number,
): Counts => {
  const blocks = combinations(dimensions, order).map((chosen) => {
    const sizes = chosen.map((position) => dimensions[position]!.cells.length);
    const columns = chosen.map((position) => units[position]!);
    return [blockKey(chosen), countBlock(columns, sizes, total)] as const;
  });
  return { total, blocks: new Map(blocks) };
};

const countBlock = (columns: readonly UnitCells[], sizes: readonly number[], total: number): Uint32Array => {
  const counts = new Uint32Array(sizes.reduce((product, size) => product * size, 1));
  const single = columns.flatMap((column) => (column.kind === 'one' ? [column.cells] : []));
  if (single.length < columns.length) countLists(columns, sizes, total, counts);
  else countSingle(single, sizes, total, counts);
  return counts;
};

const countSingle = (
  columns: readonly Uint16Array[],
  sizes: readonly number[],
  total: number,
  counts: Uint32Array,
): void => {
  const [first, second, third] = columns as [Uint16Array, Uint16Array?, Uint16Array?];
  const [, columnsOfSecond = 1, columnsOfThird = 1] = sizes;
  for (let unit = 0; unit < total; unit += 1) {
    let index = first[unit]!;
    if (second !== undefined) index = index * columnsOfSecond + second[unit]!;
    if (third !== undefined) index = index * columnsOfThird + third[unit]!;
    counts[index] = counts[index]! + 1;
  }
};

const countLists = (
  columns: readonly UnitCells[],
  sizes: readonly number[],
  total: number,
  counts: Uint32Array,
): void => {
  const visit = (unit: number, depth: number, index: number): void => {
    const column = columns[depth];
    if (column === undefined) counts[index] = counts[index]! + 1;
    else if (column.kind === 'one') visit(unit, depth + 1, index * sizes[depth]! + column.cells[unit]!);
    else
      for (let at = column.starts[unit]!; at < column.starts[unit + 1]!; at += 1)
        visit(unit, depth + 1, index * sizes[depth]! + column.cells[at]!);
  };
  for (let unit = 0; unit < total; unit += 1) visit(unit, 0, 0);
};

/** What is published of the counts. */
export const publish = (
  counts: Counts,
  dimensions: readonly Dimension[],
  { threshold, order }: Pick<ReleasedTable, 'threshold' | 'order'>,
): ReleasedTable => {
  const blocks = [...counts.blocks].map(([key, values]): [string, Block] => {
    const chosen = key.split(',').map(Number);
    const sizes = chosen.map((position) => dimensions[position]!.cells.length);
    const levels = values.map((count) => Math.floor(count / threshold));
    return [key, { dimensions: chosen, sizes, levels }];
  });
  const total = Math.floor(counts.total / threshold);
  return { threshold, order, dimensions, total, blocks: new Map(blocks) };
};
