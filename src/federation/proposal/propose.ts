import { dictionary, listedSynonyms } from './words.ts';

/** What is known of a field at one side. */
export interface DescribedField {
  readonly name: string;
  /** Its type in the mapping. */
  readonly type: string;
  readonly label?: string | undefined;
  readonly unit?: string | undefined;
  /** Its most frequent values, as far as known. */
  readonly values?: readonly string[] | undefined;
}

/** One field of the network, and the field of the member that means it. */
export interface ProposedField {
  readonly network: string;
  readonly own: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly reason: string;
  readonly values: readonly ProposedValue[];
  /** What a person has to know before accepting, such as another unit. */
  readonly notes: readonly string[];
}

export interface ProposedValue {
  readonly own: string;
  readonly network: string;
  readonly reason: string;
}

/** Below it, silence is better: a wrong proposal costs more than none. */
const minScore = 0.6;

/**
 * Proposes which fields of a member mean which fields of a network. Pure, and nothing is learned from data: each
 * proposal has its reason. One-to-one; the best first.
 */
export const proposeFields = (
  network: readonly DescribedField[],
  own: readonly DescribedField[],
): readonly ProposedField[] => {
  const ofOwn = own.map(spelt);
  const pairs = network
    .map(spelt)
    .flatMap((theirs) => ofOwn.flatMap((ours) => scored(theirs, ours) ?? []))
    .filter(({ score }) => score >= minScore)
    .sort((one, other) => other.score - one.score || one.theirs.name.length - other.theirs.name.length);
  const taken = new Set<DescribedField>();
  const chosen: ProposedField[] = [];
  for (const { theirs, ours, score, reason } of pairs) {
    if (taken.has(theirs) || taken.has(ours)) continue;
    // two that are as good as each other are a guess
    const isTie = pairs.some(
      (pair) =>
        pair.score === score &&
        pair.score < 1 &&
        (pair.theirs === theirs) !== (pair.ours === ours) &&
        !taken.has(pair.theirs) &&
        !taken.has(pair.ours),
    );
    if (isTie) continue;
    taken.add(theirs).add(ours);
    const values = proposeValues(theirs.values ?? [], ours.values ?? []);
    chosen.push({
      ...{ network: theirs.name, own: ours.name, score, reason, values },
      notes: notesOf(theirs, ours),
    });
  }
  return chosen;
};

interface Scored {
  readonly theirs: DescribedField;
  readonly ours: DescribedField;
  readonly score: number;
  readonly reason: string;
}

/** A field with the words of its name and label. */
interface SpeltField {
  readonly field: DescribedField;
  readonly spellings: readonly { readonly text: string; readonly words: readonly string[] }[];
}

const spelt = (field: DescribedField): SpeltField => ({
  field,
  spellings: [lastPart(field.name), ...(field.label === undefined ? [] : [field.label])].map((text) => ({
    text,
    words: wordsOf(text),
  })),
});

const scored = (oneSide: SpeltField, otherSide: SpeltField): Scored | null => {
  const [theirs, ours] = [oneSide.field, otherSide.field];
  if (!areCompatible(theirs.type, ours.type)) return null;
  const name = nameScore(oneSide, otherSide);
  const values = valueScore(theirs.values ?? [], ours.values ?? []);
  const score = Math.min(1, Math.max(name.score, values.score) + Math.min(name.score, values.score) * 0.2);
  const reasons = [name, values].filter((one) => one.score > 0).sort((a, b) => b.score - a.score);
  return { theirs, ours, score, reason: reasons.map(({ reason }) => reason).join('; ') };
};

interface Score {
  readonly score: number;
  readonly reason: string;
}

const nothing: Score = { score: 0, reason: '' };

const nameScore = (theirs: SpeltField, ours: SpeltField): Score => {
  if (theirs.field.name === ours.field.name) return { score: 1, reason: 'the same name' };
  let best = nothing;
  for (const one of theirs.spellings)
    for (const other of ours.spellings) {
      const found = wordScore(one.words, other.words);
      if (found.score > best.score)
        best = { ...found, reason: `${found.reason} (${one.text}, ${other.text})` };
    }
  return best;
};

