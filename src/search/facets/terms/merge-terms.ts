import { runInSlices } from '../../../lib/concurrency/yield-to-event-loop.ts';
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts';
import type { BucketAnswer, NodeCount, TermsAnswer } from '../../nodes-answer.ts';
import { countBetween, lowerOf, sumOfCounts, upperOf, type Count } from '../../count.ts';
import type { ValueMap } from '../row/measure-row.ts';
import {
  knownBound,
  stepLength,
  termsTable,
  unknownBound,
  type TermsList,
  type TermsTable,
  type Work,
} from './terms-table.ts';
import { utf8Order } from '../../../lib/text/text-comparison.ts';

/** For existing clients: the bucket for a node that does not have the field. It is not a value of the field. */
export const unavailableKey = '___aggregation_not_available___';

/** One node's list of buckets. */
export interface TermsPart {
  readonly nodeId: string;
  readonly result: TermsAnswer;
  /** Number of buckets requested from the node; null for all. */
  readonly requested: number | null;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** See MergePart; unset: documents are the same. */
  readonly documentOf?: (document: JsonObject) => JsonObject;
}

/** A merged bucket. */
interface MergedBucket extends BucketAnswer {
  readonly nodes: readonly NodeCount[];
}

/** What several nodes listed, as one list. */
export interface MergedTerms extends TermsAnswer {
  /** Count descending, then key by UTF-8 bytes; `__missing__` aside. */
  readonly buckets: readonly MergedBucket[];
  readonly missingNodes: readonly NodeCount[];
  readonly complete: boolean;
  readonly unlistedUpperBound: number | null;
}

/**
 * The highest possible count of a key not in the first `listed` buckets: listed by no node, or cut off here.
 * @param requested how many were requested of a catalogue, which does not say it; null: all
 */
export const unlistedUpperBound = (
  { buckets, unlistedUpperBound: merged }: TermsAnswer,
  listed: number,
  requested: number | null,
): number | null =>
  buckets.slice(listed).reduce<number | null>(
    (largest, { count }) => {
      const upper = upperOf(count);
      return largest === null || upper === null ? null : Math.max(largest, upper);
    },
    merged === undefined ? mostCutOff(buckets, requested) : merged,
  );

/**
 * Merges the bucket lists of nodes. Every node publishes exact counts, or lower bounds, so the sum of the listed ones is
 * a lower bound; a node whose list was truncated may hold up to its smallest listed count (e) of any key that it did not
 * list, and one that discloses intervals up to the upper bounds of its own. Linear in the number of buckets; long lists
 * are merged in slices.
 * @param isParted whether each node's part in a bucket is shown
 * @throws as termsTable, and the reason of the signal
 */
export const mergeTerms = (
  parts: readonly TermsPart[],
  isParted = true,
  signal?: AbortSignal,
): Promise<MergedTerms> => runInSlices(merging(parts, isParted), signal);

function* merging(parts: readonly TermsPart[], isParted: boolean): Work<MergedTerms> {
  const lists = parts.map(listOf);
  const table = yield* termsTable(lists, isParted);
  const buckets: MergedBucket[] = [];
  for (const index of yield* termsOrder(table.keys, table.lower)) {
    buckets.push(new TableBucket(table, index));
    if (buckets.length % stepLength === 0) yield;
  }
  const unlisted = lists.reduce(
    (sum, { values, smallest }) => sum + maxValuesPerNetworkValue(values) * smallest,
    0,
  );
  const distinct = Math.max(
    buckets.length,
    ...parts.map(({ result, values }) => (values ? 0 : result.distinct)),
  );
  return {
    kind: 'terms',
    buckets,
    distinct,
    missing: sumOfCounts(parts.map(({ result }) => result.missing)),
    missingNodes: missingAt(parts),
    // cells are listed even if they may be empty
    complete:
      parts.every(({ result }) => result.complete ?? result.unlistedUpperBound === undefined) &&
      lists.every(({ smallest }) => smallest === 0),
    unlistedUpperBound: knownBound(unlisted),
  };
}

const listOf = (part: TermsPart): TermsList => ({
  nodeId: part.nodeId,
  buckets: part.result.buckets,
  smallest: smallestListed(part),
  values: part.values,
  documentOf: part.documentOf,
});

/**
 * The most documents that a value may have which a list does not name: 0 for a whole list. A list is truncated when it has
 * as many buckets as requested.
 */
export const smallestListed = ({
  result: { buckets, unlistedUpperBound: unlisted },
  requested,
}: TermsPart): number => {
  if (unlisted !== undefined) return unlisted ?? unknownBound;
  return isCut(buckets, requested) ? smallestOf(buckets) : 0;
};

