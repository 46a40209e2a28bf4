import { badUserInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonValue, type JsonObject } from '../../../lib/json/json.ts';
import { estimateOf, isExact, lowerOf, upperOf } from '../../count.ts';
import type { NodeCount, BucketAnswer } from '../../nodes-answer.ts';
import { maxMerged } from '../row/wire.ts';
import type { ValueMap } from '../row/measure-row.ts';

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
  readonly estimateAt: (index: number) => number | null;
  /** The nodes that listed it, with their counts. */
  readonly nodesAt: (index: number) => readonly NodeCount[];
  /** For each filter: how many documents of the bucket match it; undefined when none was requested. */
  readonly filteredAt: (index: number) => readonly number[] | undefined;
  /** The first document of the first node that gives one; undefined when none does. */
  readonly topHitAt: (index: number) => JsonValue | undefined;
}

/**
 * Used in sums for an upper bound that is not known: larger than any count that is shown, and exact when
 * subtracted again, of up to 32 768 nodes.
 */
export const unknownBound = 2 ** 38;

/** A sum of upper bounds; null when one of them is not known. */
export const knownBound = (bound: number): number | null => (bound < unknownBound / 2 ? bound : null);

/** Long work, which pauses after a number of steps. */
export type Work<Result> = Generator<undefined, Result>;
export const stepLength = 1_024;

/**
 * Sums the lists. A single column of counts, indexed by key, is reused for each list: it is small enough for a
 * processor's cache, unlike an object for each of a million buckets.
 * @param isParted whether `nodesAt` will be called
 * @throws TributaryError BAD_USER_INPUT for more different values than can be ordered in a reasonable time
 */
export function* termsTable(lists: readonly TermsList[], isParted = true): Work<TermsTable> {
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
    const { listed, others } = yield* fillColumn(column, list, indexes);
    if (indexes.keys.length > maxMerged) throw tooManyValues();
    for (const index of listed) {
      const count = column[index]!;
      lower[index]! += count;
      upper[index]! += count - list.smallest;
      column[index] = -1;
    }
    yield;
    for (const [index, more] of others) upper[index]! += more;
    yield* addUncertain(upper, list, indexes);
  }
  const { keys, labels } = indexes;
  const cut = lists.filter(({ smallest }) => smallest > 0);
  if (cut.length > 0) yield* addUnlisted(upper, cut, keys);
  return {
    keys,
    labels,
    lower: lower.subarray(0, keys.length),
    upper: upper.subarray(0, keys.length),
    estimateAt: yield* estimatesIn(lists, indexes, lower),
    nodesAt: isParted ? yield* nodesIn(lists, indexes) : () => [],
    filteredAt: yield* filteredIn(lists, indexes),
    topHitAt: yield* topHitIn(lists, indexes),
  };
}

const tooManyValues = (): TributaryError =>
  badUserInput(
    `the nodes have more than ${maxMerged} different values together: ask for the most frequent ones with max, or narrow the filter`,
  );

/** The buckets of a list, with the index of each; pauses between them. @param use called with each of them */
function* eachBucket(
  { buckets, values }: TermsList,
  { byKey }: KeyIndexes,
  use: (bucket: BucketAnswer, index: number) => void,
): Work<void> {
  let seen = 0;
  for (const bucket of buckets) {
    use(bucket, byKey[values ? values.toNetwork(bucket.key) : bucket.key]!);
    if (++seen % stepLength === 0) yield;
  }
}

const isUncertain = ({ count }: BucketAnswer): boolean => !isExact(count);

/** What buckets may hold beyond their counts. */
function* addUncertain(upper: Float64Array, list: TermsList, indexes: KeyIndexes): Work<void> {
  if (!list.buckets.some(isUncertain)) return;
  yield* eachBucket(list, indexes, ({ count }, index) => {
    upper[index]! += (upperOf(count) ?? unknownBound) - lowerOf(count);
  });
}

/** The sums of counts and estimates of all nodes, where any node estimates. */
function* estimatesIn(
  lists: readonly TermsList[],
  indexes: KeyIndexes,
  lower: Float64Array,
): Work<TermsTable['estimateAt']> {
  const more = new Map<number, number>();
  for (const list of lists.filter(({ buckets }) => buckets.some(isUncertain)))
    yield* eachBucket(list, indexes, (bucket, index) => {
      const { count } = bucket;
      const beyond = (estimateOf(count) ?? NaN) - lowerOf(count);
      if (isUncertain(bucket)) more.set(index, (more.get(index) ?? 0) + beyond);
    });
  return (index) => {
    const beyond = more.get(index);
    return beyond === undefined || Number.isNaN(beyond) ? null : lower[index]! + Math.max(0, beyond);
  };
}

