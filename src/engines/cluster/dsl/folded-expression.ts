import { accentsOf, longSpellings, spellingsOf } from '../../semantics/folding.ts';

/** What a server takes as one regular expression by default (index.max_regex_length). */
export const maxExpressionLength = 1_000;

/**
 * A regular expression of Lucene for a folded text in all its spellings: `fold` of whatever matches is that text. It
 * takes about 30 characters a letter; who uses it checks the whole against maxExpressionLength.
 */
export const foldedExpression = (folded: string): string => {
  const chars = Array.from(folded);
  const pieces: string[] = [];
  for (let at = 0; at < chars.length;) {
    const end = endOfOverlap(chars, at);
    pieces.push(end === at + 1 ? charExpression(chars[at]!) : `(${alternatives(chars, at, end).join('|')})`);
    at = end;
  }
  return pieces.join('');
};

/**
 * The same for text anywhere in a value: a character that spells several letters may begin before it or end behind it,
 * as in "Straße", which contains "stras".
 */
export const containedExpression = (folded: string): string => {
  const chars = Array.from(folded);
  const starts = overlapping(chars, (text, length) => text.slice(-length));
  const ends = overlapping(chars.toReversed(), (text, length) => text.slice(0, length).toReversed());
  const of = (from: number, to: number): string => foldedExpression(chars.slice(from, to).join(''));
  const borders = pieceEnds(chars);
  const first = borders.find((end) => end >= longest.length) ?? chars.length;
  const last = borders.findLast((end) => end <= chars.length - longest.length) ?? 0;
  if (first <= last)
    return [
      anyOf(starts.map(({ length, text }) => `${text}${of(length, first)}`)),
      of(first, last),
      anyOf(ends.map(({ length, text }) => `${of(last, chars.length - length)}${text}`)),
    ].join('');
  const within = [...longSpellings()].flatMap(([text, spelt]) => (text.includes(folded) ? spelt : []));
  const ways = starts.flatMap((start) =>
    ends
      .filter((end) => start.length + end.length <= chars.length)
      .map((end) => `${start.text}${of(start.length, chars.length - end.length)}${end.text}`),
  );
  return anyOf(within.length === 0 ? ways : [...ways, classOf(within)]);
};

const anyOf = (ways: readonly string[]): string => (ways.length === 1 ? ways[0]! : `(${ways.join('|')})`);

/** How an edge may be written: itself, or its first characters by the end of a long spelling that reaches past it. */
const overlapping = (
  chars: readonly string[],
  edgeOf: (text: readonly string[], length: number) => readonly string[],
): readonly { readonly length: number; readonly text: string }[] => [
  { length: 0, text: '' },
  // a long spelling is at least one letter longer than what it shares
  ...longest
    .map((_, at) => at + 1)
    .flatMap((length) => {
      const edge = chars.slice(0, length).join('');
      const spelt = [...longSpellings()].flatMap(([text, characters]) => {
        const letters = Array.from(text);
        return length < letters.length && edgeOf(letters, length).join('') === edge ? characters : [];
      });
      return spelt.length === 0 || length > chars.length
        ? []
        : [{ length, text: `${classOf(spelt)}${marksBehind(chars[length - 1]!)}` }];
    }),
];

/** Where no long spelling reaches across, the end included. */
const pieceEnds = (chars: readonly string[]): readonly number[] => {
  const ends: number[] = [];
  for (let at = 0; at < chars.length; ends.push(at)) at = endOfOverlap(chars, at);
  return ends;
};

/** A longer stretch of spellings inside of one another is cut: its ways multiply, and no word has it. */
const longestOverlap = 8;

/** Where long spellings that begin here, or inside of one another, have ended. */
const endOfOverlap = (chars: readonly string[], from: number): number => {
  let end = from + 1;
  for (let at = from; at < end; at += 1)
    for (const { length } of longAt(chars, at)) end = Math.max(end, at + length);
  return Math.min(end, from + longestOverlap);
};

/** The long spellings of what stands at a place. */
const longAt = (chars: readonly string[], at: number) =>
  longest
    .map((length) => ({ length, spelt: longSpellings().get(chars.slice(at, at + length).join('')) ?? [] }))
    .filter(({ length, spelt }) => spelt.length > 0 && at + length <= chars.length);

const longest = [2, 3];

/** Every way to write a stretch; the letters of one spelling after the other. */
const alternatives = (chars: readonly string[], at: number, end: number): readonly string[] => {
  if (at === end) return [''];
  const ways = [{ length: 1, text: charExpression(chars[at]!) }];
  for (const { length, spelt } of longAt(chars, at))
    ways.push({ length, text: `${classOf(spelt)}${marksBehind(chars[at]!)}` });
  return ways
    .filter(({ length }) => at + length <= end)
    .flatMap(({ length, text }) =>
      alternatives(chars, at + length, end).map((rest) => `${text}${rest}`),
    );
}; // prettier-ignore

const charExpression = (folded: string): string => {
  const one = `${classOf(spellingsOf(folded))}${marksBehind(folded)}`;
  const apart = folded.normalize('NFD');
  // voiced kana and Hangul may be stored in pieces
  return apart === folded ? one : `(${one}|${apart})`;
};

const marksBehind = (folded: string): string => {
  const marks = accentsOf(folded);
  return marks === null ? '' : `[${marks[0]}-${marks[1]}]*`;
};

/** A character class with its runs as ranges; one character stands alone. */
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

const escaped = (char: string): string => (/[\p{ASCII}--[a-zA-Z0-9]]/v.test(char) ? `\\${char}` : char);
