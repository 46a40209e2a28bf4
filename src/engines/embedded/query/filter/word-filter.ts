import type { Filter } from '../../../../sqon/filter.ts';
import { fold } from '../../../semantics/folding.ts';
import { foldedParts, keywordTest } from '../../../semantics/search-word.ts';
import type { Bitset } from '../../columns/bitset.ts';
import { emptyBitset, fullBitset, intersect } from '../../columns/bitset.ts';
import type { Checkpoint } from '../../columns/checkpoint.ts';
import { pieceMask } from '../../columns/checkpoint.ts';
import type { Column } from '../../columns/nested-level.ts';
import type { TermDictionary } from '../../columns/term-dictionary.ts';
import { tokensOf } from '../../columns/value-reader.ts';
import { matchCodes } from './match-codes.ts';
import { forEachHolding } from './pattern.ts';

/** The objects with a value that contains a word or, for text, all tokens the analyser makes of it. */
export const wordBits = (
  column: Column,
  { word, isPrefix, except = [] }: Extract<Filter, { kind: 'word' }>,
  checkpoint: Checkpoint,
): Bitset => {
  const { data } = column;
  const none = emptyBitset(column.level.count);
  if (data.kind !== 'keyword' || column.fieldKind === 'boolean') return none;
  const marked = (wanted: Uint8Array): Bitset => {
    const bits = emptyBitset(column.level.count);
    matchCodes(data, wanted, bits, checkpoint);
    return bits;
  };
  if (column.fieldKind !== 'text') {
    const wanted = codesOf(
      data.table,
      longestOf(foldedParts(word)),
      keywordTest({ word, isPrefix }),
      checkpoint,
    );
    for (const value of except) wanted[data.table.find(value)] = 0;
    return marked(wanted);
  }
  const tokens = tokensOf(word).map(fold);
  if (tokens.length === 0) return none;
  const found = fullBitset(column.level.count);
  for (const [position, token] of tokens.entries()) {
    const isOpen = isPrefix && position === tokens.length - 1;
    const test = (value: string): boolean => (isOpen ? fold(value).startsWith(token) : fold(value) === token);
    intersect(found, marked(codesOf(data.table, token, test, checkpoint)));
  }
  return found;
};

const longestOf = (parts: readonly string[]): string =>
  parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');

/**
 * The strings that pass a test: wanted[code] is 1. ASCII strings can only pass if they contain a folded text, which a
 * byte search finds; all others are folded and tested.
 * @param holding a text that every passing folded string contains; "" matches none
 */
const codesOf = (
  table: TermDictionary,
  holding: string,
  test: (value: string) => boolean,
  checkpoint: Checkpoint,
): Uint8Array => {
  const wanted = new Uint8Array(table.size + 1);
  if (holding === '') return wanted;
  const candidates = new Uint8Array(table.size + 1);
  if (isAscii(holding))
    forEachHolding(table, table.foldedBytes(checkpoint), Buffer.from(holding), checkpoint, (code) => {
      candidates[code] = 1;
    });
  const bytes = table.usedBytes();
  let tested = 0;
  for (let code = 1; code <= table.size; code++) {
    if ((code & pieceMask) === 0) checkpoint();
    if (candidates[code] === 0 && !goesBeyondAscii(bytes, table.offsets[code - 1]!, table.offsets[code]!))
      continue;
    if ((++tested & testedMask) === 0) checkpoint();
    if (test(table.value(code))) wanted[code] = 1;
  }
  return wanted;
};

/** Strings folded between two checkpoints. */
const testedMask = (1 << 12) - 1;

// eslint-disable-next-line no-control-regex -- the range is all of ASCII
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

const goesBeyondAscii = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return true;
  return false;
};
