import { TributaryError } from '../errors/errors.ts';

/**
 * Removes case and accents: the only folding in this project, used wherever text is found regardless of spelling.
 *
 * - To compare, fold both sides: `fold(value).includes(fold(wanted))`; the embedded engine, merging and the planner do.
 * - Search servers receive the spellings instead: engines/cluster/dsl/filter/folded-expression.ts builds a regular expression from
 *   `spellingsOf` and `longSpellings`, the inverse of `fold`, so both ways find the same.
 *
 * Accents are the marks of Latin, Greek and Cyrillic letters, Hebrew points and Arabic vowel signs. Marks that form a
 * different letter are kept: voiced kana, Indic vowels. Dotted and dotless Turkish i become i, final sigma becomes
 * sigma, ß becomes ss, full-width forms become ASCII. The text may grow; folding is idempotent.
 */
export const fold = (text: string): string => (asciiOnly.test(text) ? text.toLowerCase() : foldAny(text));

/** The accents a letter may carry, depending on its script, as a range of characters: first and last. */
export const accentsOf = (folded: string): readonly [string, string] | null => {
  if (/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(folded)) return ['\u0300', '\u036F'];
  if (/\p{Script=Hebrew}/u.test(folded)) return ['\u0591', '\u05C7'];
  return /\p{Script=Arabic}/u.test(folded) ? ['\u064B', '\u0670'] : null;
};

/** All single characters that fold to this folded one, itself first, then by code point. */
export const spellingsOf = (folded: string): readonly string[] => [
  folded,
  ...(spellings().short.get(folded) ?? []),
];

/** Maps letter sequences to the characters that fold to them: `ss` to ß and ẞ. */
export const longSpellings = (): ReadonlyMap<string, readonly string[]> => spellings().long;

// eslint-disable-next-line no-control-regex -- the range is all of ASCII
const asciiOnly = /^[\x00-\x7f]*$/;

const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;

/** Letters that do not decompose into base and accent, ligatures, and variants of other letters. */
const forms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss', æ: 'ae', œ: 'oe', ĳ: 'ij', þ: 'th', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ŧ: 't', ſ: 's',
    ƀ: 'b', ɨ: 'i', ƶ: 'z', ς: 'σ', ϐ: 'β', ϑ: 'θ', ϕ: 'φ', ϖ: 'π', ϰ: 'κ', ϱ: 'ρ', ϲ: 'σ', ϵ: 'ε', µ: 'μ',
    ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st',
  }),
); // prettier-ignore

/** A cache of folded single characters: decomposing costs ten times as much as a lookup. */
const known = new Map<string, string>();

const foldAny = (text: string): string => {
  let folded = '';
  for (const char of text) {
    let one = known.get(char);
    if (one === undefined) known.set(char, (one = foldCharacter(char)));
    folded += one;
  }
  return composes.test(folded) ? folded.normalize('NFC') : folded;
};

/** What may combine with the preceding character: marks other than accents, decomposed Hangul. */
const composes = /[\p{M}\u1160-\u11ff]/u;

const foldCharacter = (char: string): string =>
  Array.from(char.normalize('NFD').replace(accents, ''), (part) => {
    const lower = narrow(part).toLowerCase();
    return forms.get(lower) ?? lower;
  })
    .join('')
    .normalize('NFC');

/** Full-width forms are in ASCII order. */
const narrow = (char: string): string =>
  char >= '\uFF01' && char <= '\uFF5E' ? String.fromCharCode(char.charCodeAt(0) - 0xfee0) : char;

/** The ranges of characters that fold to something else: first and last code points. */
const foldedBlocks = [
  [0x41, 0x2dff], [0xa640, 0xa7ff], [0xab30, 0xabbf], [0xf900, 0xfb4f], [0xff01, 0xff5e], [0x10400, 0x105ef],
  [0x10c80, 0x10cff], [0x10d50, 0x10d8f], [0x118a0, 0x118df], [0x16e40, 0x16ebf], [0x1e900, 0x1e943], [0x2f800, 0x2fa1f],
] as const; // prettier-ignore

interface Spellings {
  readonly short: ReadonlyMap<string, readonly string[]>;
  readonly long: ReadonlyMap<string, readonly string[]>;
}

let made: Spellings | null = null;

/** The inverse of `fold`, built on first use. */
const spellings = (): Spellings => (made ??= turnedRound());

const turnedRound = (): Spellings => {
  const short = new Map<string, string[]>();
  const long = new Map<string, string[]>();
  for (const [first, last] of foldedBlocks)
    for (let point = first; point <= last; point += 1) {
      const char = String.fromCodePoint(point);
      const folded = fold(char);
      if (folded === char || folded === '') continue;
      const into = folded.length > String.fromCodePoint(folded.codePointAt(0)!).length ? long : short;
      const spelt = into.get(folded);
      if (spelt === undefined) into.set(folded, [char]);
      else spelt.push(char);
    }
  return { short, long };
};

/** Longer texts are not real searches, and search servers accept no longer expressions. */
const maxLength = 1_000;

/**
 * The folded text that bucket keys must contain, ignoring case and accents; null for a text that restricts nothing.
 * @throws TributaryError BAD_USER_INPUT for a text that is too long, or not well-formed Unicode
 */
export const foldedMatching = (text: string | null | undefined): string | null => {
  if (text == null) return null;
  if (text.length > maxLength) throw tooLong(text.length);
  // servers would be sent another character instead
  if (!text.isWellFormed())
    throw new TributaryError('BAD_USER_INPUT', 'matching must not hold half of a surrogate pair');
  const folded = fold(text);
  // folding may add letters, and other nodes are sent the folded text
  if (folded.length > maxLength) throw tooLong(folded.length);
  return folded === '' ? null : folded;
};

const tooLong = (length: number): TributaryError =>
  new TributaryError('BAD_USER_INPUT', `matching takes at most ${maxLength} characters, not ${length}`);

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
