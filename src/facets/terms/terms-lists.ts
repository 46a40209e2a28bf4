import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import type { BucketAnswer, NodeCount } from '../../search/facet-answer.ts';
import type { ValueMap } from '../row/measure-row.ts';
import type { TermsColumns } from './terms-columns.ts';
import { nodeParts } from '../row/counted-buckets.ts';

/** One node's list. */
export interface TermsList {
  readonly nodeId: string;
  /** May be made anew each time it is read. */
  readonly buckets: readonly BucketAnswer[];
  /** The same, where a bucket is a key and a count only; null or unset: it is more. */
  readonly columns?: TermsColumns | null;
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
  /** The indexes that were written, each once; null: too many of all to be written down. */
  readonly listed: readonly number[] | null;
  /** By index, where several values map to one key: the most that the others may add. */
  readonly others: ReadonlyMap<number, number>;
  /** Whether some bucket may hold more than its count. */
  readonly isUncertain: boolean;
}

const noOthers: FilledColumn['others'] = new Map();

/**
 * Writes a list into an empty column; where several values map to one key, the largest count, which is certain. New
 * keys get an index. Long lists do not fit a processor's cache: everything is read in one pass.
 */
export const fillColumn = (column: Float64Array, list: TermsList, indexes: KeyIndexes): FilledColumn => {
  const { values, smallest, columns } = list;
  const { byKey, keys, labels } = indexes;
  let others: Map<number, number> | null = null;
  let isUncertain = false;
  const listed: number[] | null = (columns ?? list.buckets).length < keys.length / 8 ? [] : null;
  const fill = (own: string, count: number, label: string | undefined): void => {
    const key = values ? values.toNetwork(own) : own;
    let index = byKey[key];
    if (index === undefined) {
      index = keys.push(key) - 1;
      byKey[key] = index;
      labels.push(label);
    }
    const known = column[index]!;
    column[index] = Math.max(known, count);
    if (known < 0) {
      listed?.push(index);
      return;
    }
    // this value is listed, so it holds no e
    others ??= new Map();
    others.set(index, (others.get(index) ?? 0) + Math.min(known, count) - smallest);
  };
  if (columns)
    for (let at = 0; at < columns.length; at += 1) fill(columns.keyAt(at), columns.countAt(at), undefined);
  else
    for (const { key, keyAsString, count, upperBound } of list.buckets) {
      if (upperBound !== undefined) isUncertain = true;
      fill(key, count, keyAsString);
    }
  return { listed, others: others ?? noOthers, isUncertain };
};

/** -1: not listed. */
export const emptyColumn = (length: number): Float64Array => new Float64Array(length).fill(-1);

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
