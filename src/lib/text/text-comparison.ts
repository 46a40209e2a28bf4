import { badUserInput, type TributaryError } from '../errors/errors.ts';
import { fold } from './fold.ts';

/** Real searches are shorter, and search servers accept no longer expressions. */
const maxLength = 1_000;

/**
 * The folded text that bucket keys must contain, ignoring case and accents; null for a text that restricts nothing.
 * @throws TributaryError BAD_USER_INPUT for a text that is too long, or not well-formed Unicode
 */
export const foldedMatching = (text: string): string | null => {
  if (text.length > maxLength) throw tooLong(text.length);
  // servers would receive another character instead
  if (!text.isWellFormed()) throw badUserInput('matching must not hold half of a surrogate pair');
  const folded = fold(text);
  // folding may add letters, and the folded text is sent to other nodes
  if (folded.length > maxLength) throw tooLong(folded.length);
  return folded === '' ? null : folded;
};

const tooLong = (length: number): TributaryError =>
  badUserInput(`matching takes at most ${maxLength} characters, not ${length}`);

/** Whether a bucket key contains a folded text. */
export const keyContains =
  (folded: string): ((key: string) => boolean) =>
  (key) =>
    fold(key).includes(folded);

/** One search word as the client wrote it, and whether it is a prefix. */
export interface SearchWord {
  readonly word: string;
  readonly isPrefix: boolean;
}

/**
 * Tests whether a keyword contains the word: its parts in sequence, each as a whole (the last part of a prefix may
 * continue), with any separators. So `o'neil` finds "Shaun O’Neil", `brca` as a prefix "BRCA1-positive", but nothing
 * matches inside a word: ung is not in "Lung". Each ideograph is a word, as in texts: 京 is found in 東京都.
 */
export const keywordTest = (wanted: SearchWord): ((value: string) => boolean) => {
  const wantedParts = foldedParts(wanted.word);
  const [first = ''] = wantedParts;
  const parts = wantedParts.join(' ');
  if (parts === '') return () => false;
  const startsAnywhere = ideograph.test(String.fromCodePoint(parts.codePointAt(0)!));
  const endsAnywhere = wanted.isPrefix || endsInIdeograph.test(parts);
  return (value) => {
    const folded = fold(value);
    if (!folded.includes(first)) return false;
    const text = partsOf(folded).join(' ');
    for (let at = text.indexOf(parts); at >= 0; at = text.indexOf(parts, at + 1)) {
      const end = at + parts.length;
      const begins = at === 0 || startsAnywhere || isBorder.test(text.slice(Math.max(0, at - 2), at));
      if (begins && (end === text.length || endsAnywhere || startsBorder.test(text.slice(end, end + 2))))
        return true;
    }
    return false;
  };
};

/** The folded text between separators. */
export const foldedParts = (text: string): readonly string[] => partsOf(fold(text));

const partsOf = (folded: string): readonly string[] => folded.split(separators).filter((part) => part !== '');

/**
 * The word separators in a keyword, as the inside of a character class valid in both JavaScript and search servers:
 * white space, punctuation and symbols of ASCII, Latin-1, general and CJK punctuation, arrows and mathematical signs.
 */
export const separatorClass =
  '\u0001-/:-@\\[-`{-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u060c\u061b\u061f\u06d4\u0964\u0965\u1680' +
  '\u2000-\u206f\u2190-\u23ff\u2500-\u25ff\u2900-\u2bff\u3000-\u3004\u3008-\u3020\u3030\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65';

/** Characters that are words without separators, as the inside of such a class: Han and Hiragana. */
export const ideographClass =
  '\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3041-\u3096\u309d\u309e\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{323af}';

const separators = new RegExp(`[${separatorClass}]+`, 'u');
const ideograph = new RegExp(`^[${ideographClass}]`, 'u');
const endsInIdeograph = new RegExp(`[${ideographClass}]$`, 'u');
const isBorder = new RegExp(`[ ${ideographClass}]$`, 'u');
const startsBorder = new RegExp(`^[ ${ideographClass}]`, 'u');

/**
 * Compares two strings by their UTF-8 bytes, that is by code point. JavaScript's own `<` compares UTF-16 units and puts
 * surrogate pairs before U+E000 to U+FFFF.
 */
export const utf8Order = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const leftUnit = left.charCodeAt(at);
    const rightUnit = right.charCodeAt(at);
    if (leftUnit !== rightUnit) return rank(leftUnit) - rank(rightUnit);
  }
  return left.length - right.length;
};

/** The sort position of a unit: surrogates represent code points above all others. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
