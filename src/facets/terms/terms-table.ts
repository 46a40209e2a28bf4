import { TributaryError } from '../../errors/errors.ts';
import type { JsonValue } from '../../json/json.ts';
import type { NodeCount } from '../../search/facet-answer.ts';
import { maxMerged } from '../row/wire.ts';
import type { KeyIndexes, TermsList } from './terms-lists.ts';
import { emptyColumn, fillColumn, openKeyIndexes, filteredIn, nodesIn, topHitIn } from './terms-lists.ts';

/** The combined data of all lists for each key, by index. */
export interface TermsTable {
  readonly keys: readonly string[];
  /** key_as_string. */
  readonly labels: readonly (string | undefined)[];
  readonly lower: Float64Array;
  /** See knownBound. */
  readonly upper: Float64Array;
  /** Estimated count; null unless every node whose count is a range gives one, and where all counts are exact. */
  readonly estimateAt: (index: number) => number | null;
  /** The nodes that listed it, with their counts. */
  readonly nodesAt: (index: number) => readonly NodeCount[];
  /** For each filter: how many documents of the bucket match it; undefined when none was requested. */
  readonly filteredAt: (index: number) => readonly number[] | undefined;
  /** The first document of the first node that gives one; undefined when none does. */
  readonly topHitAt: (index: number) => JsonValue | undefined;
}

/** In sums, in the place of an upper bound that is not known: larger than any count, and exact when subtracted again. */
export const unknownBound = 2 ** 44;

/** A sum of upper bounds; null when one of them is not known. */
export const knownBound = (bound: number): number | null => (bound < unknownBound / 2 ? bound : null);

/**
 * Sums the lists. A single column of counts, indexed by key, is reused for each list: it is small enough for a
 * processor's cache, unlike an object for each of a million buckets.
 * @throws TributaryError BAD_USER_INPUT for more different values than can be ordered in a reasonable time
 */
export const termsTable = (lists: readonly TermsList[]): TermsTable => {
  const indexes = openKeyIndexes();
  let column = emptyColumn(0);
  let lower: Float64Array = new Float64Array(0);
  let upper: Float64Array = lower;
  for (const list of lists) {
    const max = indexes.keys.length + list.buckets.length;
    if (column.length < max) {
      column = emptyColumn(2 * max);
      lower = enlarged(lower, 2 * max);
      upper = enlarged(upper, 2 * max);
    }
    const { listed, others } = fillColumn(column, list, indexes);
    if (indexes.keys.length > maxMerged) throw tooManyValues();
    for (const index of listed) {
      const count = column[index]!;
      lower[index]! += count;
      upper[index]! += count - list.smallest;
      column[index] = -1;
    }
    for (const [index, more] of others) upper[index]! += more;
    addUncertain(upper, list, indexes);
  }
  const { keys, labels } = indexes;
  const cut = lists.filter(({ smallest }) => smallest > 0);
  if (cut.length > 0) addUnlisted(upper, cut, keys);
  return {
    keys,
    labels,
    lower: lower.subarray(0, keys.length),
    upper: upper.subarray(0, keys.length),
    estimateAt: estimatesIn(lists, indexes, lower),
    nodesAt: nodesIn(lists, indexes),
    filteredAt: filteredIn(lists, indexes),
    topHitAt: topHitIn(lists, indexes),
  };
};

const tooManyValues = (): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `the nodes have more than ${maxMerged} different values together: ask for the most frequent ones with max, or narrow the filter`,
  );

/** What buckets may hold beyond their counts. */
const addUncertain = (upper: Float64Array, { buckets, values }: TermsList, { byKey }: KeyIndexes): void => {
  for (const { key, count, upperBound } of buckets)
    if (upperBound !== undefined)
      upper[byKey[values ? values.toNetwork(key) : key]!]! += (upperBound ?? unknownBound) - count;
};

/** Counts and guesses of all nodes, where any node guesses. */
const estimatesIn = (
  lists: readonly TermsList[],
  { byKey }: KeyIndexes,
  lower: Float64Array,
): TermsTable['estimateAt'] => {
  const more = new Map<number, number>();
  for (const { buckets, values } of lists)
    for (const { key, count, upperBound, estimate } of buckets) {
      if (upperBound === undefined || upperBound === count) continue;
      const index = byKey[values ? values.toNetwork(key) : key]!;
      more.set(index, (more.get(index) ?? 0) + (estimate ?? NaN) - count);
    }
  return (index) => {
    const beyond = more.get(index);
    return beyond === undefined || Number.isNaN(beyond) ? null : lower[index]! + Math.max(0, beyond);
  };
};

/** A truncated node may hold e of each value it did not list, for every value that the key stands for. */
const addUnlisted = (upper: Float64Array, lists: readonly TermsList[], keys: readonly string[]): void => {
  const ofOne = lists.reduce((sum, { smallest }) => sum + smallest, 0);
  const several = lists.filter(({ values }) => values !== null);
  for (let index = 0; index < keys.length; index += 1) {
    upper[index]! += ofOne;
    for (const { values, smallest } of several)
      upper[index]! += (values!.toNode(keys[index]!).length - 1) * smallest;
  }
};

const enlarged = (column: Float64Array, length: number): Float64Array => {
  const larger = new Float64Array(length);
  larger.set(column);
  return larger;
};
