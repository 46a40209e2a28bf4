import { neverStopped, type Checkpoint } from '../columns/search-run.ts';
import { forEachChunkRun, chunkBits, chunkMask, type Codes, type ValueChunk } from '../columns/chunked.ts';
import type { KeywordColumn } from '../columns/keyword-column.ts';

/** Counts the objects ids[from] up to ids[to], all in one chunk. */
type Counter = (
  chunk: ValueChunk<Codes>,
  ids: Uint32Array,
  from: number,
  to: number,
  counts: Uint32Array,
) => void;

/**
 * Counts the objects of an ascending list per code; counts[0] is the number without a value.
 * @param ids ordinals within the column's level
 */
export const countCodes = (
  column: KeywordColumn,
  ids: Uint32Array,
  checkpoint: Checkpoint = neverStopped,
): Uint32Array => {
  const counts = new Uint32Array(column.table.size + 1);
  forEachChunkRun(ids, checkpoint, (number, from, to) => {
    const chunk = column.chunks[number]!;
    const count = counterFor(chunk);
    count(chunk, ids, from, to, counts);
  });
  return counts;
};

/** All are called from one place, so that V8 does not inline their loops into a caller that it optimizes much later. */
const counterFor = ({ values, offsets }: ValueChunk<Codes>): Counter => {
  if (offsets !== null) return countLists;
  if (values instanceof Uint8Array) return countBytes;
  return values instanceof Uint16Array ? countShorts : countWords;
};

// The loops below are deliberately duplicated per code width: a loop that only ever sees one kind of typed array runs
// about 1.4 times as fast, and these dominate the cost of a facet.

const countBytes: Counter = ({ values }, ids, from, to, counts) => {
  for (let i = from; i < to; i++) counts[values[ids[i]! & chunkMask]!]!++;
};

const countShorts: Counter = ({ values }, ids, from, to, counts) => {
  for (let i = from; i < to; i++) counts[values[ids[i]! & chunkMask]!]!++;
};

const countWords: Counter = ({ values }, ids, from, to, counts) => {
  for (let i = from; i < to; i++) counts[values[ids[i]! & chunkMask]!]!++;
};

/** Lists of up to this many codes are grouped by length. */
const maxGroupedLists = 7;
/** The start positions of the lists, by length: for length n from n << chunkBits up to ends[n]. */
const starts = new Uint32Array((maxGroupedLists + 1) << chunkBits);
const ends = new Uint32Array(maxGroupedLists + 1);

/** List lengths defeat branch prediction, so lists of the same length are counted together. */
const countLists: Counter = (chunk, ids, from, to, counts) => {
  const codes = chunk.values;
  const offsets = chunk.offsets!;
  for (let length = 0; length <= maxGroupedLists; length++) ends[length] = length << chunkBits;
  for (let i = from; i < to; i++) {
    const local = ids[i]! & chunkMask;
    const start = offsets[local]!;
    const length = offsets[local + 1]! - start;
    if (length <= maxGroupedLists) starts[ends[length]!++] = start;
    else for (let j = start; j < start + length; j++) counts[codes[j]!]!++;
  }
  counts[0]! += ends[0]!;
  for (let length = 1; length <= maxGroupedLists; length++) countGrouped(codes, length, counts);
};

/** Counts the lists of one length: the first code of each, then the second of each, and so on. */
const countGrouped = (codes: Codes, length: number, counts: Uint32Array): void => {
  const first = length << chunkBits;
  const end = ends[length]!;
  for (let index = 0; index < length; index++) {
    for (let i = first; i < end; i++) counts[codes[starts[i]! + index]!]!++;
  }
};

/**
 * Like countCodes, but counts the owners of the objects: each once per code, however many of its objects have it.
 * @param owners the document of each of `ids`; ascending, so an owner's objects are adjacent
 */
export const countOwners = (
  column: KeywordColumn,
  ids: Uint32Array,
  owners: Uint32Array,
  checkpoint: Checkpoint = neverStopped,
): Uint32Array => {
  const counts = new Uint32Array(column.table.size + 1);
  // for each code the last owner counted, plus one
  const last = new Uint32Array(column.table.size + 1);
  forEachChunkRun(ids, checkpoint, (number, from, to) => {
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
