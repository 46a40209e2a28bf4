import { TributaryError } from '../../errors.ts';
import { maxMerged } from '../row/max-listed.ts';
import type { ValueMap } from '../row/value-map.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { BucketAnswer, NodeCount } from '../../search/facet-answer.ts';
import { nodeParts } from '../row/node-counts.ts';

/** One node's list. */
export interface TermsList {
  readonly nodeId: string;
  readonly buckets: readonly BucketAnswer[];
  /** e: the highest count the node may have for a key that it did not list; 0 for a complete list. */
  readonly smallest: number;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** Maps its documents to the network's; unset: they are the same. */
  readonly documentOf?: ((document: JsonObject) => JsonObject) | undefined;
}

/** The combined data of all lists for each key, by index. */
export interface TermsTable {
  readonly keys: readonly string[];
  /** key_as_string. */
  readonly labels: readonly (string | undefined)[];
  readonly lower: Float64Array;
  /** See knownBound. */
  readonly upper: Float64Array;
  /** Estimated count; null unless every node whose count is a range gives one, and where all counts are exact. */
  readonly estimateAt: (place: number) => number | null;
  /** The nodes that listed it, with their counts. */
  readonly nodesAt: (place: number) => readonly NodeCount[];
  /** For each filter: how many documents of the bucket match it; undefined when none was asked for. */
  readonly filteredAt: (place: number) => readonly number[] | undefined;
  /** The first document of the first node that gives one; undefined when none does. */
  readonly topHitAt: (place: number) => JsonValue | undefined;
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
  const places = openPlaces();
  let column = emptyColumn(0);
  let lower: Float64Array = new Float64Array(0);
  let upper: Float64Array = lower;
  const uncertain: TermsList[] = [];
  for (const list of lists) {
    const most = places.keys.length + list.buckets.length;
    if (column.length < most) {
      column = emptyColumn(2 * most);
      lower = enlarged(lower, 2 * most);
      upper = enlarged(upper, 2 * most);
    }
    const { others, isUncertain } = fillColumn(column, list, places);
    if (places.keys.length > maxMerged) throw tooManyValues();
    for (let place = 0; place < places.keys.length; place += 1) {
      const count = column[place]!;
      if (count < 0) continue;
      lower[place]! += count;
      upper[place]! += count - list.smallest;
      column[place] = -1;
    }
    for (const [place, more] of others) upper[place]! += more;
    if (isUncertain) {
      addUncertain(upper, list, places);
      uncertain.push(list);
    }
  }
  const { keys, labels } = places;
  const cut = lists.filter(({ smallest }) => smallest > 0);
  if (cut.length > 0) addUnlisted(upper, cut, keys);
  return {
    keys,
    labels,
    lower: lower.subarray(0, keys.length),
    upper: upper.subarray(0, keys.length),
    estimateAt: estimatesIn(uncertain, places, lower),
    nodesAt: nodesIn(lists, places),
    filteredAt: filteredIn(lists, places),
    topHitAt: topHitIn(lists, places),
  };
};

const tooManyValues = (): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `the nodes have more than ${maxMerged} different values together: ask for the most frequent ones with max, or narrow the filter`,
  );

/** What buckets may hold beyond their counts. */
const addUncertain = (upper: Float64Array, { buckets, values }: TermsList, { byKey }: Places): void => {
  for (const { key, count, upperBound } of buckets)
    if (upperBound !== undefined)
      upper[byKey[values ? values.toNetwork(key) : key]!]! += (upperBound ?? unknownBound) - count;
};

/** Counts and guesses of all nodes, where any node guesses. */
const estimatesIn = (
  lists: readonly TermsList[],
  { byKey }: Places,
  lower: Float64Array,
): TermsTable['estimateAt'] => {
  const more = new Map<number, number>();
  for (const { buckets, values } of lists)
    for (const { key, count, upperBound, estimate } of buckets) {
      if (upperBound === undefined || upperBound === count) continue;
      const place = byKey[values ? values.toNetwork(key) : key]!;
      more.set(place, (more.get(place) ?? 0) + (estimate ?? NaN) - count);
    }
  return (place) => {
    const beyond = more.get(place);
    return beyond === undefined || Number.isNaN(beyond) ? null : lower[place]! + Math.max(0, beyond);
  };
};

/** A truncated node may hold e of each value it did not list, for every value that the key stands for. */
const addUnlisted = (upper: Float64Array, lists: readonly TermsList[], keys: readonly string[]): void => {
  const ofOne = lists.reduce((sum, { smallest }) => sum + smallest, 0);
  const several = lists.filter(({ values }) => values !== null);
  for (let place = 0; place < keys.length; place += 1) {
    upper[place]! += ofOne;
    for (const { values, smallest } of several)
      upper[place]! += (values!.toNode(keys[place]!).length - 1) * smallest;
  }
};

