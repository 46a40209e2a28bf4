import { badUserInput } from '../../../../lib/errors/errors.ts';
import { boundNames, isWithin } from '../../../../sqon/filter.ts';
import type { Filter, FilterValue, PatternPart, RangeBounds } from '../../../../sqon/filter.ts';
import type { Prefixes } from '../../../semantics/prefix-alternatives.ts';
import { emptyBitset, unite, type Bitset } from '../../columns/bitset.ts';
import { everything, intervalOf, intervalOfTerm, type Interval } from './bounds.ts';
import { pieceMask, type Checkpoint } from '../../columns/search-run.ts';
import { chunkBits } from '../../columns/chunked.ts';
import { matchCodes } from './match-codes.ts';
import type { KeywordColumn } from '../../columns/keyword-column.ts';
import type { NumberColumn } from '../../columns/number-column.ts';
import { codesBeginning, matchingCodes } from './pattern.ts';
import type { Column } from '../../columns/nested-level.ts';
import { overlap, rangeBetween, rangeOfText } from '../../columns/range-value.ts';
import { noWord } from '../../columns/value-reader.ts';
import { addressBlock } from '../../../../introspection/terms/term-forms.ts';

/** The objects with one of these values. */
export const termsBits = (column: Column, values: readonly FilterValue[], checkpoint: Checkpoint): Bitset => {
  if (column.data.kind === 'keyword') return keywordTerms(column, column.data, values, checkpoint);
  const intervals = values
    .map((value) => intervalOfTerm(column, value))
    .filter((interval) => interval !== null);
  const bits = emptyBitset(column.level.count);
  if (intervals.length > fewIntervals && intervals.every(isOnePoint) && isInexact(column.data)) {
    markPoints(column.data, new Set(intervals.map((interval) => interval.low)), bits, checkpoint);
  } else {
    for (const interval of intervals) markInterval(column.data, interval, bits, checkpoint);
  }
  return bits;
};

/** The objects with a value within the bounds; without bounds, with any. */
export const rangeBits = (column: Column, bounds: RangeBounds, checkpoint: Checkpoint): Bitset => {
  const { gt, gte, lt, lte } = bounds;
  if ([gt, gte, lt, lte].every((bound) => bound === undefined)) return existsBits(column, checkpoint);
  const bits = emptyBitset(column.level.count);
  if (column.data.kind === 'number') {
    markInterval(column.data, intervalOf(column, bounds), bits, checkpoint);
  } else if (column.fieldKind === 'range') {
    matchCodes(column.data, overlapping(column, column.data, bounds, checkpoint), bits, checkpoint);
  } else {
    const within = codesWithin(column.data, keptBounds(column, bounds), checkpoint);
    matchCodes(column.data, wordsOnly(column, column.data, within), bits, checkpoint);
  }
  return bits;
};

/** The objects with a value (a token for text) that matches the whole pattern and is not excluded. */
export const patternBits = (
  column: Column,
  { pattern, caseInsensitive, except = [] }: Omit<Extract<Filter, { kind: 'pattern' }>, 'kind' | 'field'>,
  checkpoint: Checkpoint,
): Bitset => {
  const bits = emptyBitset(column.level.count);
  if (column.data.kind === 'keyword' && column.fieldKind !== 'boolean') {
    const { table } = column.data;
    const matching = matchingCodes(table, keptPattern(column, pattern), caseInsensitive, checkpoint);
    for (const value of except) matching[codeOf(column, column.data, value)] = 0;
    matchCodes(column.data, wordsOnly(column, column.data, matching), bits, checkpoint);
  }
  return bits;
};

/** The objects with a value (a token for text) that begins with one of the texts. */
export const prefixesBits = (
  column: Column,
  { prefixes, caseInsensitive }: Prefixes,
  checkpoint: Checkpoint,
): Bitset => {
  const bits = emptyBitset(column.level.count);
  const { form, data } = column;
  if (form?.isKeyed === true) {
    for (const literal of prefixes) {
      const pattern = [{ literal }, { wildcard: 'any' }] as const;
      unite(bits, patternBits(column, { pattern, caseInsensitive }, checkpoint));
    }
  } else if (data.kind === 'keyword' && column.fieldKind !== 'boolean') {
    const stored = prefixes.map((prefix) => form?.term(prefix) ?? prefix);
    const beginning = codesBeginning(data.table, stored, caseInsensitive, checkpoint);
    matchCodes(data, wordsOnly(column, data, beginning), bits, checkpoint);
  }
  return bits;
};

