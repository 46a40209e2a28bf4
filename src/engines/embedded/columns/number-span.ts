import type { NumberColumn } from './number-column.ts';
import type { ValueChunk } from './value-chunk.ts';

/** How far a chunk has been scanned, and the result so far. */
interface Seen {
  readonly offsets: boolean;
  readonly end: number;
  readonly least: number;
  readonly greatest: number;
}

/** Values are only ever appended, so each is scanned once. */
const seen = new WeakMap<ValueChunk<Float64Array>, Seen>();

/** The difference between the largest and the smallest number of a column; 0 if it is empty. */
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
  // values move when the first list is added
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
