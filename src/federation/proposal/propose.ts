import {
  areComparable,
  conflictOf,
  familyOf,
  rangeOverlap,
  unitOf,
  type ComparedField,
  type DescribedField,
} from './compatible.ts';
import { nameScore, spellingsOf, type Score, type Spelling } from './names.ts';
import { listValues, proposeValues, sharedValues, type ProposedValue } from './values.ts';

/** One field of the network, and the field of the member with the same meaning. */
export interface ProposedField {
  readonly network: string;
  readonly own: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly reason: string;
  readonly values: readonly ProposedValue[];
  /** Why a person has to decide, such as another unit: the pair is shown, but only taken if the names are equal. */
  readonly conflict: string | null;
}

/** Pairs below it are not proposed: a wrong proposal costs more than none. */
const minScore = 0.6;
/** With a smaller lead over the next pair, the choice would be a guess. */
const minLead = 0.02;

/**
 * Proposes which fields of a member mean which fields of a network. Pure, and nothing is learned from data: each
 * proposal has its reason. One-to-one, the best first.
 */
export const proposeFields = (
  network: readonly DescribedField[],
  described: readonly DescribedField[],
): readonly ProposedField[] => {
  const ofOwn = described.map(spelt);
  const pairs = network
    .map(spelt)
    .flatMap((theirs) => ofOwn.flatMap((ours) => scored(theirs, ours) ?? []))
    .sort((a, b) => b.score - a.score);
  const all = chosen(pairs).map(proposed);
  const containers = containersOf(all, network, described);
  const fits = ({ network: path, own: ours }: ProposedField): boolean => {
    const container = containers.get(nestedAbove(network, path));
    return container === undefined || container.own === nestedAbove(described, ours);
  };
  const agreed = [...containers.values()].filter(
    (container) =>
      container.own !== '' &&
      !all.some((pair) => pair.network === container.network || pair.own === container.own),
  );
  return [...agreed, ...all.filter((pair) => fits(pair) && !(containers.get(pair.network)?.own === ''))];
};

/** A field with the words of its name and label. */
interface SpeltField extends ComparedField {
  readonly spellings: readonly Spelling[];
}

const spelt = (field: DescribedField): SpeltField => {
  const unit = unitOf(field);
  return {
    ...{ field, unit, family: familyOf(field.type), listed: listValues(meaningsOf(field)) },
    spellings: spellingsOf(field, unit),
  };
};

/** The values of a field, by their labels where they have any: a code says nothing to others. */
const meaningsOf = ({ values, labels = {} }: DescribedField): readonly string[] | undefined =>
  values?.map((value) => {
    const label = Object.hasOwn(labels, value) ? labels[value] : undefined;
    return typeof label === 'string' ? label : value;
  });

interface Pair extends Score {
  readonly theirs: SpeltField;
  readonly ours: SpeltField;
}

const scored = (theirs: SpeltField, ours: SpeltField): Pair | null => {
  if (!areComparable(theirs, ours)) return null;
  if (theirs.field.name === ours.field.name) return { theirs, ours, score: 1, reason: 'the same name' };
  const name = nameScore(theirs.spellings, ours.spellings);
  const support = supportOf(theirs, ours);
  // if the names say the same, values only decide between them
  const weight = name.score > 0.85 ? 0.04 : 1;
  const score = name.score + weight * (support?.score ?? 0);
  if (score < minScore) return null;
  const reasons = [name, ...(support === null ? [] : [support])].filter((evidence) => evidence.score > 0);
  return {
    ...{ theirs, ours, score: Math.min(0.99, score) },
    reason: reasons.map(({ reason }) => reason).join('; '),
  };
};

/** The score from values of a pair: enough by itself if nearly all mean the same. */
const supportOf = (theirs: SpeltField, ours: SpeltField): Score | null => {
  const [theirList, ourList] = [theirs.listed, ours.listed];
  if (theirList.codes !== null && theirList.codes === ourList.codes)
    return { score: 0.65, reason: `both have ${theirList.codes} codes` };
  if (theirList.isFlag || ourList.isFlag) return null;
  const { count, share } = sharedValues(theirList, ourList);
  if (count >= 2 && share >= 0.5)
    return { score: share >= 0.7 ? 0.75 * share + 0.1 : 0.3, reason: `${count} of its values mean the same` };
  const overlap = rangeOverlap(theirs, ours) ?? 0;
  return overlap > 0.5 && ours.unit !== null && ours.unit === theirs.unit
    ? { score: 0.2, reason: `both are in ${ours.unit}, in like ranges` }
    : null;
};

/** The best pairs, each field once; none of several that are equally good. */
const chosen = (pairs: readonly Pair[]): readonly Pair[] => {
  const taken = new Set<SpeltField>();
  const ofTheirs = Map.groupBy(pairs, ({ theirs }) => theirs);
  const ofOurs = Map.groupBy(pairs, ({ ours }) => ours);
  return pairs.filter(({ theirs, ours, score }) => {
    if (taken.has(theirs) || taken.has(ours)) return false;
    const isTie = [...ofTheirs.get(theirs)!, ...ofOurs.get(ours)!].some(
      (pair) =>
        score - pair.score < minLead &&
        score < 1 &&
        (pair.theirs === theirs) !== (pair.ours === ours) &&
        !taken.has(pair.theirs) &&
        !taken.has(pair.ours),
    );
    if (isTie) return false;
    taken.add(theirs).add(ours);
    return true;
  });
};

const proposed = ({ theirs, ours, score, reason }: Pair): ProposedField => ({
  ...{ network: theirs.field.name, own: ours.field.name, score, reason },
  values: valuesBetween(theirs, ours),
  conflict: conflictOf(theirs, ours),
});

/** The network's value for each value of the member that the network does not have itself. */
const valuesBetween = (theirs: SpeltField, ours: SpeltField): readonly ProposedValue[] => {
  const alike = new Map(proposeValues(theirs.listed, ours.listed).map((pair) => [pair.own, pair]));
  return (ours.field.values ?? []).flatMap((value, at) => {
    const meaning = ours.listed.values[at]!;
    if (meaning === value) return alike.get(value) ?? [];
    if (theirs.listed.known.has(value)) return [];
    if (theirs.listed.known.has(meaning)) return { own: value, network: meaning, reason: 'its label' };
    const match = alike.get(meaning);
    return match ? { ...match, own: value, reason: `its label: ${match.reason}` } : [];
  });
};

/** Pairs of nested fields: each with the one that contains most fields of the same meaning. */
const containersOf = (
  pairs: readonly ProposedField[],
  network: readonly DescribedField[],
  described: readonly DescribedField[],
): ReadonlyMap<string, ProposedField> => {
  const byContainer = Map.groupBy(pairs, (pair) => nestedAbove(network, pair.network));
  return new Map(
    [...byContainer].flatMap(([path, within]) => {
      if (path === '') return [];
      const [most] = [...Map.groupBy(within, (pair) => nestedAbove(described, pair.own))].sort(
        ([, a], [, b]) => b.length - a.length,
      );
      const [ours, { length }] = most!;
      const reason = `${length} of their fields mean the same`;
      return [[path, { network: path, own: ours, score: 0.9, reason, values: [], conflict: null }]];
    }),
  );
};

/** The innermost nested field above a path; '' if there is none. */
const nestedAbove = (fields: readonly DescribedField[], path: string): string =>
  fields
    .filter(({ name, type }) => type === 'nested' && path.startsWith(`${name}.`))
    .reduce((longest, { name }) => (name.length > longest.length ? name : longest), '');
