import type { Bitset } from './bitset.ts';
import { chunkBits, chunkMask, type Codes } from './chunked.ts';
import type { KeywordColumn } from './keyword-column.ts';
import type { ValueChunk } from './value-chunk.ts';

// The loops below are written once for each width of codes on purpose: a loop that only ever meets one kind of typed
// array runs about 1.4 times as fast, and these two decide what a facet and a filter cost.

/**
 * Counts, for each code, the objects of an ascending list that have it; counts[0] is how many have no value.
 * @param ids ordinals within the column's space
 */
export const countCodes = (column: KeywordColumn, ids: Uint32Array): Uint32Array => {
  const counts = new Uint32Array(column.table.size + 1);
  forEachRun(ids, (number, from, to) => {
    const chunk = column.chunks[number]!;
    if (chunk.offsets !== null) countLists(chunk.values, chunk.offsets, ids, from, to, counts);
    else if (chunk.values instanceof Uint8Array) countBytes(chunk.values, ids, from, to, counts);
    else if (chunk.values instanceof Uint16Array) countShorts(chunk.values, ids, from, to, counts);
    else countWords(chunk.values, ids, from, to, counts);
  });
  return counts;
};

const countBytes = (codes: Uint8Array, ids: Uint32Array, from: number, to: number, counts: Uint32Array) => {
  for (let i = from; i < to; i++) counts[codes[ids[i]! & chunkMask]!]!++;
};

const countShorts = (codes: Uint16Array, ids: Uint32Array, from: number, to: number, counts: Uint32Array) => {
  for (let i = from; i < to; i++) counts[codes[ids[i]! & chunkMask]!]!++;
};

const countWords = (codes: Uint32Array, ids: Uint32Array, from: number, to: number, counts: Uint32Array) => {
  for (let i = from; i < to; i++) counts[codes[ids[i]! & chunkMask]!]!++;
};

const countLists = (
  codes: Codes,
  offsets: Uint32Array,
  ids: Uint32Array,
  from: number,
  to: number,
  counts: Uint32Array,
) => {
  for (let i = from; i < to; i++) {
    const local = ids[i]! & chunkMask;
    const end = offsets[local + 1]!;
    const start = offsets[local]!;
    if (start === end) counts[0]!++;
    for (let j = start; j < end; j++) counts[codes[j]!]!++;
  }
};

/**
 * As countCodes, but counts the owners of the objects, each once for a code whatever number of its objects have it.
 * @param owners for each of `ids` its document; ascending, so an owner's objects are neighbours
 */
export const countOwners = (column: KeywordColumn, ids: Uint32Array, owners: Uint32Array): Uint32Array => {
  const counts = new Uint32Array(column.table.size + 1);
  // the owner counted last for each code, plus one
  const last = new Uint32Array(column.table.size + 1);
  forEachRun(ids, (number, from, to) => {
    const { values, offsets } = column.chunks[number]!;
    if (offsets === null) countOwnersOfOne(values, ids, owners, from, to, counts, last);
    else countOwnersOfLists(values, offsets, ids, owners, from, to, counts, last);
  });
  return counts;
};

const countOwnersOfOne = (
  codes: Codes,
  ids: Uint32Array,
  owners: Uint32Array,
  from: number,
  to: number,
  counts: Uint32Array,
  last: Uint32Array,
): void => {
  for (let i = from; i < to; i++) {
    const code = codes[ids[i]! & chunkMask]!;
    const owner = owners[i]! + 1;
    counts[code]! += Number(last[code] !== owner);
    last[code] = owner;
  }
};

const countOwnersOfLists = (
  codes: Codes,
  offsets: Uint32Array,
  ids: Uint32Array,
  owners: Uint32Array,
  from: number,
  to: number,
  counts: Uint32Array,
  last: Uint32Array,
): void => {
  for (let i = from; i < to; i++) {
    const local = ids[i]! & chunkMask;
    const owner = owners[i]! + 1;
    const start = offsets[local]!;
    const end = offsets[local + 1]!;
    if (start === end) {
      counts[0]! += Number(last[0] !== owner);
      last[0] = owner;
    }
    for (let j = start; j < end; j++) {
      const code = codes[j]!;
      counts[code]! += Number(last[code] !== owner);
      last[code] = owner;
    }
  }
};