/** -1: not listed. */
const emptyColumn = (length: number): Float64Array => new Float64Array(length).fill(-1);

const enlarged = (column: Float64Array, length: number): Float64Array => {
  const larger = new Float64Array(length);
  larger.set(column);
  return larger;
};

interface Places {
  /** Has no prototype. With hundreds of thousands of keys an object lookup takes half as long as in a Map. */
  readonly byKey: Record<string, number>;
  readonly keys: string[];
  readonly labels: (string | undefined)[];
}

const openPlaces = (): Places => ({
  byKey: Object.create(null) as Record<string, number>,
  keys: [],
  labels: [],
});

interface FilledColumn {
  /** By index, where several values map to one key: the most that the others may add. */
  readonly others: ReadonlyMap<number, number>;
  /** Whether some bucket may hold more than its count. */
  readonly isUncertain: boolean;
}

/**
 * Writes a list into an empty column; where several values map to one key, the largest count, which is certain. New
 * keys get an index. Long lists do not fit a processor's cache: everything is read in one pass.
 */
const fillColumn = (
  column: Float64Array,
  { buckets, values, smallest }: TermsList,
  { byKey, keys, labels }: Places,
): FilledColumn => {
  const others = new Map<number, number>();
  let isUncertain = false;
  for (const { key: own, keyAsString, count, upperBound } of buckets) {
    if (upperBound !== undefined) isUncertain = true;
    const key = values ? values.toNetwork(own) : own;
    let place = byKey[key];
    if (place === undefined) {
      place = keys.push(key) - 1;
      byKey[key] = place;
      labels.push(keyAsString);
    }
    const known = column[place]!;
    column[place] = Math.max(known, count);
    // this value is listed, so it holds no e
    if (known >= 0) others.set(place, (others.get(place) ?? 0) + Math.min(known, count) - smallest);
  }
  return { others, isUncertain };
};

/** A column for each node, built on first use: few clients need it. */
const nodesIn = (lists: readonly TermsList[], places: Places): TermsTable['nodesAt'] => {
  let columns: readonly ((place: number) => readonly NodeCount[])[] | null = null;
  const columnOf = (list: TermsList): ((place: number) => readonly NodeCount[]) => {
    if (list.buckets[0]?.nodes !== undefined) return partsIn(list, places);
    const counts = emptyColumn(places.keys.length);
    fillColumn(counts, list, places);
    return (place) => (counts[place]! < 0 ? [] : [{ nodeId: list.nodeId, count: counts[place]! }]);
  };
  return (place) => (columns ??= lists.map(columnOf)).flatMap((partsAt) => partsAt(place));
};

/** Of a network, the parts of its nodes in the largest of the buckets that are shown as one, whose count is shown. */
const partsIn = (list: TermsList, places: Places): TermsTable['nodesAt'] => {
  const buckets = bucketsByPlace(list, places);
  return (place) => {
    const [largest] = (buckets.get(place) ?? []).toSorted((left, right) => right.count - left.count);
    return largest === undefined ? [] : nodeParts(list.nodeId, largest);
  };
};

/** The buckets of a list by index, those of values that are shown as one together. */
const bucketsByPlace = (
  { buckets, values }: TermsList,
  { byKey }: Places,
): ReadonlyMap<number, readonly BucketAnswer[]> => {
  const found = new Map<number, BucketAnswer[]>();
  for (const bucket of buckets) {
    const place = byKey[values ? values.toNetwork(bucket.key) : bucket.key]!;
    const known = found.get(place);
    if (known) known.push(bucket);
    else found.set(place, [bucket]);
  }
  return found;
};

/** Sums over the nodes; where several values are shown as one, the largest count, which is certain. */
const filteredIn = (lists: readonly TermsList[], places: Places): TermsTable['filteredAt'] => {
  const filters = Math.max(0, ...lists.map(({ buckets }) => buckets[0]?.filtered?.length ?? 0));
  if (filters === 0) return () => undefined;
  const byList = lists.map((list) => bucketsByPlace(list, places));
  return (place) =>
    Array.from({ length: filters }, (_, at) =>
      byList.reduce(
        (sum, listed) =>
          sum + (listed.get(place) ?? []).reduce((most, { filtered }) => Math.max(most, filtered?.[at] ?? 0), 0),
        0,
      ),
    );
}; // prettier-ignore

const topHitIn = (lists: readonly TermsList[], places: Places): TermsTable['topHitAt'] => {
  if (!lists.some(({ buckets }) => buckets[0]?.topHit !== undefined)) return () => undefined;
  const byList = lists.map((list) => ({ list, listed: bucketsByPlace(list, places) }));
  return (place) => {
    for (const { list, listed } of byList)
      for (const { topHit } of listed.get(place) ?? [])
        if (topHit !== undefined && topHit !== null)
          return list.documentOf && isJsonObject(topHit) ? list.documentOf(topHit) : topHit;
    return undefined;
  };
};