/** A truncated node may hold e of each value it did not list, for every value that maps to the key. */
function* addUnlisted(upper: Float64Array, lists: readonly TermsList[], keys: readonly string[]): Work<void> {
  const ofOne = lists.reduce((sum, { smallest }) => sum + smallest, 0);
  const several = lists.filter(({ values }) => values !== null);
  for (let index = 0; index < keys.length; index += 1) {
    upper[index]! += ofOne;
    for (const { values, smallest } of several)
      upper[index]! += (values!.toNode(keys[index]!).length - 1) * smallest;
    if (index % stepLength === 0) yield;
  }
}

const enlarged = (column: Float64Array, length: number): Float64Array => {
  const larger = new Float64Array(length);
  larger.set(column);
  return larger;
};

/** The keys of all lists, each with its index. */
export interface KeyIndexes {
  /** Has no prototype. With hundreds of thousands of keys an object lookup takes half as long as in a Map. */
  readonly byKey: Record<string, number>;
  readonly keys: string[];
  readonly labels: (string | undefined)[];
}

const openKeyIndexes = (): KeyIndexes => ({
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
function* fillColumn(
  column: Float64Array,
  { buckets, values, smallest }: TermsList,
  { byKey, keys, labels }: KeyIndexes,
): Work<FilledColumn> {
  const others = new Map<number, number>();
  const listed: number[] = [];
  let seen = 0;
  for (const { key: nodeValue, count, keyAsString } of buckets) {
    const key = values ? values.toNetwork(nodeValue) : nodeValue;
    let index = byKey[key];
    if (index === undefined) {
      index = keys.push(key) - 1;
      byKey[key] = index;
      labels.push(keyAsString);
    }
    const known = column[index]!;
    const lower = lowerOf(count);
    column[index] = Math.max(known, lower);
    if (known < 0) listed.push(index);
    // this value is listed, so it holds no e
    else others.set(index, (others.get(index) ?? 0) + Math.min(known, lower) - smallest);
    if (++seen % stepLength === 0) yield;
  }
  return { listed, others };
}

/** -1: not listed. */
const emptyColumn = (length: number): Float64Array => new Float64Array(length).fill(-1);

/** By the index of a key. */
type PartsAt<Part> = (index: number) => Part;

/** The nodes that listed a key, with their counts: a column for each node. All buckets of a list have the parts of its first. */
function* nodesIn(lists: readonly TermsList[], indexes: KeyIndexes): Work<PartsAt<readonly NodeCount[]>> {
  const columns: PartsAt<readonly NodeCount[]>[] = [];
  for (const list of lists) {
    const counts = emptyColumn(indexes.keys.length);
    yield* fillColumn(counts, list, indexes);
    const { nodeId } = list;
    columns.push((index) => (counts[index]! < 0 ? [] : [{ nodeId, count: counts[index]! }]));
  }
  return (index) => columns.flatMap((partsAt) => partsAt(index));
}

type ByIndex = ReadonlyMap<number, readonly BucketAnswer[]>;

/** The buckets of a list by index; buckets of values that are shown as one are together. */
function* bucketsByIndex(list: TermsList, indexes: KeyIndexes): Work<ByIndex> {
  const byIndex = new Map<number, BucketAnswer[]>();
  yield* eachBucket(list, indexes, (bucket, index) => {
    const known = byIndex.get(index);
    if (known) known.push(bucket);
    else byIndex.set(index, [bucket]);
  });
  return byIndex;
}

function* allByIndex(lists: readonly TermsList[], indexes: KeyIndexes): Work<readonly ByIndex[]> {
  const all: ByIndex[] = [];
  for (const list of lists) all.push(yield* bucketsByIndex(list, indexes));
  return all;
}

/** How many documents of a bucket match each filter, over all nodes; where several values are shown as one, the largest count, which is certain. */
function* filteredIn(
  lists: readonly TermsList[],
  indexes: KeyIndexes,
): Work<PartsAt<readonly number[] | undefined>> {
  const filters = Math.max(0, ...lists.map((list) => list.buckets[0]?.filtered?.length ?? 0));
  if (filters === 0) return () => undefined;
  const byList = yield* allByIndex(lists, indexes);
  return (index) =>
    Array.from({ length: filters }, (_, at) =>
      byList.reduce(
        (sum, listed) =>
          sum +
          (listed.get(index) ?? []).reduce((max, { filtered }) => Math.max(max, filtered?.[at] ?? 0), 0),
        0,
      ),
    );
}

/** The first document of the first node that gives one. */
function* topHitIn(lists: readonly TermsList[], indexes: KeyIndexes): Work<PartsAt<JsonValue | undefined>> {
  if (!lists.some((list) => list.buckets[0]?.topHit !== undefined)) return () => undefined;
  const byList = yield* allByIndex(lists, indexes);
  return (index) => {
    for (const [at, listed] of byList.entries())
      for (const { topHit } of listed.get(index) ?? [])
        if (topHit !== undefined && topHit !== null) {
          const { documentOf } = lists[at]!;
          return documentOf && isJsonObject(topHit) ? documentOf(topHit) : topHit;
        }
    return undefined;
  };
}
