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

/** The accents that a letter may carry, depending on its script, as a range of characters: first and last. */
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
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ĳ: 'ij',
    þ: 'th',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ı: 'i',
    ł: 'l',
    ŧ: 't',
    ſ: 's',
    ƀ: 'b',
    ɨ: 'i',
    ƶ: 'z',
    ς: 'σ',
    ϐ: 'β',
    ϑ: 'θ',
    ϕ: 'φ',
    ϖ: 'π',
    ϰ: 'κ',
    ϱ: 'ρ',
    ϲ: 'σ',
    ϵ: 'ε',
    µ: 'μ',
    ﬀ: 'ff',
    ﬁ: 'fi',
    ﬂ: 'fl',
    ﬃ: 'ffi',
    ﬄ: 'ffl',
    ﬅ: 'st',
    ﬆ: 'st',
  }),
);

/** Folded characters of one code unit, of which there are 65 536: decomposing costs ten times as much as a lookup. */
const known = new Map<string, string>();

const foldAny = (text: string): string => {
  let folded = '';
  for (const char of text) {
    let one = known.get(char);
    if (one === undefined) {
      one = foldCharacter(char);
      if (char.length === 1) known.set(char, one);
    }
    folded += one;
  }
  return composes.test(folded) ? folded.normalize('NFC') : folded;
};

/** Characters that may combine with the preceding one: marks other than accents, decomposed Hangul. */
const composes = /[\p{M}\u1160-\u11ff]/u;

const foldCharacter = (char: string): string =>
  Array.from(char.normalize('NFD').replace(accents, ''), (part) => {
    const lower = narrow(part).toLowerCase();
    return forms.get(lower) ?? lower;
  })
    .join('')
    .normalize('NFC');

/** Full-width forms are in the order of ASCII. */
const narrow = (char: string): string =>
  char >= '\uFF01' && char <= '\uFF5E' ? String.fromCharCode(char.charCodeAt(0) - 0xfee0) : char;

/** The ranges of characters that fold to something else: first and last code points. */
const foldedBlocks = [
  [0x41, 0x2dff],
  [0xa640, 0xa7ff],
  [0xab30, 0xabbf],
  [0xf900, 0xfb4f],
  [0xff01, 0xff5e],
  [0x10400, 0x105ef],
  [0x10c80, 0x10cff],
  [0x10d50, 0x10d8f],
  [0x118a0, 0x118df],
  [0x16e40, 0x16ebf],
  [0x1e900, 0x1e943],
  [0x2f800, 0x2fa1f],
] as const;

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
