import type { NumberColumn } from './number-column.ts';
import type { ValueChunk } from './value-chunk.ts';

/** How far a chunk has been looked through, and what was found. */
interface Seen {
  readonly offsets: boolean;
  readonly end: number;
  readonly least: number;
  readonly greatest: number;
}

/** Values are only ever added, so each is looked at once. */
const seen = new WeakMap<ValueChunk<Float64Array>, Seen>();

/** How far apart the smallest and the largest number of a column are; 0 when it has none. */
export const numberSpan = ({ chunks }: NumberColumn): number => {
  let least = Infinity;
  let greatest = -Infinity;
  for (const chunk of chunks) {
    const looked = lookedThrough(chunk, seen.get(chunk));
    seen.set(chunk, looked);
    least = Math.min(least, looked.least);
    greatest = Math.max(greatest, looked.greatest);
  }
  return greatest >= least ? greatest - least : 0;
};

const lookedThrough = (chunk: ValueChunk<Float64Array>, before: Seen | undefined): Seen => {
  const offsets = chunk.offsets !== null;
  // values move when the first list comes
  const known = before?.offsets === offsets ? before : undefined;
  const end = offsets ? chunk.used : chunk.count;
  let least = known?.least ?? Infinity;
  let greatest = known?.greatest ?? -Infinity;
  for (let i = known?.end ?? 0; i < end; i++) {
    const value = chunk.values[i]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { offsets, end, least, greatest };
};