/** The objects with any value. */
export const existsBits = (column: Column, checkpoint: Checkpoint): Bitset => {
  const bits = emptyBitset(column.level.count);
  if (column.data.kind === 'number') {
    markInterval(column.data, everything, bits, checkpoint);
  } else {
    const wanted = new Uint8Array(column.data.table.size + 1).fill(1);
    wanted[0] = 0;
    matchCodes(column.data, wanted, bits, checkpoint);
  }
  return bits;
};

/** Below this many terms, one pass per term is faster than looking up every value in a set. */
const fewIntervals = 4;

const isOnePoint = (interval: Interval): boolean => interval.low === interval.high;
const isInexact = (column: NumberColumn): boolean => column.exact.every((exact) => exact === null);

const keywordTerms = (
  column: Column,
  data: KeywordColumn,
  values: readonly FilterValue[],
  checkpoint: Checkpoint,
): Bitset => {
  const bits = emptyBitset(column.level.count);
  const known = wantedCodes.get(values);
  const isKnown = known?.column === column && known.wanted.length > data.table.size;
  const wanted = isKnown ? known.wanted : codesOf(column, data, values, checkpoint);
  if (!isKnown) wantedCodes.set(values, { column, wanted });
  matchCodes(data, wanted, bits, checkpoint);
  return bits;
};

/** The codes of lists, which may occur in many searches: see shared-parts.ts. Strings are only ever added to a dictionary. */
const wantedCodes = new WeakMap<
  readonly FilterValue[],
  { readonly column: Column; readonly wanted: Uint8Array }
>();

/** 1 for each code of these values. */
const codesOf = (
  column: Column,
  data: KeywordColumn,
  values: readonly FilterValue[],
  checkpoint: Checkpoint,
): Uint8Array => {
  const wanted = new Uint8Array(data.table.size + 1);
  for (const [index, value] of values.entries()) {
    if ((index & pieceMask) === 0) checkpoint();
    const block = column.type === 'ip' ? addressBlock(String(value)) : null;
    if (block !== null) markBlock(data, block, wanted, checkpoint);
    else wanted[codeOf(column, data, value)] = 1;
  }
  wanted[0] = 0;
  return wordsOnly(column, data, wanted);
};

/** The ranges that overlap another. @throws TributaryError BAD_USER_INPUT for a bound that the type does not accept */
const overlapping = (
  { path, type, property }: Column,
  { table }: KeywordColumn,
  bounds: RangeBounds,
  checkpoint: Checkpoint,
): Uint8Array => {
  const sought = rangeBetween(type, property, bounds, true);
  if (sought === null)
    throw badUserInput(`${JSON.stringify(bounds)} does not bound a range of field ${path} of type ${type}`);
  const wanted = new Uint8Array(table.size + 1);
  for (let code = 1; code <= table.size; code++) {
    if ((code & pieceMask) === 0) checkpoint();
    if (overlap(rangeOfText(type, table.value(code)), sought)) wanted[code] = 1;
  }
  return wanted;
};

/** The code of a value as the column keeps it; 0 if it has none. */
export const codeOf = ({ fieldKind, form }: Column, { table }: KeywordColumn, value: FilterValue): number => {
  const term = fieldKind === 'boolean' ? booleanKey(value) : String(value);
  const stored = form === undefined ? term : form.term(term);
  return stored === null ? 0 : table.find(stored);
};

const markBlock = (
  { table }: KeywordColumn,
  [first, last]: readonly [first: string, last: string],
  wanted: Uint8Array,
  checkpoint: Checkpoint,
): void => {
  const [from, to] = [Buffer.from(first), Buffer.from(`${last}\u0001`)];
  for (let code = 1; code <= table.size; code++) {
    if ((code & pieceMask) === 0) checkpoint();
    if (table.compareTo(code, from) >= 0 && table.compareTo(code, to) < 0) wanted[code] = 1;
  }
};

/** @throws TributaryError BAD_USER_INPUT for a bound that the type does not accept */
const keptBounds = ({ path, type, form }: Column, bounds: RangeBounds): RangeBounds => {
  if (form === undefined) return bounds;
  const stored = boundNames.flatMap((name) => {
    const bound = bounds[name];
    if (bound === undefined) return [];
    const term = form.term(String(bound));
    if (term !== null) return [[name, term] as const];
    throw badUserInput(
      `${JSON.stringify(bound)} is not a value of type ${type} that can bound field ${path}`,
    );
  });
  return Object.fromEntries(stored);
};

/** The pattern for the kept strings: after their sort key, if they have one. */
const keptPattern = ({ form }: Column, pattern: readonly PatternPart[]): readonly PatternPart[] => {
  if (form === undefined) return pattern;
  if (form.isKeyed) return [{ wildcard: 'any' }, { literal: '\0' }, ...pattern];
  return pattern.map((part) =>
    'literal' in part ? { literal: form.term(part.literal) ?? part.literal } : part,
  );
};

