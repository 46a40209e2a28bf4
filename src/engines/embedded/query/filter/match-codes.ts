import type { Bitset } from '../../columns/bitset.ts';
import { neverStopped, type Checkpoint } from '../../columns/search-run.ts';
import { chunkBits, type Codes, type ValueChunk } from '../../columns/chunked.ts';
import type { KeywordColumn } from '../../columns/keyword-column.ts';

/** Sets the bits of objects with a wanted code: wanted[code] is 1; wanted[0] must be 0. */
export const matchCodes = (
  column: KeywordColumn,
  wanted: Uint8Array,
  bits: Bitset,
  checkpoint: Checkpoint = neverStopped,
): void => {
  column.chunks.forEach((chunk, number) => {
    checkpoint();
    // chunks start on word boundaries
    const target = bits.subarray(number << (chunkBits - 5));
    if (chunk.offsets !== null) matchLists(chunk, wantedBefore(chunk, wanted), chunk.offsets, target);
    else if (chunk.values instanceof Uint8Array) matchBytes(chunk.values, chunk.count, wanted, target);
    else if (chunk.values instanceof Uint16Array) matchShorts(chunk.values, chunk.count, wanted, target);
    else matchWords(chunk.values, chunk.count, wanted, target);
  });
};

// One loop per code width, as in count-codes.ts. A word of bits is assembled before it is stored, eight bits per
// iteration to keep the loop overhead down; shift counts are taken modulo 32.

const matchBytes = (codes: Uint8Array, count: number, wanted: Uint8Array, bits: Bitset): void => {
  const whole = count & ~31;
  for (let start = 0; start < whole; start += 32) {
    let word = 0;
    for (let i = start; i < start + 32; i += 8) {
      word |=
        (wanted[codes[i]!]! |
          (wanted[codes[i + 1]!]! << 1) |
          (wanted[codes[i + 2]!]! << 2) |
          (wanted[codes[i + 3]!]! << 3) |
          (wanted[codes[i + 4]!]! << 4) |
          (wanted[codes[i + 5]!]! << 5) |
          (wanted[codes[i + 6]!]! << 6) |
          (wanted[codes[i + 7]!]! << 7)) <<
        i;
    }
    bits[start >>> 5]! |= word;
  }
  for (let i = whole; i < count; i++) bits[i >>> 5]! |= wanted[codes[i]!]! << i;
};

const matchShorts = (codes: Uint16Array, count: number, wanted: Uint8Array, bits: Bitset): void => {
  const whole = count & ~31;
  for (let start = 0; start < whole; start += 32) {
    let word = 0;
    for (let i = start; i < start + 32; i += 8) {
      word |=
        (wanted[codes[i]!]! |
          (wanted[codes[i + 1]!]! << 1) |
          (wanted[codes[i + 2]!]! << 2) |
          (wanted[codes[i + 3]!]! << 3) |
          (wanted[codes[i + 4]!]! << 4) |
          (wanted[codes[i + 5]!]! << 5) |
          (wanted[codes[i + 6]!]! << 6) |
          (wanted[codes[i + 7]!]! << 7)) <<
        i;
    }
    bits[start >>> 5]! |= word;
  }
  for (let i = whole; i < count; i++) bits[i >>> 5]! |= wanted[codes[i]!]! << i;
};

const matchWords = (codes: Uint32Array, count: number, wanted: Uint8Array, bits: Bitset): void => {
  const whole = count & ~31;
  for (let start = 0; start < whole; start += 32) {
    let word = 0;
    for (let i = start; i < start + 32; i++) word |= wanted[codes[i]!]! << i;
    bits[start >>> 5]! |= word;
  }
  for (let i = whole; i < count; i++) bits[i >>> 5]! |= wanted[codes[i]!]! << i;
};

/** Varying list lengths defeat branch prediction; comparing running counts at the list boundaries needs no branch. */
const matchLists = (
  { count }: ValueChunk<Codes>,
  before: Uint32Array,
  offsets: Uint32Array,
  bits: Bitset,
): void => {
  const whole = count & ~31;
  let last = 0;
  for (let start = 0; start < whole; start += 32) {
    let word = 0;
    for (let i = start; i < start + 32; i += 4) {
      const first = before[offsets[i + 1]!]!;
      const second = before[offsets[i + 2]!]!;
      const third = before[offsets[i + 3]!]!;
      const fourth = before[offsets[i + 4]!]!;
      // the sign bits of the differences
      word |=
        (((last - first) >>> 31) |
          (((first - second) >>> 31) << 1) |
          (((second - third) >>> 31) << 2) |
          (((third - fourth) >>> 31) << 3)) <<
        i;
      last = fourth;
    }
    bits[start >>> 5]! |= word;
  }
  for (let i = whole; i < count; i++) {
    const count = before[offsets[i + 1]!]!;
    bits[i >>> 5]! |= ((last - count) >>> 31) << i;
    last = count;
  }
};

/** For each position in a chunk's lists, the number of wanted codes before it. */
const wantedBefore = ({ values, used }: ValueChunk<Codes>, wanted: Uint8Array): Uint32Array => {
  if (running.length <= used) running = new Uint32Array(used + (used >>> 1) + 1);
  let count = 0;
  for (let j = 0; j < used; j++) {
    running[j] = count;
    count += wanted[values[j]!]!;
  }
  running[used] = count;
  return running;
};

/** Scratch space for the running counts; grows to the longest chunk. */
let running = new Uint32Array(0);
