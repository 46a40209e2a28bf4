import { isJsonObject, type JsonValue } from '../../json/json.ts';
import type { BucketAnswer, NodeCount } from '../../search/facet-answer.ts';
import { nodeParts } from '../row/node-counts.ts';
import { emptyColumn, fillColumn, type KeyIndexes, type TermsList } from './key-indexes.ts';

// what few clients ask of a merged bucket: nothing is computed before it is read

/** All buckets of a list have the same parts: those of its first, undefined where they are keys and counts only. */
const firstOf = (list: TermsList): BucketAnswer | undefined => (list.columns ? undefined : list.buckets[0]);

/** By the index of a key. */
type PartsAt<Part> = (index: number) => Part;

/** The nodes that listed a key, with their counts. A column for each node, built on first use: few clients need it. */
export const nodesIn = (lists: readonly TermsList[], indexes: KeyIndexes): PartsAt<readonly NodeCount[]> => {
  let columns: readonly PartsAt<readonly NodeCount[]>[] | null = null;
  const columnOf = (list: TermsList): PartsAt<readonly NodeCount[]> => {
    if (firstOf(list)?.nodes !== undefined) return partsIn(list, indexes);
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
  const filters = Math.max(0, ...lists.map((list) => firstOf(list)?.filtered?.length ?? 0));
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
  if (!lists.some((list) => firstOf(list)?.topHit !== undefined)) return () => undefined;
  const byList = lists.map((list) => ({ list, listed: bucketsByIndex(list, indexes) }));
  return (index) => {
    for (const { list, listed } of byList)
      for (const { topHit } of listed.get(index) ?? [])
        if (topHit !== undefined && topHit !== null)
          return list.documentOf && isJsonObject(topHit) ? list.documentOf(topHit) : topHit;
    return undefined;
  };
};