const isCut = ({ length }: readonly BucketAnswer[], requested: number | null): boolean =>
  requested !== null && requested > 0 && length >= requested;

const smallestOf = (buckets: readonly BucketAnswer[]): number =>
  buckets.reduce((min, { count }) => Math.min(min, lowerOf(count)), Infinity);

/** What a catalogue has cut off. */
const mostCutOff = (buckets: readonly BucketAnswer[], requested: number | null): number =>
  isCut(buckets, requested) ? smallestOf(buckets) : 0;

/** The most node values that map to one network key: each of them may hold up to e. */
const maxValuesPerNetworkValue = (values: ValueMap | null): number =>
  values === null
    ? 1
    : [...new Set(values.listed.values())].reduce((max, key) => Math.max(max, values.toNode(key).length), 1);

/** A row of the table, read on demand: most rows of a long list are never shown. */
class TableBucket implements MergedBucket {
  private readonly table: TermsTable;
  private readonly index: number;

  constructor(table: TermsTable, index: number) {
    this.table = table;
    this.index = index;
  }

  get key(): string {
    return this.table.keys[this.index]!;
  }

  get keyAsString(): string | undefined {
    return this.table.labels[this.index]!;
  }

  get count(): Count {
    const lower = this.table.lower[this.index]!;
    const upper = this.table.upper[this.index]!;
    return lower === upper
      ? lower
      : countBetween(lower, knownBound(upper), this.table.estimateAt(this.index));
  }

  get nodes(): readonly NodeCount[] {
    return this.table.nodesAt(this.index);
  }

  get filtered(): readonly number[] | undefined {
    return this.table.filteredAt(this.index);
  }

  get topHit(): JsonValue | undefined {
    return this.table.topHitAt(this.index);
  }
}

/** Counted at every node, never truncated. */
const missingAt = (parts: readonly TermsPart[]): readonly NodeCount[] =>
  parts
    .map(({ nodeId, result }) => ({ nodeId, count: lowerOf(result.missing) }))
    .filter(({ count }) => count > 0);

/**
 * Orders keys by descending count, and keys of equal count by UTF-8 bytes. Counts are typically either shared by many
 * keys or unique: the numbers are sorted natively as numbers, and only keys of equal count are compared with each
 * other.
 * @param counts by index, as long as `keys`
 */
export function* termsOrder(keys: readonly string[], counts: Float64Array): Work<Int32Array> {
  const { last, before } = yield* indexesByCount(counts);
  const order = new Int32Array(keys.length);
  const compare = (a: number, b: number): number => utf8Order(keys[a]!, keys[b]!);
  let next = 0;
  let ended = 0;
  for (const count of Float64Array.from(last.keys()).sort().reverse()) {
    const start = next;
    for (let index = last.get(count)!; index >= 0; index = before[index]!) order[next++] = index;
    if (next - start > 1) yield* sorted(order.subarray(start, next), compare);
    if (++ended % stepLength === 0) yield;
  }
  return order;
}

/** Sorts in place: short runs, which are then merged. */
function* sorted(order: Int32Array, compare: (a: number, b: number) => number): Work<void> {
  for (let at = 0; at < order.length; at += stepLength) {
    order.subarray(at, at + stepLength).sort(compare);
    if (order.length > stepLength) yield;
  }
  for (let width = stepLength; width < order.length; width *= 2) {
    const runs = order.slice();
    for (let at = 0; at + width < order.length; at += 2 * width) {
      const two = [runs.subarray(at, at + width), runs.subarray(at + width, at + 2 * width)] as const;
      yield* mergeRuns(two, order.subarray(at), compare);
    }
  }
}

function* mergeRuns(
  [left, right]: readonly [Int32Array, Int32Array],
  into: Int32Array,
  compare: (a: number, b: number) => number,
): Work<void> {
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length && fromRight < right.length) {
    const at = fromLeft + fromRight;
    if (compare(left[fromLeft]!, right[fromRight]!) <= 0) into[at] = left[fromLeft++]!;
    else into[at] = right[fromRight++]!;
    if (at % stepLength === 0) yield;
  }
  // the rest of the right run is already in its place
  into.set(left.subarray(fromLeft), fromLeft + fromRight);
}

/** A linked list of indexes for each count: the last one, and for each index the previous one, -1 at the end. */
function* indexesByCount(
  counts: Float64Array,
): Work<{ readonly last: ReadonlyMap<number, number>; readonly before: Int32Array }> {
  const last = new Map<number, number>();
  const before = new Int32Array(counts.length);
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index]!;
    before[index] = last.get(count) ?? -1;
    last.set(count, index);
    if (index % stepLength === 0) yield;
  }
  return { last, before };
}
