import { accentsOf, longSpellings, spellingsOf } from '../../semantics/folding.ts';

/** The default length limit of a regular expression (index.max_regex_length). */
export const maxExpressionLength = 1_000;

/**
 * A Lucene regular expression for all spellings of a folded text: `fold` of any match is that text. It takes about 30
 * characters per letter; callers check the total against maxExpressionLength.
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
 * The same for text anywhere in a value: a character that spells several letters may start before the text or end after
 * it, as in "Straße", which contains "stras".
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

/** The ways to write an edge: as is, or with its first characters covered by a long spelling that extends past it. */
const overlapping = (
  chars: readonly string[],
  edgeOf: (text: readonly string[], length: number) => readonly string[],
): readonly { readonly length: number; readonly text: string }[] => [
  { length: 0, text: '' },
  // a long spelling is at least one letter longer than the overlap
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

/** The positions that no long spelling spans, including the end. */
const pieceEnds = (chars: readonly string[]): readonly number[] => {
  const ends: number[] = [];
  for (let at = 0; at < chars.length; ends.push(at)) at = endOfOverlap(chars, at);
  return ends;
};

/** Longer runs of overlapping spellings are cut: the alternatives multiply, and no real word has them. */
const longestOverlap = 8;

/** The end of the long spellings that start here or overlap one that does. */
const endOfOverlap = (chars: readonly string[], from: number): number => {
  let end = from + 1;
  for (let at = from; at < end; at += 1)
    for (const { length } of longAt(chars, at)) end = Math.max(end, at + length);
  return Math.min(end, from + longestOverlap);
};

/** The long spellings of the text at a position. */
const longAt = (chars: readonly string[], at: number) =>
  longest
    .map((length) => ({ length, spelt: longSpellings().get(chars.slice(at, at + length).join('')) ?? [] }))
    .filter(({ length, spelt }) => spelt.length > 0 && at + length <= chars.length);

const longest = [2, 3];

/** Every way to write a run of letters, one spelling after the other. */
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
  // voiced kana and Hangul may be stored decomposed
  return apart === folded ? one : `(${one}|${apart})`;
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

const escaped = (char: string): string => (/[\p{ASCII}--[a-zA-Z0-9]]/v.test(char) ? `\\${char}` : char);
