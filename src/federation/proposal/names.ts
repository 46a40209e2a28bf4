import { dictionary, folded, unitIn } from './words.ts';

/** How much two fields mean the same, from 0 to 1, and why. */
export interface Score {
  readonly score: number;
  readonly reason: string;
}

const nothing: Score = { score: 0, reason: '' };

/** A name or a label with the words that it means. */
export interface Spelling {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

const fillers = new Set(
  'the of at in on a an for by to with der die das bei des dem von vom im am auf zu mit fuer ein eine de du la le les l d au aux en sur pour par un une'.split(
    ' ',
  ),
);

/** Words of a text: camelCase and punctuation part them, and those of compounds; abbreviations are written out. */
export const wordsOf = (text: string): readonly string[] =>
  folded(text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/&/g, ' and '))
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !fillers.has(word))
    .flatMap(
      (word) => dictionary.get(word) ?? dictionary.get(singular(word)) ?? partsOf(word) ?? [singular(word)],
    );

const singular = (word: string): string => (word.length > 4 ? word.replace(/(?<![siu])s$/, '') : word);

/** The words of a compound such as Diagnosedatum, where all of them are known; null: it is none. */
const partsOf = (word: string): readonly string[] | null => {
  for (let at = word.length - minPart; at >= minPart; at -= 1) {
    const known = dictionary.get(word.slice(0, at));
    if (known === undefined) continue;
    // Erkrankungs-alter
    for (const rest of [word.slice(at), word.slice(at).replace(/^(s|es|n|en)(?=...)/, '')]) {
      const others = dictionary.get(rest) ?? partsOf(rest);
      if (others != null) return [...known, ...others];
    }
  }
  return null;
};

const minPart = 3;

/** The end of a path, and a label with and without what stands in brackets. */
export const spellingsOf = (
  {
    name,
    label,
    type,
  }: { readonly name: string; readonly label?: string | undefined; readonly type: string },
  unit: string | null,
): readonly Spelling[] => {
  const texts = [
    lastPart(name),
    ...(label === undefined ? [] : [label, label.replace(/\(.*?\)/g, '').trim()]),
  ];
  return [...new Set(texts)].map((text) => ({ text, words: significant(wordsOf(text), type, unit) }));
};

/** The last part of a path, with the one before it where it says little by itself: creator.full_name. */
const lastPart = (path: string): string => {
  const parts = path.split(/\.|__/);
  const last = parts.at(-1)!;
  return parts.length > 1 && wordsOf(last).every((word) => light.has(word))
    ? parts.slice(-2).join('.')
    : last;
};

/** Without the words that the type and the unit say already: the date of a date, the cm of a length. */
const significant = (words: readonly string[], type: string, unit: string | null): ReadonlySet<string> => {
  const left = words.filter(
    (word) => !(type.startsWith('date') && word === 'date') && !(unit !== null && unitIn(word) === unit),
  );
  return new Set(left.length === 0 ? words : left);
};

/** Words that say what kind of value a field has, rather than of what. */
const light = new Set(
  'code id number name full item submitter type status level flag category value primary description method unit'.split(
    ' ',
  ),
);

/** Compares names and labels by their words, in whatever order. */
export const nameScore = (theirs: readonly Spelling[], ours: readonly Spelling[]): Score => {
  let best = nothing;
  for (const [at, one] of theirs.entries())
    for (const [otherAt, other] of ours.entries()) {
      const { score: ofWords, reason } = wordScore(one.words, other.words);
      // labels say less exactly than names what is meant
      const score = ofWords - (at > 0 ? labelCost : 0) - (otherAt > 0 ? labelCost : 0);
      if (score > best.score) best = { score, reason: `${reason} (${one.text}, ${other.text})` };
    }
  return best;
};

const labelCost = 0.03;

const wordScore = (one: ReadonlySet<string>, other: ReadonlySet<string>): Score => {
  if (one.size === 0 || other.size === 0) return nothing;
  const [more, less] = [without(one, other), without(other, one)];
  if (more.length + less.length === 0) return { score: 0.95, reason: 'the same words' };
  if ([...one].join('') === [...other].join('')) return { score: 0.95, reason: 'the same letters' };
  const shared = [...one].filter((word) => other.has(word));
  if (shared.every((word) => light.has(word))) return nothing;
  const isLight = [more, less].map((rest) => rest.every((word) => light.has(word)));
  if (isLight[0] && isLight[1])
    return more.length === 0 || less.length === 0
      ? { score: 0.7, reason: 'nearly the same words' }
      : { score: 0.3, reason: 'some of the same words' };
  // one more word may mean something else: sex and sex of the parent
  const share = (2 * shared.length) / (one.size + other.size);
  return {
    score: (more.length === 0 || less.length === 0 ? 0.6 : 0.45) * share,
    reason: 'some of the same words',
  };
};

const without = (one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] =>
  [...one].filter((word) => !other.has(word));
