import type { ReleasedTable } from '../table/released-table.ts';
import { blockKey, intervalOf } from '../table/released-table.ts';

/** About how many units are in each cell of some dimensions, ascending, the last one fastest. */
export type CellEstimates = (dimensions: readonly number[]) => Float64Array;

/**
 * The middle of a cell's interval; of a hidden one what independence makes of the cells above it, and of a hidden cell
 * of one dimension an equal share of what the others leave.
 */
export const cellEstimatesOf = ({ threshold, blocks, total }: ReleasedTable): CellEstimates => {
  const most = threshold - 1;
  const middle = (level: number): number => {
    const { lower, upper } = intervalOf(level, threshold);
    return (lower + upper) / 2;
  };
  const known = new Map<string, Float64Array>();
  const estimates: CellEstimates = (dimensions) => {
    const key = blockKey(dimensions);
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = estimatesOf(dimensions);
    // of three dimensions they are many, and summed up once
    if (dimensions.length < 3) known.set(key, made);
    return made;
  };
  const estimatesOf = (dimensions: readonly number[]): Float64Array => {
    if (dimensions.length === 0) return Float64Array.of(middle(total));
    const { levels, sizes } = blocks.get(blockKey(dimensions))!;
    if (dimensions.length === 1) return ofOneDimension(levels);
    const [first, last, shared] = [dimensions.slice(0, -1), dimensions.slice(1), dimensions.slice(1, -1)].map(
      estimates,
    ) as [Float64Array, Float64Array, Float64Array];
    const size = sizes.at(-1)!;
    const inner = sizes.slice(1, -1).reduce((product, length) => product * length, 1);
    return Float64Array.from(levels, (level, cell) => {
      if (level > 0) return middle(level);
      const row = Math.floor(cell / size);
      const between = shared[row % inner]!;
      return between === 0 ? 0 : Math.min(most, (first[row]! * last[cell % (inner * size)]!) / between);
    });
  };
  const ofOneDimension = (levels: Uint32Array): Float64Array => {
    const shown = levels.reduce((sum, level) => sum + (level > 0 ? middle(level) : 0), 0);
    const hidden = levels.filter((level) => level === 0).length;
    const share = Math.min(most, Math.max(0, (middle(total) - shown) / Math.max(1, hidden)));
    return Float64Array.from(levels, (level) => (level > 0 ? middle(level) : share));
  };
  return estimates;
};
