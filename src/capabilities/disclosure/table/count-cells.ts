import { blockKey, combinations, type Block, type Dimension, type ReleasedTable } from './released-table.ts';

/** For each unit, its cells in one dimension. */
export type UnitCells =
  | { readonly kind: 'one'; readonly cells: Uint16Array }
  /** The cells of unit u are those from starts[u] up to starts[u + 1], distinct. */
  | { readonly kind: 'list'; readonly starts: Uint32Array; readonly cells: Uint16Array };

/** True counts of units, before they are published. */
export interface Counts {
  readonly total: number;
  /** By blockKey, with counts instead of levels. */
  readonly blocks: ReadonlyMap<string, Uint32Array>;
}

/** Counts the units in every combination of at most `order` dimensions: one pass for each, over columns in memory. */
export const countCells = (
  units: readonly UnitCells[],
  total: number,
  dimensions: readonly Dimension[],
  order: number,
): Counts => {
  const filled = allInOne(total);
  const blocks = combinations(dimensions, order).map((chosen) => {
    const sizes = chosen.map((position) => dimensions[position]!.cells.length);
    const columns = chosen.map((position) => units[position]!);
    return [blockKey(chosen), countBlock(columns, sizes, filled)] as const;
  });
  return { total, blocks: new Map(blocks) };
};

const countBlock = (columns: readonly UnitCells[], sizes: readonly number[], filled: Lists): Uint32Array => {
  const counts = new Uint32Array(sizes.reduce((product, size) => product * size, 1));
  const single = columns.flatMap((column) => (column.kind === 'one' ? [column.cells] : []));
  if (single.length < columns.length) countLists(columns, sizes, filled, counts);
  else countSingle(single, sizes, filled.cells.length, counts);
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

type Lists = Pick<UnitCells & { readonly kind: 'list' }, 'starts' | 'cells'>;

/** Every unit in the first cell: the entry of unit u is at u. */
const allInOne = (total: number): Lists => {
  const starts = new Uint32Array(total + 1);
  for (let unit = 1; unit <= total; unit += 1) starts[unit] = unit;
  return { starts, cells: new Uint16Array(total) };
};

/** Three loops, which take a third of the time of a call for each cell; missing dimensions are padded. */
const countLists = (
  columns: readonly UnitCells[],
  sizes: readonly number[],
  filled: Lists,
  counts: Uint32Array,
): void => {
  const [first, second = filled, third = filled] = columns.map((column) =>
    column.kind === 'list' ? column : { starts: filled.starts, cells: column.cells },
  ) as [Lists, Lists?, Lists?];
  const [, columnsOfSecond = 1, columnsOfThird = 1] = sizes;
  for (let unit = 0; unit < filled.cells.length; unit += 1)
    for (let one = first.starts[unit]!; one < first.starts[unit + 1]!; one += 1)
      for (let two = second.starts[unit]!; two < second.starts[unit + 1]!; two += 1) {
        const row = (first.cells[one]! * columnsOfSecond + second.cells[two]!) * columnsOfThird;
        for (let three = third.starts[unit]!; three < third.starts[unit + 1]!; three += 1)
          counts[row + third.cells[three]!]! += 1;
      }
};

/** The published part of the counts. */
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
