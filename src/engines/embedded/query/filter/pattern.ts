import type { PatternPart } from '../../../../sqon/filter.ts';
import { neverStopped, pieceMask, type Checkpoint } from '../../columns/search-run.ts';
import type { TermDictionary } from '../../columns/term-dictionary.ts';

/**
 * Which strings of a table match a whole pattern: wanted[code] is 1. Each distinct string is checked once, and only if
 * it contains the pattern's longest literal, which a byte search finds.
 */
export const matchingCodes = (
  table: TermDictionary,
  pattern: readonly PatternPart[],
  caseInsensitive: boolean,
  checkpoint: Checkpoint = neverStopped,
): Uint8Array => {
  const wanted = new Uint8Array(table.size + 1);
  const steps = stepsOf(pattern, caseInsensitive);
  const literal = longestLiteral(pattern);
  const holdingIsEnough = isAnywhere(pattern);
  const bytes = caseInsensitive ? table.foldedBytes(checkpoint) : table.usedBytes();
  let tested = 0;
  const test = (code: number): void => {
    if ((++tested & pieceMask) === 0) checkpoint();
    const isMatch =
      holdingIsEnough || matches(steps, bytes, table.offsets[code - 1]!, table.offsets[code]!, checkpoint);
    if (isMatch) wanted[code] = 1;
  };
  if (literal === '') {
    for (let code = 1; code <= table.size; code++) test(code);
    return wanted;
  }
  forEachHolding(table, bytes, bytesOf(literal, caseInsensitive), checkpoint, test);
  return wanted;
};

/**
 * Which strings of a table begin with one of these texts: wanted[code] is 1. In one pass, as each string has its place
 * among the sorted texts.
 */
export const codesBeginning = (
  table: TermDictionary,
  prefixes: readonly string[],
  caseInsensitive: boolean,
  checkpoint: Checkpoint = neverStopped,
): Uint8Array => {
  const wanted = new Uint8Array(table.size + 1);
  const bytes = caseInsensitive ? table.foldedBytes(checkpoint) : table.usedBytes();
  const sorted = shortestOnly(prefixes.map((prefix) => bytesOf(prefix, caseInsensitive)));
  for (let code = 1; code <= table.size; code++) {
    if ((code & pieceMask) === 0) checkpoint();
    if (beginsWithAny(sorted, bytes, table.offsets[code - 1]!, table.offsets[code]!)) wanted[code] = 1;
  }
  return wanted;
};

/** Sorted, without those that begin with another one. */
const shortestOnly = (prefixes: readonly Buffer[]): readonly Buffer[] => {
  const shortest: Buffer[] = [];
  for (const prefix of prefixes.toSorted((a, b) => a.compare(b))) {
    const last = shortest.at(-1);
    if (last === undefined || startOrder(prefix, 0, prefix.length, last) !== 0) shortest.push(prefix);
  }
  return shortest;
};

const beginsWithAny = (sorted: readonly Buffer[], bytes: Buffer, start: number, end: number): boolean => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = startOrder(bytes, start, end, sorted[middle]!);
    if (order === 0) return true;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return false;
};