const lastPart = (path: string): string => path.split(/\.|__/).at(-1)!;

/** Words of a name: camelCase and punctuation part them; umlauts and accents are folded, abbreviations written out. */
const wordsOf = (text: string): readonly string[] =>
  folded(text.replace(/([a-z\d])([A-Z])/g, '$1 $2'))
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !fillers.has(word))
    .flatMap((word) => dictionary.get(word)?.split(' ') ?? [word]);

const fillers = new Set([
  'the',
  'of',
  'at',
  'in',
  'a',
  'an',
  'der',
  'die',
  'das',
  'bei',
  'des',
  'de',
  'du',
  'la',
  'le',
]);

/** Lowercase, German umlauts written out, without accents. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');

const wordScore = (one: readonly string[], other: readonly string[]): Score => {
  const [first, second] = [new Set(one), new Set(other)];
  if (first.size === 0 || second.size === 0) return nothing;
  const shared = [...first].filter((word) => second.has(word)).length;
  const share = (2 * shared) / (first.size + second.size);
  if (share === 1) return { score: 0.95, reason: 'the same words' };
  if ([...first].join('') === [...second].join('')) return { score: 0.95, reason: 'the same letters' };
  // one more word may mean something else: sex and sex of the parent
  return shared > 0 && share >= 0.8 ? { score: 0.65, reason: 'nearly the same words' } : nothing;
};

const valueScore = (theirs: readonly string[], ours: readonly string[]): Score => {
  if (theirs.length < 2 || ours.length < 2) return nothing;
  if (isYesOrNo(theirs) || isYesOrNo(ours)) return nothing;
  const matched = proposeValues(theirs, ours).length + ours.filter((value) => theirs.includes(value)).length;
  const share = matched / Math.min(theirs.length, ours.length);
  return share >= 0.7 && matched >= 2
    ? { score: Math.min(0.9, share * 0.85), reason: `${matched} of its values mean the same` }
    : nothing;
};

/** Every flag has these values: they say nothing about which one it is. */
const isYesOrNo = (values: readonly string[]): boolean =>
  values.every((value) => ['yes', 'no', 'unknown'].includes(meaningOf(value) ?? ''));

/** Values of the member that mean a value of the network and are written differently. One-to-one. */
const proposeValues = (theirs: readonly string[], ours: readonly string[]): readonly ProposedValue[] => {
  const byFolded = Map.groupBy(theirs, bare);
  const byMeaning = Map.groupBy(theirs, (value) => meaningOf(value) ?? '');
  const known = new Set(theirs);
  return ours.flatMap((own): readonly ProposedValue[] => {
    if (known.has(own)) return [];
    const same = byFolded.get(bare(own)) ?? [];
    if (same.length === 1) return [{ own, network: same[0]!, reason: 'the same letters' }];
    const meaning = meaningOf(own);
    const synonyms = meaning === null ? [] : (byMeaning.get(meaning) ?? []);
    return synonyms.length === 1 && synonyms[0] !== undefined
      ? [{ own, network: synonyms[0], reason: `both mean ${meaning}` }]
      : [];
  });
};

const bare = (value: string): string => folded(value).replace(/[^a-z\d]+/g, '');

const meaningOf = (value: string): string | null => listedSynonyms.get(bare(value)) ?? null;

const numbers = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'scaled_float',
  'unsigned_long',
]);
const texts = new Set(['keyword', 'text', 'constant_keyword', 'wildcard', 'match_only_text']);

const kindOf = (type: string): string =>
  numbers.has(type) ? 'number' : texts.has(type) ? 'text' : type === 'date_nanos' ? 'date' : type;

const areCompatible = (one: string, other: string): boolean => kindOf(one) === kindOf(other);

const notesOf = (theirs: DescribedField, ours: DescribedField): readonly string[] => {
  const notes: string[] = [];
  if (theirs.unit !== undefined && ours.unit !== undefined && theirs.unit !== ours.unit)
    notes.push(`the network counts in ${theirs.unit}, this catalogue in ${ours.unit}: nothing is converted`);
  return notes;
};
