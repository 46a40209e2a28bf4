import type { TermDictionary } from '../../columns/term-dictionary.ts';
import { pieceMask, type Checkpoint } from '../../columns/search-run.ts';
import { separatorClass } from '../../../../lib/text/text-comparison.ts';
import { forEachHolding } from './pattern.ts';

/** Tests a string of a dictionary, whatever its characters. */
export type StringTest = (value: string) => boolean;

/** Tests a string of ASCII by its lowercased bytes, which contain the text sought. */
export type BytesTest = (bytes: Uint8Array, start: number, end: number) => boolean;

/**
 * The strings that pass a test: wanted[code] is 1. ASCII strings can only pass if they contain a folded text, which a
 * byte search finds; all others are folded and tested.
 * @param holding a text that every passing folded string contains; "" matches none
 * @param ofAscii the same test for strings of ASCII, if there is a faster one
 */
export const foldedCodes = (
  table: TermDictionary,
  holding: string,
  test: StringTest,
  checkpoint: Checkpoint,
  ofAscii: BytesTest | null = null,
): Uint8Array => {
  const wanted = new Uint8Array(table.size + 1);
  if (holding === '') return wanted;
  let tested = 0;
  const mark = (code: number, passes: boolean): void => {
    if ((++tested & pieceMask) === 0) checkpoint();
    wanted[code] = Number(passes);
  };
  if (isAscii(holding)) {
    const bytes = table.foldedBytes(checkpoint);
    forEachHolding(table, bytes, Buffer.from(holding), checkpoint, (code) => {
      const passes =
        ofAscii === null
          ? test(table.value(code))
          : ofAscii(bytes, table.offsets[code - 1]!, table.offsets[code]!);
      mark(code, passes);
    });
  }
  for (const code of table.beyondAscii(checkpoint)) mark(code, test(table.value(code)));
  return wanted;
};

// eslint-disable-next-line no-control-regex -- the range is all of ASCII
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/**
 * Whether a part of a word stands between separators in a string of ASCII, as keywordTest would find it.
 * @param isPrefix the string may continue after it
 */
export const partTest = (part: string, isPrefix: boolean): BytesTest => {
  const wanted = Buffer.from(part);
  return (bytes, start, end) => {
    for (let at = start; at + wanted.length <= end; at++) {
      if (bytes[at] !== wanted[0] || !(at === start || isSeparator[bytes[at - 1]!])) continue;
      const after = at + wanted.length;
      if ((isPrefix || after === end || isSeparator[bytes[after]!]) && isAt(wanted, bytes, at)) return true;
    }
    return false;
  };
};

const isAt = (wanted: Uint8Array, bytes: Uint8Array, at: number): boolean => {
  for (let i = 1; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
};

/** By the code of a character of ASCII. */
const isSeparator: readonly boolean[] = Array.from({ length: 0x80 }, (_, code) =>
  new RegExp(`[${separatorClass}]`, 'u').test(String.fromCharCode(code)),
);