/** Excludes the marker of texts without words. */
const wordsOnly = (column: Column, { table }: KeywordColumn, wanted: Uint8Array): Uint8Array => {
  if (column.fieldKind === 'text') wanted[table.find(noWord)] = 0;
  return wanted;
};

/** The key of true or false in a boolean column; other values are not keys of it. */
const booleanKey = (value: FilterValue): string =>
  String(value) === 'true' ? '1' : String(value) === 'false' ? '0' : 'neither';

/** Keywords are ordered by UTF-8 bytes. */
const codesWithin = ({ table }: KeywordColumn, bounds: RangeBounds, checkpoint: Checkpoint): Uint8Array => {
  const wanted = new Uint8Array(table.size + 1).fill(1);
  wanted[0] = 0;
  for (const name of boundNames) {
    if (bounds[name] === undefined) continue;
    const bytes = Buffer.from(String(bounds[name]));
    for (let code = 1; code <= table.size; code++) {
      if ((code & pieceMask) === 0) checkpoint();
      if (wanted[code] === 1 && !isWithin[name](table.compareTo(code, bytes))) wanted[code] = 0;
    }
  }
  return wanted;
};

const markInterval = (
  column: NumberColumn,
  { low, high, exactLow, exactHigh }: Interval,
  bits: Bitset,
  checkpoint: Checkpoint,
): void => {
  forEachChunk(column, bits, checkpoint, (chunk, target, exact) => {
    const { values } = chunk;
    if (exact)
      markWhere(chunk, target, (at) => {
        const value = exact[at]!;
        const isIn = (exactLow === null || value >= exactLow) && (exactHigh === null || value <= exactHigh);
        return isIn && !Number.isNaN(values[at]);
      });
    else if (chunk.offsets === null) markSingles(values, chunk.count, low, high, target);
    else markWhere(chunk, target, (at) => values[at]! >= low && values[at]! <= high);
  });
};

const markPoints = (
  column: NumberColumn,
  points: ReadonlySet<number>,
  bits: Bitset,
  checkpoint: Checkpoint,
): void => {
  forEachChunk(column, bits, checkpoint, (chunk, target) =>
    markWhere(chunk, target, (at) => points.has(chunk.values[at]!)),
  );
};

type NumberChunk = NumberColumn['chunks'][number];

/** @param visit gets a chunk, its part of the bits and, where it has some, its exact values */
const forEachChunk = (
  column: NumberColumn,
  bits: Bitset,
  checkpoint: Checkpoint,
  visit: (chunk: NumberChunk, target: Bitset, exact: NumberColumn['exact'][number] | undefined) => void,
): void => {
  column.chunks.forEach((chunk, number) => {
    checkpoint();
    visit(chunk, bits.subarray(number << (chunkBits - 5)), column.exact[number]);
  });
};

/** Branch-free, since random values defeat branch prediction; unrolled eight times as in match-codes.ts. */
const markSingles = (values: Float64Array, count: number, low: number, high: number, bits: Bitset): void => {
  const whole = count & ~31;
  for (let start = 0; start < whole; start += 32) {
    let word = 0;
    for (let i = start; i < start + 32; i += 8) {
      word |=
        (within(values[i]!, low, high) |
          (within(values[i + 1]!, low, high) << 1) |
          (within(values[i + 2]!, low, high) << 2) |
          (within(values[i + 3]!, low, high) << 3) |
          (within(values[i + 4]!, low, high) << 4) |
          (within(values[i + 5]!, low, high) << 5) |
          (within(values[i + 6]!, low, high) << 6) |
          (within(values[i + 7]!, low, high) << 7)) <<
        i;
    }
    bits[start >>> 5]! |= word;
  }
  for (let i = whole; i < count; i++) bits[i >>> 5]! |= within(values[i]!, low, high) << i;
};

/** 1 or 0. */
const within = (value: number, low: number, high: number): number =>
  Number(value >= low) & Number(value <= high);

/** Sets the bits of objects with a value whose position fits. */
const markWhere = (
  { offsets, count }: NumberChunk,
  bits: Bitset,
  fits: (position: number) => boolean,
): void => {
  for (let i = 0; i < count; i++) {
    const end = offsets === null ? i + 1 : offsets[i + 1]!;
    for (let at = offsets === null ? i : offsets[i]!; at < end; at++)
      if (fits(at)) bits[i >>> 5]! |= 1 << (i & 31);
  }
};
