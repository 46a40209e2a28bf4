import type { Dimension, ReleasedTable } from '../table/released-table.ts';
import type { CellBounds } from './cell-bounds.ts';

/**
 * Everything that a few characteristics can have in common: a column for each way in which a unit can have them, whose
 * number of units is unknown to readers, and the released counts, each of which is a sum of columns.
 */
export interface JointTable {
  readonly columns: number;
  readonly sums: readonly JointSum[];
}

export interface JointSum {
  /** The released cell. */
  readonly key: string;
  readonly cell: number;
  /** The known bounds of the cell. */
  readonly lower: number;
  readonly upper: number;
  readonly columns: readonly number[];
}

/** Larger tables take minutes for each cell. */
export const maxColumns = 20_000;

/**
 * The joint table of some dimensions. Ways that a count of zero rules out have no column.
 * @param chosen ascending indexes of the table's dimensions
 * @returns null if there are more than `maxColumns`, as with lists of many values
 */
export const jointTable = (
  { dimensions }: ReleasedTable,
  bounds: CellBounds,
  chosen: readonly number[],
): JointTable | null => {
  const ways = chosen.map((position) => waysOf(dimensions[position]!));
  if (ways.some((one) => one === null)) return null;
  const blocks = blocksAmong(bounds, chosen);
  const sums = blocks.map(({ lower }) => Array.from({ length: lower.length }, (): number[] => []));
  let columns = 0;
  const add = (way: readonly (readonly number[])[]): void => {
    const cells = blocks.map((block) => cellsIn(block, way));
    if (cells.some((own, index) => own.some((cell) => blocks[index]!.upper[cell] === 0))) return;
    cells.forEach((own, index) => own.forEach((cell) => sums[index]![cell]!.push(columns)));
    columns += 1;
  };
  const extend = (way: readonly (readonly number[])[]): void => {
    if (columns > maxColumns) return;
    if (way.length === ways.length) return add(way);
    for (const next of ways[way.length]!) extend([...way, next]);
  };
  extend([]);
  if (columns > maxColumns) return null;
  return {
    columns,
    sums: blocks.flatMap(({ key, lower, upper }, index) =>
      sums[index]!.flatMap((own, cell) =>
        own.length === 0
          ? []
          : [{ ...{ key, cell, columns: own }, lower: lower[cell]!, upper: upper[cell]! }],
      ),
    ),
  };
};

/** More values of a list can be combined in too many ways. */
export const maxListed = 6;

/** The cells that a unit can be in: one cell or, for a list, several values or none. */
const waysOf = ({ isMulti, cells }: Dimension): readonly (readonly number[])[] | null => {
  const single = [...cells.keys()].map((cell) => [cell]);
  if (!isMulti) return single;
  const values = [...cells.keys()].filter((cell) => cells[cell]!.kind !== 'missing');
  if (values.length > maxListed) return null;
  const several = Array.from({ length: 2 ** values.length - 1 }, (_, subset) =>
    values.filter((_value, at) => ((subset + 1) >> at) % 2 === 1),
  );
  return [...several, ...single.filter(([cell]) => cells[cell!]!.kind === 'missing')];
};

interface ChosenBlock {
  readonly key: string;
  readonly lower: Int32Array;
  readonly upper: Int32Array;
  readonly sizes: readonly number[];
  /** The indexes of its dimensions among the chosen ones. */
  readonly depths: readonly number[];
}

const blocksAmong = ({ blocks, total }: CellBounds, chosen: readonly number[]): readonly ChosenBlock[] => [
  { key: '', ...total, sizes: [], depths: [] },
  ...[...blocks].flatMap(([key, { dimensions, sizes, lower, upper }]) => {
    const depths = dimensions.map((position) => chosen.indexOf(position));
    return depths.includes(-1) ? [] : [{ key, lower, upper, sizes, depths }];
  }),
];

/** The cells of a block that a way is in. */
const cellsIn = ({ depths, sizes }: ChosenBlock, way: readonly (readonly number[])[]): readonly number[] =>
  depths.reduce<readonly number[]>(
    (cells, depth, index) =>
      cells.flatMap((cell) => way[depth]!.map((value) => cell * sizes[index]! + value)),
    [0],
  );
