import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import type { BucketAnswer, NodeCount } from '../../search/facet-answer.ts';
import type { ValueMap } from '../row/measure-row.ts';
import { nodeParts } from '../row/counted-buckets.ts';

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

/** The keys of all lists, each with its index. */
export interface KeyIndexes {
  /** Has no prototype. With hundreds of thousands of keys an object lookup takes half as long as in a Map. */
  readonly byKey: Record<string, number>;
  readonly keys: string[];
  readonly labels: (string | undefined)[];
}

export const openKeyIndexes = (): KeyIndexes => ({
  byKey: Object.create(null) as Record<string, number>,
  keys: [],
  labels: [],
});

interface FilledColumn {
  /** The indexes that were written, each once. */
  readonly listed: readonly number[];
  /** By index, where several values map to one key: the most that the others may add. */
  readonly others: ReadonlyMap<number, number>;
}

/**
 * Writes a list into an empty column; where several values map to one key, the largest count, which is certain. New
 * keys get an index.
 */
export const fillColumn = (
  column: Float64Array,
  { buckets, values, smallest }: TermsList,
  { byKey, keys, labels }: KeyIndexes,
): FilledColumn => {
  const others = new Map<number, number>();
  const listed: number[] = [];
  for (const { key: own, count, keyAsString } of buckets) {
    const key = values ? values.toNetwork(own) : own;
    let index = byKey[key];
    if (index === undefined) {
      index = keys.push(key) - 1;
      byKey[key] = index;
      labels.push(keyAsString);
    }
    const known = column[index]!;
    column[index] = Math.max(known, count);
    if (known < 0) listed.push(index);
    // this value is listed, so it holds no e
    else others.set(index, (others.get(index) ?? 0) + Math.min(known, count) - smallest);
  }
  return { listed, others };
};

/** -1: not listed. */
export const emptyColumn = (length: number): Float64Array => new Float64Array(length).fill(-1);

/** By the index of a key. */
type PartsAt<Part> = (index: number) => Part;

/**
 * The nodes that listed a key, with their counts. All buckets of a list have the same parts: those of its first. A column for each node, built on first use: few clients need it.
 */
export const nodesIn = (lists: readonly TermsList[], indexes: KeyIndexes): PartsAt<readonly NodeCount[]> => {
  let columns: readonly PartsAt<readonly NodeCount[]>[] | null = null;
  const columnOf = (list: TermsList): PartsAt<readonly NodeCount[]> => {
    if (list.buckets[0]?.nodes !== undefined) return partsIn(list, indexes);
    const counts = emptyColumn(indexes.keys.length);
    fillColumn(counts, list, indexes);
    return (index) => (counts[index]! < 0 ? [] : [{ nodeId: list.nodeId, count: counts[index]! }]);
  };
  return (index) => (columns ??= lists.map(columnOf)).flatMap((partsAt) => partsAt(index));
};

/** Of a network, the parts of its nodes in the largest of the buckets that are shown as one, whose count is shown. */
const partsIn = (list: TermsList, indexes: KeyIndexes): PartsAt<readonly NodeCount[]> => {
  const buckets = bucketsByIndex(list, indexes);
  return (index) => {
    const [largest] = (buckets.get(index) ?? []).toSorted((left, right) => right.count - left.count);
    return largest === undefined ? [] : nodeParts(list.nodeId, largest);
  };
};

/** The buckets of a list by index, those of values that are shown as one together. */
const bucketsByIndex = (
  { buckets, values }: TermsList,
  { byKey }: KeyIndexes,
): ReadonlyMap<number, readonly BucketAnswer[]> => {
  const found = new Map<number, BucketAnswer[]>();
  for (const bucket of buckets) {
    const index = byKey[values ? values.toNetwork(bucket.key) : bucket.key]!;
    const known = found.get(index);
    if (known) known.push(bucket);
    else found.set(index, [bucket]);
  }
  return found;
};

/** How many documents of a bucket match each filter, over all nodes; where several values are shown as one, the largest count, which is certain. */
export const filteredIn = (lists: readonly TermsList[], indexes: KeyIndexes): PartsAt<readonly number[] | undefined> => {
  const filters = Math.max(0, ...lists.map((list) => list.buckets[0]?.filtered?.length ?? 0));
  if (filters === 0) return () => undefined;
  const byList = lists.map((list) => bucketsByIndex(list, indexes));
  return (index) =>
    Array.from({ length: filters }, (_, at) =>
      byList.reduce(
        (sum, listed) =>
          sum + (listed.get(index) ?? []).reduce((max, { filtered }) => Math.max(max, filtered?.[at] ?? 0), 0),
        0,
      ),
    );
}; // prettier-ignore

/** The first document of the first node that gives one. */
export const topHitIn = (
  lists: readonly TermsList[],
  indexes: KeyIndexes,
): PartsAt<JsonValue | undefined> => {
  if (!lists.some((list) => list.buckets[0]?.topHit !== undefined)) return () => undefined;
  const byList = lists.map((list) => ({ list, listed: bucketsByIndex(list, indexes) }));
  return (index) => {
    for (const { list, listed } of byList)
      for (const { topHit } of listed.get(index) ?? [])
        if (topHit !== undefined && topHit !== null)
          return list.documentOf && isJsonObject(topHit) ? list.documentOf(topHit) : topHit;
    return undefined;
  };
};
