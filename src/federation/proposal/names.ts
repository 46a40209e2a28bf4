import { dictionary, folded, unitIn, units } from './words.ts';

/** How likely two fields mean the same, from 0 to 1, and why. */
export interface Score {
  readonly score: number;
  readonly reason: string;
}

const nothing: Score = { score: 0, reason: '' };

/** A name, a label or a description with its words. */
export interface Spelling {
  readonly kind: 'name' | 'label' | 'description';
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

const fillers = new Set(
  'that which who whose when where was were is are has have been as it its from source the of at in on a an for by to with der die das bei des dem von vom im am auf zu mit fuer ein eine de du la le les l d au aux en sur pour par un une'.split(
    ' ',
  ),
);

/** The words of a text, split at camelCase, punctuation and within compounds; abbreviations are written out. */
export const wordsOf = (text: string): readonly string[] =>
  folded(
    text
      // OMOP's names for columns with values as the source wrote them
      .replace(/_source_value$/i, '')
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .replace(/&/g, ' and '),
  )
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !fillers.has(word))
    .flatMap(
      (word) => dictionary.get(word) ?? dictionary.get(singular(word)) ?? partsOf(word) ?? [singular(word)],
    );

const singular = (word: string): string => (word.length > 4 ? word.replace(/(?<![siu])s$/, '') : word);

/** The words of a compound such as Diagnosedatum if all of them are known; else null. */
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

/** The end of a path, a label with and without the text in brackets, and a description of a few words. */
export const spellingsOf = (
  { name, label, description, type }: Described,
  unit: string | null,
): readonly Spelling[] => {
  const texts: readonly (readonly [kind: Spelling['kind'], text: string | undefined])[] = [
    ['name', lastPart(name)],
    ['label', label],
    ['label', label?.replace(/\(.*?\)/g, '').trim()],
    ['description', description],
  ];
  const spellings = texts.flatMap(([kind, text]) =>
    text === undefined ? [] : [{ kind, text, words: significant(wordsOf(text), type, unit) }],
  );
  return spellings.filter(({ kind, words }) => kind !== 'description' || words.size <= maxDescribing);
};

interface Described {
  readonly name: string;
  readonly type: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
}

/** Longer descriptions mention much that is not about the field. */
const maxDescribing = 8;

/** The last part of a path, with the one before it if it says little by itself: creator.full_name. */
const lastPart = (path: string): string => {
  const parts = path.split(/\.|__/);
  const last = parts.at(-1)!;
  return parts.length > 1 && wordsOf(last).every((word) => light.has(word))
    ? parts.slice(-2).join('.')
    : last;
};

/** Without words that the type or the unit says already: "date" for a date, "cm" for a length. */
const significant = (words: readonly string[], type: string, unit: string | null): ReadonlySet<string> => {
  const left = words.filter(
    (word) =>
      !(type.startsWith('date') && (word === 'date' || word === 'time')) &&
      !(unit !== null && unitIn(word) === unit),
  );
  return new Set(left.length === 0 ? words : left);
};

/** Words for the kind of value, which do not say what it describes. */
const light = new Set(
  'code id number name full item submitter type status level flag category value primary description method unit'.split(
    ' ',
  ),
);

/** Words that may be left out: a donor's sex is a sex. */
const isSpare = (word: string): boolean => light.has(word) || units.has(word) || spare.has(word);
const spare = new Set(['person', 'biological', 'recorded']);

/** Compares names, labels and descriptions by their words, in any order. */
export const nameScore = (theirs: readonly Spelling[], ours: readonly Spelling[]): Score => {
  let best = nothing;
  for (const theirName of theirs)
    for (const other of ours) {
      const isDescribed = theirName.kind === 'description' || other.kind === 'description';
      const { score: ofWords, reason } = (isDescribed ? describedScore : wordScore)(
        theirName.words,
        other.words,
      );
      // labels are less exact than names
      const score =
        ofWords - (theirName.kind === 'label' ? labelCost : 0) - (other.kind === 'label' ? labelCost : 0);
      if (score > best.score) best = { score, reason: `${reason} (${theirName.text}, ${other.text})` };
    }
  return best;
};

const labelCost = 0.03;

const wordScore = (a: ReadonlySet<string>, b: ReadonlySet<string>): Score => {
  if (a.size === 0 || b.size === 0) return nothing;
  const [more, less] = [without(a, b), without(b, a)];
  if (more.length + less.length === 0) return { score: 0.95, reason: 'the same words' };
  if ([...a].join('') === [...b].join('')) return { score: 0.95, reason: 'the same letters' };
  if (areAbbreviated(more, less)) return { score: 0.85, reason: 'the same words, abbreviated' };
  const shared = [...a].filter((word) => b.has(word));
  if (shared.every((word) => light.has(word))) return nothing;
  const isLight = [more, less].map((rest) => rest.every(isSpare));
  if (isLight[0] && isLight[1])
    return more.length === 0 || less.length === 0
      ? { score: 0.7, reason: 'nearly the same words' }
      : { score: 0.3, reason: 'some of the same words' };
  // one more word may change the meaning: sex and sex of the parent
  const share = (2 * shared.length) / (2 * shared.length + heavy(more) + heavy(less));
  return {
    score: (more.length === 0 || less.length === 0 ? 0.6 : 0.45) * share,
    reason: 'some of the same words',
  };
};

const heavy = (words: readonly string[]): number => words.filter((word) => !light.has(word)).length;

/** Whether the remaining words of one are abbreviations of the other's: lat of latitude. */
const areAbbreviated = (more: readonly string[], less: readonly string[]): boolean =>
  more.length === less.length &&
  more.every(
    (word) => less.filter((other) => isBeginning(word, other) || isBeginning(other, word)).length === 1,
  );

const isBeginning = (short: string, long: string): boolean =>
  short.length >= minPart && short.length + 2 <= long.length && long.startsWith(short);

/** A description has the words of the other name, and few others. */
const describedScore = (a: ReadonlySet<string>, b: ReadonlySet<string>): Score => {
  const [fewer, rest] = a.size <= b.size ? [a, without(b, a)] : [b, without(a, b)];
  const shared = Math.max(a.size, b.size) - rest.length;
  if (shared < fewer.size || [...fewer].every((word) => light.has(word))) return nothing;
  const share = shared / (shared + rest.length);
  if (share < 1 && (fewer.size < 2 || share < 0.4)) return nothing;
  return { score: 0.55 + 0.25 * share, reason: 'as it is described' };
};

const without = (words: ReadonlySet<string>, excluded: ReadonlySet<string>): readonly string[] =>
  [...words].filter((word) => !excluded.has(word));
