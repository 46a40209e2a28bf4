import { compareWithCheckpoints, neverStopped, pieceMask, type Checkpoint } from './checkpoint.ts';
import type { TermDictionary } from './term-dictionary.ts';

/** Numbers that order strings as their bytes do. */
export interface KeywordRanks {
  /** The rank of each code times `sign`, and of code 0 the one for missing values. */
  ranksOf(codes: Uint32Array, sign: number, missing: number): Float64Array;
  /** Where a string stands that need not be in the table; equal to the rank of a string it may stand beside. */
  rankOfBytes(bytes: Uint8Array): number;
  /** Whether only equal strings have equal ranks. */
  readonly isExact: boolean;
}

/**
 * Ranks for sorting `count` documents. Where many documents share few strings, these are put in order once and a rank
 * is a string's place. Else a rank is made of the first bytes that can tell the strings apart.
 */
export const keywordRanks = (
  table: TermDictionary,
  count: number,
  checkpoint: Checkpoint = neverStopped,
): KeywordRanks =>
  table.size * documentsToString <= count || placesOf.get(table)?.length === table.size + 1
    ? placeRanks(table, checkpoint)
    : prefixRanks(table, checkpoint);

/** Putting strings in order pays when each stands for so many documents. */
const documentsToString = 16;

/** The place of each code in the order of the strings, from 1 on. Tables only grow, so their size tells them apart. */
const placesOf = new WeakMap<TermDictionary, Uint32Array>();

const placeRanks = (table: TermDictionary, checkpoint: Checkpoint): KeywordRanks => {
  const known = placesOf.get(table);
  const places = known?.length === table.size + 1 ? known : orderedPlaces(table, checkpoint);
  placesOf.set(table, places);
  return {
    ranksOf: (codes, sign, missing) => {
      const ranks = new Float64Array(codes.length);
      for (let i = 0; i < codes.length; i++) {
        const code = codes[i]!;
        ranks[i] = code === 0 ? missing : sign * places[code]!;
      }
      return ranks;
    },
    rankOfBytes: (bytes) => placeOfBytes(table, places, bytes),
    isExact: true,
  };
};

const orderedPlaces = (table: TermDictionary, checkpoint: Checkpoint): Uint32Array => {
  const compare = (left: number, right: number): number => table.compare(left, right);
  const ordered = Uint32Array.from({ length: table.size }, (_, i) => i + 1).sort(
    compareWithCheckpoints(compare, checkpoint),
  );
  const places = new Uint32Array(table.size + 1);
  ordered.forEach((code, i) => (places[code] = i + 1));
  return places;
};

/** The place of an equal string, else half way between its neighbours. */
const placeOfBytes = (table: TermDictionary, places: Uint32Array, bytes: Uint8Array): number => {
  let below = 0;
  for (let code = 1; code <= table.size; code++) {
    const order = table.compareTo(code, bytes);
    if (order === 0) return places[code]!;
    if (order < 0) below++;
  }
  return below + 0.5;
};

/** So many digits to base 257 (a byte, or the end of the string) are exact in a double. */
const digits = 6;

const prefixRanks = (table: TermDictionary, checkpoint: Checkpoint): KeywordRanks => {
  const start = commonPrefixLength(table, checkpoint);
  return {
    ranksOf: (codes, sign, missing) => {
      const { bytes, offsets } = table;
      const ranks = new Float64Array(codes.length);
      for (let i = 0; i < codes.length; i++) {
        const code = codes[i]!;
        ranks[i] =
          code === 0 ? missing : sign * prefixRank(bytes, offsets[code - 1]! + start, offsets[code]!);
      }
      return ranks;
    },
    rankOfBytes: (bytes) => {
      const order = table.size === 0 ? 0 : comparePrefix(table, start, bytes);
      return order === 0 ? prefixRank(bytes, start, bytes.length) : order * Infinity;
    },
    isExact: false,
  };
};

const prefixRank = (bytes: Uint8Array, start: number, end: number): number => {
  let rank = 0;
  for (let i = start; i < start + digits; i++) rank = rank * 257 + (i < end ? bytes[i]! + 1 : 0);
  return rank;
};

/** Orders bytes against the strings' common prefix: 0 when they begin with it. */
const comparePrefix = (table: TermDictionary, length: number, bytes: Uint8Array): number =>
  Buffer.compare(bytes.subarray(0, length), table.bytes.subarray(0, length));

/** How much the strings up to a code have in common. */
const commonPrefixes = new WeakMap<TermDictionary, { readonly length: number; readonly code: number }>();

/** How many bytes all strings of the table begin with. */
const commonPrefixLength = (table: TermDictionary, checkpoint: Checkpoint): number => {
  const known = commonPrefixes.get(table);
  let length = known?.length ?? Infinity;
  for (let code = (known?.code ?? 0) + 1; code <= table.size && length > 0; code++) {
    if ((code & pieceMask) === 0) checkpoint();
    const start = table.offsets[code - 1]!;
    const most = Math.min(length, table.length(code));
    length = 0;
    while (length < most && table.bytes[start + length] === table.bytes[length]) length++;
  }
  const shared = Number.isFinite(length) ? length : 0;
  commonPrefixes.set(table, { length: shared, code: table.size });
  return shared;
};
