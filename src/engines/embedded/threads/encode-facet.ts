import type { FacetResult, TermsBucket } from '../../measure.ts';
import type { Checkpoint } from '../columns/checkpoint.ts';
import { yieldToEventLoop } from '../../../concurrency/yield-to-event-loop.ts';

/**
 * A facet encoded for another thread. Receiving hundreds of bucket objects costs more time than counting them did, so
 * buckets are sent as JSON strings; in pieces, so that the receiver can do other work in between.
 */
export type EncodedFacet = Exclude<FacetResult, { buckets: unknown }> | EncodedBuckets;

interface EncodedBuckets {
  readonly kind: 'buckets';
  /** Everything except the buckets. */
  readonly result: Omit<Extract<FacetResult, { buckets: unknown }>, 'buckets'>;
  /** Each is [keys, counts] when the buckets hold nothing else, otherwise a list of buckets. */
  readonly texts: readonly string[];
  readonly isPlain: boolean;
}

const plainBucketsPerChunk = 4_000;
const bucketsPerChunk = 250;

/** Encodes a facet for sending. */
export const encodeFacet = (facet: FacetResult, checkpoint: Checkpoint): EncodedFacet => {
  if (!('buckets' in facet)) return facet;
  const { buckets, ...result } = facet;
  const isPlain = buckets.every(holdsKeyAndCount);
  const write = isPlain ? keysAndCounts : JSON.stringify;
  const texts: string[] = [];
  const piece = isPlain ? plainBucketsPerChunk : bucketsPerChunk;
  for (let from = 0; from < buckets.length; from += piece) {
    checkpoint();
    texts.push(write(buckets.slice(from, from + piece)));
  }
  return { kind: 'buckets', result, texts, isPlain };
};

/** Decodes a facet. */
export const decodeFacet = async (sent: EncodedFacet): Promise<FacetResult> => {
  if (sent.kind !== 'buckets') return sent;
  const { result, texts, isPlain } = sent;
  const pieces: TermsBucket[][] = [];
  for (const text of texts) {
    if (pieces.length > 0) await yieldToEventLoop();
    pieces.push(isPlain ? readKeysAndCounts(text) : (JSON.parse(text) as TermsBucket[]));
  }
  return { ...result, buckets: pieces.length === 1 ? pieces[0]! : pieces.flat() } as FacetResult;
};

const keysAndCounts = (buckets: readonly TermsBucket[]): string =>
  JSON.stringify([buckets.map(({ key }) => key), buckets.map(({ count }) => count)]);

const readKeysAndCounts = (text: string): TermsBucket[] => {
  const [keys, counts] = JSON.parse(text) as [readonly string[], readonly number[]];
  return keys.map((key, i) => ({ key, count: counts[i]! }));
};

const holdsKeyAndCount = ({ keyAsString, topHit, filtered }: TermsBucket): boolean =>
  keyAsString === undefined && topHit === undefined && filtered === undefined;
