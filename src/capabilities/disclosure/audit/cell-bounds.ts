import type { Counts } from '../table/count-cells.ts';
import {
  blockKey,
  intervalOf,
  strideOf,
  type Dimension,
  type ReleasedTable,
} from '../table/released-table.ts';

/** What a reader knows about every cell; narrowed in place while conclusions are drawn. */
export interface CellBounds {
  readonly blocks: ReadonlyMap<string, BlockBounds>;
  /** All units: a block of one cell. */
  readonly total: Cells;
}

export interface BlockBounds {
  readonly dimensions: readonly number[];
  readonly sizes: readonly number[];
  readonly lower: Int32Array;
  readonly upper: Int32Array;
}

/**
 * The interval that the release publishes for each cell.
 * @param zeros the true counts, for a reader who knows which cells are empty and which are not; null for other readers
 */
export const publishedBounds = (table: ReleasedTable, zeros: Counts | null): CellBounds => {
  const { threshold } = table;
  const blocks = [...table.blocks].map(([key, { dimensions, sizes, levels }]): [string, BlockBounds] => {
    const counts = zeros?.blocks.get(key);
    // millions of cells: numbers in arrays, not an object for each
    const [lower, upper] = [new Int32Array(levels.length), new Int32Array(levels.length)];
    for (let cell = 0; cell < levels.length; cell += 1) {
      const least = levels[cell]! * threshold;
      const count = counts?.[cell];
      lower[cell] = count === undefined || count === 0 ? least : Math.max(1, least);
      upper[cell] = count === 0 ? 0 : least + threshold - 1;
    }
    const bounds = { dimensions, sizes, lower, upper };
    impossible(table, bounds).forEach((cell) => (upper[cell] = 0));
    return [key, bounds];
  });
  const { lower, upper } = intervalOf(table.total, threshold);
  return { blocks: new Map(blocks), total: { lower: Int32Array.of(lower), upper: Int32Array.of(upper) } };
};

/**
 * Cells that are empty by definition of their dimensions, which every reader knows: no value where one is mandatory, a
 * value of a list together with no value of that list, and a value outside its declared parent, unless units have several
 * values of either.
 */
export const impossible = (
  { dimensions }: ReleasedTable,
  { dimensions: chosen, sizes }: Pick<BlockBounds, 'dimensions' | 'sizes'>,
): number[] => {
  const found: number[] = [];
  const isPair = chosen[0] === chosen[1];
  const isPlain = ({ within, mandatory }: Dimension): boolean => within === undefined && mandatory !== true;
  if (!isPair && chosen.every((position) => isPlain(dimensions[position]!))) return found;
  const cells = sizes.reduce((product, size) => product * size, 1);
  for (let cell = 0; cell < cells; cell += 1) {
    const at = coordinatesOf(cell, sizes);
    const lacksValue = chosen.some((position, depth) => isLacking(dimensions[position]!, at[depth]!));
    if (
      lacksValue ||
      (isPair ? isHalfMissing(dimensions[chosen[0]!]!, at) : liesOutside(dimensions, chosen, at))
    )
      found.push(cell);
  }
  return found;
};

const isLacking = ({ mandatory, cells }: Dimension, cell: number): boolean =>
  mandatory === true && cells[cell]!.kind === 'missing';

const isHalfMissing = ({ cells }: Dimension, at: readonly number[]): boolean =>
  at[0] !== at[1] && at.some((cell) => cells[cell]!.kind === 'missing');

const liesOutside = (
  dimensions: readonly Dimension[],
  chosen: readonly number[],
  at: readonly number[],
): boolean =>
  chosen.some((position, depth) => {
    const { within, isMulti } = dimensions[position]!;
    const above = within === undefined ? -1 : chosen.indexOf(within.dimension);
    if (within === undefined || above < 0 || isMulti || dimensions[within.dimension]!.isMulti) return false;
    const cell = within.cells[at[depth]!] ?? null;
    return cell !== null && cell !== at[above];
  });

/** The cell of each dimension at an index of a block. */
export const coordinatesOf = (cell: number, sizes: readonly number[]): number[] => {
  const at: number[] = [];
  let rest = cell;
  for (let depth = sizes.length - 1; depth >= 0; depth -= 1) {
    at[depth] = rest % sizes[depth]!;
    rest = Math.floor(rest / sizes[depth]!);
  }
  return at;
};

/** Narrows some cells and returns whether anything changed. */
export type Rule = () => boolean;

/** The cells' bounds in arrays; a row is every `stride`-th cell from `start`. */
export interface Cells {
  readonly lower: Int32Array;
  readonly upper: Int32Array;
}

/** Raises a cell's lower bound to `least` if that is higher, and returns whether it is. */
export const raise = (cells: Cells, at: number, least: number): boolean => {
  if (cells.lower[at]! >= least) return false;
  cells.lower[at] = least;
  return true;
};

/** Lowers a cell's upper bound to `most` if that is lower, and returns whether it is. */
export const lowerTo = (cells: Cells, at: number, most: number): boolean => {
  if (cells.upper[at]! <= most) return false;
  cells.upper[at] = most;
  return true;
};

/** The cells of some dimensions, or all units, as bounds and as true counts. */
export interface Part {
  readonly key: string;
  readonly bounds: Cells;
  readonly counts: Uint32Array;
  /** The distance between neighbours along each axis; 0 for omitted axes. */
  readonly strides: readonly number[];
}

/** @param axes dimensions, some of which are chosen */
export const partOf = (
  chosen: readonly number[],
  axes: readonly number[],
  table: ReleasedTable,
  bounds: CellBounds,
  counts: Counts,
): Part => {
  const sorted = chosen.toSorted((left, right) => left - right);
  const key = blockKey(sorted);
  return {
    key,
    bounds: bounds.blocks.get(key) ?? bounds.total,
    counts: counts.blocks.get(key) ?? Uint32Array.of(counts.total),
    strides: axes.map((axis) => (sorted.includes(axis) ? strideOf(sorted, axis, table) : 0)),
  };
};
