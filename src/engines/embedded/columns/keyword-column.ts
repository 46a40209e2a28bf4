import { chunkBits, chunkMask, ValueChunk, ValueColumn, type ArrayKind, type Codes } from './chunked.ts';
import { TermDictionary } from './term-dictionary.ts';
import { compareWithCheckpoints, neverStopped, pieceMask, type Checkpoint } from './search-run.ts';

/**
 * Strings of documents or nested objects: a table of the distinct strings and, for each object, the codes of its
 * strings, each once. Text fields hold their tokens, booleans "0" and "1".
 */
export class KeywordColumn extends ValueColumn<Codes> {
  readonly kind = 'keyword';
  readonly table = new TermDictionary();

  /** Sets the value or values of the next object; skipped objects have none. */
  append(ordinal: number, values: string | readonly string[]): void {
    const codes =
      typeof values === 'string'
        ? this.table.add(values)
        : [...new Set(values.map((value) => this.table.add(value)))];
    const chunk = this.nextChunk(ordinal);
    const kind = kindFor(this.table.size);
    if (kind.BYTES_PER_ELEMENT > chunk.values.BYTES_PER_ELEMENT) chunk.widen(kind);
    if (typeof codes === 'number') chunk.putOne(ordinal & chunkMask, codes);
    else chunk.put(ordinal & chunkMask, codes);
  }

  /** The codes of one object, none for a missing value. */
  codesOf(ordinal: number): readonly number[] {
    const chunk = this.chunks[ordinal >>> chunkBits]!;
    const local = ordinal & chunkMask;
    if (chunk.offsets !== null) {
      return Array.from(chunk.values.subarray(chunk.offsets[local]!, chunk.offsets[local + 1]!));
    }
    return chunk.values[local] === 0 ? [] : [chunk.values[local]!];
  }

  chunkAt(number: number): ValueChunk<Codes> {
    return (this.chunks[number] ??= new ValueChunk<Codes>(kindFor(this.table.size), 0));
  }
}

/** The narrowest array whose elements can hold `code`. */
const kindFor = (code: number): ArrayKind<Codes> =>
  code < 0x100 ? Uint8Array : code < 0x10000 ? Uint16Array : Uint32Array;

/** Numbers that sort like the bytes of the strings. */
export interface KeywordRanks {
  /** Sets the rank of each code times `sign`; `missing` for code 0. */
  setRanks(into: Float64Array, codes: Uint32Array, sign: number, missing: number): void;
  /** The rank of a string that may not be in the table; it may equal the rank of a neighbouring string. */
  rankOfBytes(bytes: Uint8Array): number;
  /** Whether only equal strings have equal ranks. */
  readonly isExact: boolean;
}

/**
 * Ranks for sorting `count` documents. Where many documents share few strings, the strings are sorted once and a rank
 * is a string's position. Otherwise a rank is built from the first bytes that differ.
 */
export const keywordRanks = (
  table: TermDictionary,
  count: number,
  checkpoint: Checkpoint = neverStopped,
): KeywordRanks =>
  table.size * documentsToString <= count || table.ranks?.length === table.size + 1
    ? sortedRanks(table, checkpoint)
    : prefixRanks(table, checkpoint);

/** Sorting the strings pays off from this many documents per string. */
const documentsToString = 16;

const sortedRanks = (table: TermDictionary, checkpoint: Checkpoint): KeywordRanks => {
  const ranks = table.ranks?.length === table.size + 1 ? table.ranks : ranksByCode(table, checkpoint);
  table.ranks = ranks;
  return {
    setRanks: (into, codes, sign, missing) => {
      for (let i = 0; i < codes.length; i++) {
        const code = codes[i]!;
        into[i] = code === 0 ? missing : sign * ranks[code]!;
      }
    },
    rankOfBytes: (bytes) => rankOfString(table, ranks, bytes),
    isExact: true,
  };
};

const ranksByCode = (table: TermDictionary, checkpoint: Checkpoint): Uint32Array => {
  const compare = (left: number, right: number): number => table.compare(left, right);
  const ordered = Uint32Array.from({ length: table.size }, (_, i) => i + 1).sort(
    compareWithCheckpoints(compare, checkpoint),
  );
  const ranks = new Uint32Array(table.size + 1);
  ordered.forEach((code, i) => (ranks[code] = i + 1));
  return ranks;
};

/** The position of an equal string, or halfway between its neighbours. */
const rankOfString = (table: TermDictionary, ranks: Uint32Array, bytes: Uint8Array): number => {
  let below = 0;
  for (let code = 1; code <= table.size; code++) {
    const order = table.compareTo(code, bytes);
    if (order === 0) return ranks[code]!;
    if (order < 0) below++;
  }
  return below + 0.5;
};

/** The number of base-257 digits (a byte, or the end of the string) that fit into a double exactly. */
const digits = 6;

const prefixRanks = (table: TermDictionary, checkpoint: Checkpoint): KeywordRanks => {
  const start = commonPrefixLength(table, checkpoint);
  return {
    setRanks: (into, codes, sign, missing) => {
      const { bytes, offsets } = table;
      for (let i = 0; i < codes.length; i++) {
        const code = codes[i]!;
        into[i] = code === 0 ? missing : sign * prefixRank(bytes, offsets[code - 1]! + start, offsets[code]!);
      }
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

/** Compares bytes with the strings' common prefix: 0 if they start with it. */
const comparePrefix = (table: TermDictionary, length: number, bytes: Uint8Array): number =>
  Buffer.compare(bytes.subarray(0, length), table.bytes.subarray(0, length));

/** The length in bytes of the prefix common to all strings of the table. */
const commonPrefixLength = (table: TermDictionary, checkpoint: Checkpoint): number => {
  let { length } = table.prefix;
  for (let code = table.prefix.code + 1; code <= table.size && length > 0; code++) {
    if ((code & pieceMask) === 0) checkpoint();
    const start = table.offsets[code - 1]!;
    const max = Math.min(length, table.length(code));
    length = 0;
    while (length < max && table.bytes[start + length] === table.bytes[length]) length++;
  }
  table.prefix = { length, code: table.size };
  return Number.isFinite(length) ? length : 0;
};
