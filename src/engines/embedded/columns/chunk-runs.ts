import type { Checkpoint } from './checkpoint.ts';
import { chunkBits } from './chunked.ts';

/** Calls `visit` with the chunk number and the start and end position of each run of `ids` within one chunk. */
export const forEachChunkRun = (
  ids: Uint32Array,
  checkpoint: Checkpoint,
  visit: (number: number, from: number, to: number) => void,
): void => {
  let from = 0;
  while (from < ids.length) {
    const number = ids[from]! >>> chunkBits;
    const to = endOfRun(ids, from, number);
    checkpoint();
    visit(number, from, to);
    from = to;
  }
};

/**
 * The first position after `from` whose id lies in a later chunk, by binary search.
 * @param end no later than this position
 */
export const endOfRun = (ids: Uint32Array, from: number, number: number, end = ids.length): number => {
  let low = from + 1;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! >>> chunkBits === number) low = middle + 1;
    else high = middle;
  }
  return low;
};