/** Sets the bit of each object that has a wanted code: wanted[code] is 1, wanted[0] must be 0. */
export const markCodes = (column: KeywordColumn, wanted: Uint8Array, bits: Bitset): void => {
  column.chunks.forEach((chunk, number) => {
    // chunks begin on whole words
    const target = bits.subarray(number << (chunkBits - 5));
    if (chunk.offsets !== null) markLists(chunk, wantedBefore(chunk, wanted), chunk.offsets, target);
    else if (chunk.values instanceof Uint8Array) markBytes(chunk.values, chunk.count, wanted, target);
    else if (chunk.values instanceof Uint16Array) markShorts(chunk.values, chunk.count, wanted, target);
    else markWords(chunk.values, chunk.count, wanted, target);
  });
};

// A word of bits is put together before it is stored, which more than halves the time; a shift takes its count modulo 32.

const markBytes = (codes: Uint8Array, count: number, wanted: Uint8Array, bits: Bitset) => {
  for (let start = 0; start < count; start += 32) {
    const end = Math.min(start + 32, count);
    let word = 0;
    for (let i = start; i < end; i++) word |= wanted[codes[i]!]! << i;
    bits[start >>> 5]! |= word;
  }
};

const markShorts = (codes: Uint16Array, count: number, wanted: Uint8Array, bits: Bitset) => {
  for (let start = 0; start < count; start += 32) {
    const end = Math.min(start + 32, count);
    let word = 0;
    for (let i = start; i < end; i++) word |= wanted[codes[i]!]! << i;
    bits[start >>> 5]! |= word;
  }
};

const markWords = (codes: Uint32Array, count: number, wanted: Uint8Array, bits: Bitset) => {
  for (let start = 0; start < count; start += 32) {
    const end = Math.min(start + 32, count);
    let word = 0;
    for (let i = start; i < end; i++) word |= wanted[codes[i]!]! << i;
    bits[start >>> 5]! |= word;
  }
};

/** Lists differ in length, which no processor foresees; comparing running counts at their borders needs no branch. */
const markLists = (
  { count }: ValueChunk<Codes>,
  before: Uint32Array,
  offsets: Uint32Array,
  bits: Bitset,
): void => {
  let last = 0;
  for (let start = 0; start < count; start += 32) {
    const end = Math.min(start + 32, count);
    let word = 0;
    for (let i = start; i < end; i++) {
      const found = before[offsets[i + 1]!]!;
      // the sign of the difference
      word |= ((last - found) >>> 31) << i;
      last = found;
    }
    bits[start >>> 5]! |= word;
  }
};

/** For each position in a chunk's lists, how many wanted codes stand before it. */
const wantedBefore = ({ values, used }: ValueChunk<Codes>, wanted: Uint8Array): Uint32Array => {
  if (running.length <= used) running = new Uint32Array(used + (used >>> 1) + 1);
  let found = 0;
  for (let j = 0; j < used; j++) {
    running[j] = found;
    found += wanted[values[j]!]!;
  }
  running[used] = found;
  return running;
};

/** Where running counts are kept; grows to the longest chunk. */
let running = new Uint32Array(0);

/** Calls `visit` with the chunk number and the first and end position of each run of `ids` in one chunk. */
export const forEachRun = (
  ids: Uint32Array,
  visit: (number: number, from: number, to: number) => void,
): void => {
  let from = 0;
  while (from < ids.length) {
    const number = ids[from]! >>> chunkBits;
    const to = endOfRun(ids, from, number);
    visit(number, from, to);
    from = to;
  }
};

/** The first position after `from` whose id lies in a later chunk, by halving. */
const endOfRun = (ids: Uint32Array, from: number, number: number): number => {
  let low = from + 1;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! >>> chunkBits === number) low = middle + 1;
    else high = middle;
  }
  return low;
};