/** How a string compares with a prefix: 0 if it begins with it. */
const startOrder = (bytes: Buffer, start: number, end: number, prefix: Buffer): number => {
  for (let i = 0; i < prefix.length; i++) {
    if (start + i >= end) return -1;
    const difference = bytes[start + i]! - prefix[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Pattern steps besides literal bytes: any single code point, or any run of them. */
const anyCharacter = 256;
const any = 257;

const stepsOf = (pattern: readonly PatternPart[], caseInsensitive: boolean): Uint16Array =>
  Uint16Array.from(
    pattern.flatMap((part): readonly number[] => {
      if ('wildcard' in part) return [part.wildcard === 'one' ? anyCharacter : any];
      return [...bytesOf(part.literal, caseInsensitive)];
    }),
  );

const bytesOf = (literal: string, caseInsensitive: boolean): Buffer =>
  Buffer.from(caseInsensitive ? foldAscii(literal) : literal);

/** Greedy matching that backtracks to the last `any`: O(product of both lengths) at worst. */
const matches = (
  steps: Uint16Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  checkpoint: Checkpoint,
): boolean => {
  if (!endsAlike(steps, bytes, start, end)) return false;
  let step = 0;
  let at = start;
  let lastAny = -1;
  let resume = start;
  let back = 0;
  while (at < end) {
    const wanted = steps[step];
    if (wanted === any) {
      lastAny = step++;
      resume = at;
    } else if (wanted === anyCharacter) {
      step++;
      at = nextPoint(bytes, at, end);
    } else if (wanted === bytes[at]) {
      step++;
      at++;
    } else if (lastAny >= 0) {
      step = lastAny + 1;
      at = resume = nextPoint(bytes, resume, end);
      if ((++back & pieceMask) === 0) checkpoint();
    } else {
      return false;
    }
  }
  while (steps[step] === any) step++;
  return step === steps.length;
};

/** Whether the string ends with the bytes after the pattern's last wildcard, which rules out most strings. */
const endsAlike = (steps: Uint16Array, bytes: Uint8Array, start: number, end: number): boolean => {
  for (let step = steps.length - 1, at = end - 1; step >= 0 && steps[step]! < anyCharacter; step--, at--)
    if (at < start || bytes[at] !== steps[step]) return false;
  return true;
};

/** The start of the next code point: bytes of the form 10xxxxxx are continuation bytes. */
const nextPoint = (bytes: Uint8Array, at: number, end: number): number => {
  let next = at + 1;
  while (next < end && (bytes[next]! & 0xc0) === 0x80) next++;
  return next;
};

/** Lowercases A to Z only, as the engines' case_insensitive does. */
const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (run) => run.toLowerCase());

/** Whether the pattern is one literal between `any` steps, the usual search. */
const isAnywhere = (pattern: readonly PatternPart[]): boolean => {
  const [before, literal, after, ...more] = pattern;
  const isAny = (part: PatternPart | undefined) =>
    part !== undefined && 'wildcard' in part && part.wildcard === 'any';
  return (
    more.length === 0 &&
    isAny(before) &&
    isAny(after) &&
    literal !== undefined &&
    'literal' in literal &&
    literal.literal !== ''
  );
};

const longestLiteral = (pattern: readonly PatternPart[]): string =>
  pattern.reduce(
    (best, part) => ('literal' in part && part.literal.length > best.length ? part.literal : best),
    '',
  );

/** Bytes searched between two checkpoints. */
const bytesToPiece = 1 << 22;

/** Calls `visit` once for each code whose bytes contain `wanted`. */
export const forEachHolding = (
  table: TermDictionary,
  bytes: Buffer,
  wanted: Buffer,
  checkpoint: Checkpoint,
  visit: (code: number) => void,
): void => {
  let start = 0;
  let code = 1;
  while (start < bytes.length) {
    // a match may start at the end of a piece
    const piece = bytes.subarray(start, start + bytesToPiece + wanted.length - 1);
    let next = 0;
    for (let at = piece.indexOf(wanted); at >= 0; at = piece.indexOf(wanted, next)) {
      code = codeAt(table, start + at, code);
      const end = table.offsets[code]! - start;
      // a match across the boundary of two strings does not count
      const isInside = at + wanted.length <= end;
      if (isInside) visit(code);
      next = isInside ? end : at + 1;
    }
    start += Math.max(bytesToPiece, next);
    checkpoint();
  }
};

/** The code whose string covers a byte position, by galloping then binary search from a code that is not past it. */
const codeAt = ({ offsets, size }: TermDictionary, position: number, from: number): number => {
  let low = from;
  let high = from;
  for (let step = 1; high < size && offsets[high]! <= position; step *= 2) {
    low = high + 1;
    high = Math.min(size, high + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return low;
};
