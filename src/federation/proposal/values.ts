import { wordsOf } from './names.ts';
import { bare, codeForms, folded, listedValues } from './words.ts';

/** A value of the member that means one of the network's but is written differently. */
export interface ProposedValue {
  readonly own: string;
  readonly network: string;
  readonly reason: string;
}

/** The values of a field, read once for all fields that they are compared with. */
export interface ListedValues {
  readonly values: readonly string[];
  /** The kind of code that nearly all of them are, such as ICD-10; null: none. */
  readonly codes: string | null;
  /** Whether they are yes and no, which do not show what the field is about. */
  readonly isFlag: boolean;
  readonly known: ReadonlySet<string>;
  /** A list for each way of comparing: equal keys for values that mean the same, null where it does not apply. */
  readonly keys: readonly (readonly (string | null)[])[];
  readonly byKey: readonly ReadonlyMap<string | null, readonly string[]>[];
}

/** Fields with more values have titles or remarks rather than codes: none is proposed. */
const maxListed = 60;

export const listValues = (all: readonly string[] = []): ListedValues => {
  const compared = all.length > maxListed ? [] : all;
  const keys = ways.map(({ keysOf }) => keysOf(compared));
  return {
    values: all,
    codes: codeFormOf(all),
    isFlag: isFlag(all),
    known: new Set(all),
    keys,
    byKey: keys.map((some) => Map.groupBy(compared, (_, at) => some[at] ?? null)),
  };
};

/** Values of the member that mean a value of the network but are written differently. */
export const proposeValues = (theirs: ListedValues, ours: ListedValues): readonly ProposedValue[] =>
  ours.values.flatMap((value, at) => {
    const match = theirs.known.has(value) ? null : matchOf(theirs, ours, at);
    return match === null ? [] : [{ own: value, ...match }];
  });

const matchOf = (
  theirs: ListedValues,
  ours: ListedValues,
  at: number,
): Pick<ProposedValue, 'network' | 'reason'> | null => {
  for (let way = 0; way < ways.length; way += 1) {
    const key = ours.keys[way]![at] ?? null;
    const same = key === null ? undefined : theirs.byKey[way]!.get(key);
    if (same?.length === 1) return { network: same[0]!, reason: ways[way]!.reason };
  }
  return null;
};

interface Way {
  readonly reason: string;
  readonly keysOf: (values: readonly string[]) => readonly (string | null)[];
}

/** Without case, accents, and separators between letters: signs such as those of HER2+ or -20 have a meaning. */
const lettersOf = (value: string): string =>
  value.length === 1
    ? value.toLowerCase()
    : folded(value)
        .trim()
        .replace(/(?<=[a-z\d])[\s_.-]+(?=[a-z])|(?<=[a-z])[\s_.-]+(?=\d)|\.$/g, '');

const hasSigns = (value: string): boolean => /[+<>=?≥≤±~*]|-\d|-$/.test(value);

const wordsKey = (value: string): string | null =>
  hasSigns(value) ? null : [...wordsOf(value)].sort().join(' ') || null;

/** The meanings of values by a list that contains most of them. */
const meaningsIn =
  (list: Readonly<Record<string, readonly string[]>>): Way['keysOf'] =>
  (values) => {
    const meanings = values.map((value) => {
      const letters = bare(value);
      return Object.keys(list).find((meaning) => list[meaning]!.includes(letters)) ?? null;
    });
    const isAmong = 2 * meanings.filter((meaning) => meaning !== null).length >= values.length;
    return isAmong ? meanings : meanings.map(() => null);
  };

const ways: readonly Way[] = [
  { reason: 'the same letters', keysOf: (values) => values.map(lettersOf) },
  ...listedValues.map((list) => ({ reason: 'the same meaning', keysOf: meaningsIn(list) })),
  { reason: 'the same words', keysOf: (values) => values.map(wordsKey) },
];

/** How many values of two fields mean the same, and their share of the shorter list. */
export const sharedValues = (
  theirs: ListedValues,
  ours: ListedValues,
): { readonly count: number; readonly share: number } => {
  const shorter = Math.min(theirs.values.length, ours.values.length);
  let count = 0;
  for (const [at, value] of ours.values.entries()) {
    if (theirs.known.has(value) || matchOf(theirs, ours, at) !== null) count += 1;
    // less than half even if all others match
    if (2 * (count + ours.values.length - at - 1) < shorter) break;
  }
  return { count, share: shorter === 0 ? 0 : count / shorter };
};

const flagValues = new Set(Object.values(listedValues[2]!).flat());

const isFlag = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((value) => flagValues.has(bare(value)));

const codeFormOf = (values: readonly string[]): string | null => {
  if (values.length < 3) return null;
  const [closest] =
    Object.entries(codeForms).find(
      ([, form]) => values.filter((value) => form.test(value.trim())).length >= 0.8 * values.length,
    ) ?? [];
  return closest ?? null;
};
