import type { ReleasedTable } from '../table/released-table.ts';
import { blockKey } from '../table/released-table.ts';

/** Where the cells of some dimensions, in this order, are in their block. */
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
