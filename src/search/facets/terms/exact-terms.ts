import { upperOf, type Count } from '../../count.ts';
import type { BucketAnswer, TermsAnswer } from '../../nodes-answer.ts';
import { mergeTerms, smallestListed, type TermsPart } from './merge-terms.ts';
import { knownBound } from './terms-table.ts';

/** How many documents of a node have some values, by the network's key. */
export type CountedKeys = ReadonlyMap<string, Count>;

/**
 * The keys of which a node's list does not tell how many documents have them: its list was cut before them, or several of
 * its values show as one, which a document may have together.
 */
export const uncertainKeys = (part: TermsPart, keys: readonly string[]): readonly string[] => {
  const smallest = smallestListed(part);
  if (smallest === 0 && part.values === null) return [];
  const listed = listedUnder(part, new Set(keys));
  return keys.filter((key) => {
    const listedCount = listed.get(key)?.length ?? 0;
    const values = part.values?.toNode(key).length ?? 1;
    return listedCount > 1 || (smallest > 0 && listedCount < values);
  });
};

/** A node's buckets of some keys: several where several of its values show as one. */
const listedUnder = (
  { result, values }: TermsPart,
  keys: ReadonlySet<string>,
): ReadonlyMap<string, readonly BucketAnswer[]> => {
  const byKey = new Map<string, BucketAnswer[]>();
  for (const bucket of result.buckets) {
    const key = values ? values.toNetwork(bucket.key) : bucket.key;
    if (!keys.has(key)) continue;
    const known = byKey.get(key);
    if (known) known.push(bucket);
    else byKey.set(key, [bucket]);
  }
  return byKey;
};

export interface Counting {
  /** How many buckets are shown: these were counted. */
  readonly shown: number;
  /** What nodes counted of the keys that were uncertain there, by node id; the lists of others stay as they are. */
  readonly counted: ReadonlyMap<string, CountedKeys>;
  /** Whether each node's part in a bucket is shown. */
  readonly isParted: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * A merged list with the shown buckets merged again, in the order of their counts, from what nodes counted and from the
 * lists of those that did not. Which buckets are shown does not change: any other may be larger, as `unlistedUpperBound`
 * says.
 * @throws the reason of the signal
 */
export const withCounts = async (
  merged: TermsAnswer,
  parts: readonly TermsPart[],
  { shown, counted, isParted, signal }: Counting,
): Promise<TermsAnswer> => {
  const buckets = merged.buckets.slice(0, shown);
  const labels = new Map(buckets.map(({ key, keyAsString }) => [key, keyAsString]));
  const narrowed = parts.map((part) => {
    const known = counted.get(part.nodeId);
    return known === undefined ? listOfKeys(part, labels) : countsOfKeys(part, labels, known);
  });
  const again = await mergeTerms(narrowed, isParted, signal);
  return { ...merged, buckets: [...again.buckets, ...merged.buckets.slice(shown)] };
};

/** The labels of some keys. */
type Labels = ReadonlyMap<string, string | undefined>;

/** The buckets of some keys of a list, which bounds the others as before. */
const listOfKeys = (part: TermsPart, keys: Labels): TermsPart => {
  const { result, values } = part;
  const buckets = result.buckets.filter(({ key }) => keys.has(values ? values.toNetwork(key) : key));
  const unlistedUpperBound = knownBound(smallestListed(part));
  return { ...part, result: { ...result, buckets, unlistedUpperBound } };
};

/** All that a node has of some keys, by the network's keys. */
const countsOfKeys = (part: TermsPart, keys: Labels, counted: CountedKeys): TermsPart => {
  const listed = listedUnder(part, new Set(keys.keys()));
  const buckets = [...keys].flatMap(([key, keyAsString]) => {
    const parts = listed.get(key) ?? [];
    const count = counted.get(key) ?? parts[0]?.count;
    if (count === undefined || upperOf(count) === 0) return [];
    return [{ key, keyAsString, count, ...detailsOf(parts) }];
  });
  const { nodeId, documentOf } = part;
  const result = { ...part.result, buckets, unlistedUpperBound: 0 };
  return { nodeId, documentOf, result, requested: null, values: null };
};

/** What buckets of values that show as one hold besides counts. */
const detailsOf = (buckets: readonly BucketAnswer[]): Pick<BucketAnswer, 'topHit' | 'filtered'> => {
  const topHit = buckets.find((bucket) => bucket.topHit != null)?.topHit;
  const filtered = buckets[0]?.filtered?.map((_, at) =>
    Math.max(...buckets.map((bucket) => bucket.filtered?.[at] ?? 0)),
  );
  return { ...(topHit !== undefined && { topHit }), ...(filtered && { filtered }) };
};
