import { accentsOf, longSpellings, spellingsOf } from '../../../../lib/text/fold.ts';

/** The default length limit of a regular expression (index.max_regex_length). */
export const maxExpressionLength = 1_000;

/** A way to write the letters of a folded text from some position on: how many of them, and by which expression. */
interface Spelling {
  readonly length: number;
  readonly expression: string;
}

/** For each letter of a folded text, the spellings that start there. */
type SpellingsByStart = readonly (readonly Spelling[])[];

/**
 * A Lucene regular expression for all spellings of a folded text: `fold` of any match is that text. It takes about 30
 * characters per letter; callers check the total against maxExpressionLength.
 */
export const foldedExpression = (folded: string): string => {
  const letters = Array.from(folded);
  return spelt(
    letters.map((_, at) => spellingsAt(letters, at)),
    0,
    letters.length,
  );
};

/**
 * An expression for text anywhere in a value: a character that spells several letters may start before the text or end after
 * it, as in "Straße", which contains "stras".
 */
export const containedExpression = (folded: string): string => {
  const letters = Array.from(folded);
  const spellings = letters.map((_, at) => [
    ...spellingsAt(letters, at),
    ...[1, 2, 3].flatMap((length) => spellingsPastEdges(letters, at, length)),
  ]);
  return spelt(spellings, 0, letters.length);
};

/**
 * The expression for the letters from `from` to `to`. Where no spelling spans a border between two letters, the parts on
 * both sides follow each other. Where each border is spanned, as in "sss", the ways are those past the middle border and
 * those by a spelling that spans it: the length grows with the cube of such a run, where listing all ways would double
 * it with each letter.
 */
const spelt = (spellings: SpellingsByStart, from: number, to: number): string => {
  if (from === to) return '';
  const border = firstBorder(spellings, from, to);
  if (border < to) return spelt(spellings, from, border) + spelt(spellings, border, to);
  if (to === from + 1) return anyOf(within(spellings, from, to).map(({ expression }) => expression));
  const middle = Math.floor((from + to) / 2);
  const spanning = within(spellings, from, to)
    .filter(({ at, length }) => at < middle && at + length > middle)
    .map(({ at, length, expression }) =>
      [spelt(spellings, from, at), expression, spelt(spellings, at + length, to)].join(''),
    );
  return anyOf([spelt(spellings, from, middle) + spelt(spellings, middle, to), ...spanning]);
};

/** The spellings that start and end between two positions. */
const within = (
  spellings: SpellingsByStart,
  from: number,
  to: number,
): readonly (Spelling & { readonly at: number })[] =>
  spellings
    .slice(from, to)
    .flatMap((some, index) => some.map((spelling) => ({ ...spelling, at: from + index })))
    .filter(({ at, length }) => at + length <= to);

/** The first position after `from` that no spelling spans; `to` if there is none before it. */
const firstBorder = (spellings: SpellingsByStart, from: number, to: number): number => {
  let border = from + 1;
  for (const { at, length } of within(spellings, from, to))
    if (at < border) border = Math.max(border, at + length);
  return border;
};

const anyOf = (ways: readonly string[]): string => (ways.length === 1 ? ways[0]! : `(${ways.join('|')})`);

/** The spellings of the letters from a position on: each by itself, or several by one character, as "ss" by "ß". */
const spellingsAt = (letters: readonly string[], at: number): readonly Spelling[] => [
  { length: 1, expression: charExpression(letters[at]!) },
  ...[2, 3].flatMap((length) => {
    const characters = longSpellings().get(letters.slice(at, at + length).join('')) ?? [];
    return spellingBy(letters, at, length, at + length <= letters.length ? characters : []);
  }),
];

/** The spellings of `length` letters by characters that also spell letters before the text, after it, or both. */
const spellingsPastEdges = (letters: readonly string[], at: number, length: number): readonly Spelling[] => {
  const end = at + length;
  const [first, last] = [at === 0, end === letters.length];
  const part = letters.slice(at, end).join('');
  const fits = (text: string): boolean =>
    text !== part &&
    ((first && last && text.includes(part)) ||
      (first && text.endsWith(part)) ||
      (last && text.startsWith(part)));
  const characters =
    end > letters.length ? [] : [...longSpellings()].flatMap(([text, some]) => (fits(text) ? some : []));
  return spellingBy(letters, at, length, characters);
};

const spellingBy = (
  letters: readonly string[],
  at: number,
  length: number,
  characters: readonly string[],
): readonly Spelling[] =>
  characters.length === 0
    ? []
    : [
        {
          length,
          expression: `${classOf([...new Set(characters)])}${marksBehind(letters[at + length - 1]!)}`,
        },
      ];

const charExpression = (folded: string): string => {
  const character = `${classOf(spellingsOf(folded))}${marksBehind(folded)}`;
  const apart = folded.normalize('NFD');
  // voiced kana and Hangul may be stored decomposed
  return apart === folded ? character : `(${character}|${apart})`;
};

const marksBehind = (folded: string): string => {
  const marks = accentsOf(folded);
  return marks === null ? '' : `[${marks[0]}-${marks[1]}]*`;
};

/** A character class with runs as ranges; a single character needs no class. */
const classOf = (chars: readonly string[]): string => {
  if (chars.length === 1) return escaped(chars[0]!);
  const points = chars.map((char) => char.codePointAt(0)!).sort((left, right) => left - right);
  let text = '';
  for (let at = 0; at < points.length;) {
    let end = at;
    while (points[end + 1] === points[end]! + 1) end += 1;
    const [first, last] = [points[at]!, points[end]!].map((point) => escaped(String.fromCodePoint(point)));
    text += end === at ? first! : end === at + 1 ? `${first}${last}` : `${first}-${last}`;
    at = end + 1;
  }
  return `[${text}]`;
};

/** A character as a regular expression of Lucene. */
export const escaped = (char: string): string =>
  /[\p{ASCII}--[a-zA-Z0-9]]/v.test(char) ? `\\${char}` : char;
