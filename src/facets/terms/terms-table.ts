import { TributaryError } from '../../errors.ts';
import { maxMerged } from '../row/max-listed.ts';
import type { ValueMap } from '../row/value-map.ts';
import type { TermsBucket } from '../../engines/measure.ts';

/** One node's list. */
export interface TermsList {
  readonly nodeId: string;
  readonly buckets: readonly TermsBucket[];
  /** e: the highest count the node may have for a key that it did not list; 0 for a complete list. */
  readonly smallest: number;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
}

/** The combined data of all lists for each key, by index. */
export interface TermsTable {
  readonly keys: readonly string[];
  /** key_as_string. */
  readonly labels: readonly (string | null)[];
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** The nodes that listed it, with their counts. */
  readonly nodesAt: (place: number) => readonly { readonly nodeId: string; readonly count: number }[];
}

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
  for (const list of lists) {
    const most = places.keys.length + list.buckets.length;
    if (column.length < most) {
      column = emptyColumn(2 * most);
      lower = enlarged(lower, 2 * most);
      upper = enlarged(upper, 2 * most);
    }
    const others = fillColumn(column, list, places);
    if (places.keys.length > maxMerged) throw tooManyValues();
    for (let place = 0; place < places.keys.length; place += 1) {
      const count = column[place]!;
      if (count < 0) continue;
      lower[place]! += count;
      upper[place]! += count - list.smallest;
      column[place] = -1;
    }
    for (const [place, more] of others) upper[place]! += more;
  }
  const { keys, labels } = places;
  addUnlisted(upper, lists, keys);
  return {
    keys,
    labels,
    lower: lower.subarray(0, keys.length),
    upper: upper.subarray(0, keys.length),
    nodesAt: nodesIn(lists, places),
  };
};

const tooManyValues = (): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `the nodes have more than ${maxMerged} different values together: ask for the most frequent ones with max, or narrow the filter`,
  );

/** A truncated node may hold e of each value it did not list, for every value that the key stands for. */
const addUnlisted = (upper: Float64Array, lists: readonly TermsList[], keys: readonly string[]): void => {
  const ofOne = lists.reduce((sum, { smallest }) => sum + smallest, 0);
  const several = lists.filter(({ values, smallest }) => values !== null && smallest > 0);
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
  readonly labels: (string | null)[];
}

const openPlaces = (): Places => ({
  byKey: Object.create(null) as Record<string, number>,
  keys: [],
  labels: [],
});

/**
 * Writes a list into an empty column; where several values map to one key, the largest count, which is certain. New
 * keys get an index.
 * @returns by index, where several values map to one key: the most that the others may add
 */
const fillColumn = (
  column: Float64Array,
  { buckets, values, smallest }: TermsList,
  { byKey, keys, labels }: Places,
): ReadonlyMap<number, number> => {
  const others = new Map<number, number>();
  for (const { key: own, keyAsString, count } of buckets) {
    const key = values ? values.toNetwork(own) : own;
    let place = byKey[key];
    if (place === undefined) {
      place = keys.push(key) - 1;
      byKey[key] = place;
      labels.push(keyAsString ?? null);
    }
    const known = column[place]!;
    column[place] = Math.max(known, count);
    // this value is listed, so it holds no e
    if (known >= 0) others.set(place, (others.get(place) ?? 0) + Math.min(known, count) - smallest);
  }
  return others;
};

/** A column for each node, built on first use: few clients need it. */
const nodesIn = (lists: readonly TermsList[], places: Places): TermsTable['nodesAt'] => {
  let columns: readonly { readonly nodeId: string; readonly counts: Float64Array }[] | null = null;
  const columnOf = (list: TermsList) => {
    const counts = emptyColumn(places.keys.length);
    fillColumn(counts, list, places);
    return { nodeId: list.nodeId, counts };
  };
  return (place) =>
    (columns ??= lists.map(columnOf)).flatMap(({ nodeId, counts }) => {
      const count = counts[place]!;
      return count < 0 ? [] : [{ nodeId, count }];
    });
};
