import type { PatternPart } from '../../sqon/filter.ts';
import { neverStopped, pieceMask, type Checkpoint } from './checkpoint.ts';
import type { StringTable } from './string-table.ts';

/**
 * Which strings of a table match a whole pattern: wanted[code] is 1. Each distinct string is looked at once, and only
 * those that hold the pattern's longest literal, which a byte search finds.
 */
export const matchingCodes = (
  table: StringTable,
  pattern: readonly PatternPart[],
  caseInsensitive: boolean,
  checkpoint: Checkpoint = neverStopped,
): Uint8Array => {
  const wanted = new Uint8Array(table.size + 1);
  const steps = stepsOf(pattern, caseInsensitive);
  const literal = longestLiteral(pattern);
  const holdingIsEnough = isAnywhere(pattern);
  let tested = 0;
  const test = (code: number): void => {
    if ((++tested & pieceMask) === 0) checkpoint();
    if (holdingIsEnough) {
      wanted[code] = 1;
      return;
    }
    const value = table.value(code);
    if (matches(steps, caseInsensitive ? foldAscii(value) : value, checkpoint)) wanted[code] = 1;
  };
  if (literal === '') {
    for (let code = 1; code <= table.size; code++) test(code);
    return wanted;
  }
  const bytes = caseInsensitive ? table.foldedBytes() : table.usedBytes();
  const sought = Buffer.from(caseInsensitive ? foldAscii(literal) : literal);
  forEachHolding(table, bytes, sought, checkpoint, test);
  return wanted;
};

/** One step of a pattern: a code point, any one code point, or any run of them. */
type Step = number | 'one' | 'any';

const stepsOf = (pattern: readonly PatternPart[], caseInsensitive: boolean): readonly Step[] =>
  pattern.flatMap((part): readonly Step[] => {
    if ('wildcard' in part) return [part.wildcard];
    return codePoints(caseInsensitive ? foldAscii(part.literal) : part.literal);
  });

/** Greedy matching with a step back to the last `any`: at worst the product of both lengths. */
const matches = (steps: readonly Step[], value: string, checkpoint: Checkpoint): boolean => {
  const text = codePoints(value);
  let step = 0;
  let at = 0;
  let lastAny = -1;
  let resume = 0;
  while (at < text.length) {
    if (steps[step] === 'any') {
      lastAny = step++;
      resume = at;
    } else if (steps[step] === 'one' || steps[step] === text[at]) {
      step++;
      at++;
    } else if (lastAny >= 0) {
      step = lastAny + 1;
      at = ++resume;
      if ((resume & pieceMask) === 0) checkpoint();
    } else {
      return false;
    }
  }
  while (steps[step] === 'any') step++;
  return step === steps.length;
};

const codePoints = (text: string): readonly number[] => Array.from(text, (point) => point.codePointAt(0)!);

/** Lowercases A to Z only, as the engines' case_insensitive does. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (run) => run.toLowerCase());

/** Whether the pattern is one literal between any runs, the usual search. */
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

/** Bytes looked through between two checkpoints. */
const bytesToPiece = 1 << 22;

/** Calls `visit` once for each code whose bytes contain `wanted`. */
const forEachHolding = (
  table: StringTable,
  bytes: Buffer,
  wanted: Buffer,
  checkpoint: Checkpoint,
  visit: (code: number) => void,
): void => {
  let start = 0;
  while (start < bytes.length) {
    // a find may begin at the end of a piece
    const piece = bytes.subarray(start, start + bytesToPiece + wanted.length - 1);
    let next = 0;
    for (let at = piece.indexOf(wanted); at >= 0; at = piece.indexOf(wanted, next)) {
      const code = codeAt(table, start + at);
      const end = table.offsets[code]! - start;
      // a find across the border of two strings is none
      const isInside = at + wanted.length <= end;
      if (isInside) visit(code);
      next = isInside ? end : at + 1;
    }
    start += Math.max(bytesToPiece, next);
    checkpoint();
  }
};

/** The code whose string covers a byte position, by halving. */
const codeAt = (table: StringTable, position: number): number => {
  let low = 1;
  let high = table.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (table.offsets[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return low;
};
