import type { CursorValue } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import { yieldToEventLoop } from '../../../concurrency/yield-to-event-loop.ts';

/** A SearchResult in transit: the hits' sources are JSON strings, which are cheaper to transfer than objects. */
export interface SearchReply {
  /** Identifies the state of the index that answered, in every process: equal values, equal documents. */
  readonly generation: string;
  /** The name of the index, not an alias. */
  readonly index: string;
  readonly total: number | null;
  readonly hits: readonly { readonly id: string; readonly cursor: readonly CursorValue[] }[];
  /** JSON lists that together hold all sources; several, so that the receiver can do other work in between. */
  readonly sources: readonly string[];
  readonly facets: readonly EncodedFacet[];
  readonly tookMs: number;
}

/**
 * A facet encoded for another thread. Receiving hundreds of bucket objects costs more time than counting them did, so
 * buckets are sent as JSON strings; in pieces, so that the receiver can do other work in between.
 */
export type EncodedFacet = Exclude<FacetResult, { buckets: unknown }> | EncodedBuckets;

interface EncodedBuckets {
  readonly kind: 'buckets';
  /** Everything except the buckets. */
  readonly result: Omit<Extract<FacetResult, { buckets: unknown }>, 'buckets'>;
  /** Each is a list of buckets. */
  readonly texts: readonly string[];
}

/** Decodes a facet. @throws the reason of the signal */
export const decodeFacet = async (sent: EncodedFacet, signal?: AbortSignal): Promise<FacetResult> => {
  if (sent.kind !== 'buckets') return sent;
  return { ...sent.result, buckets: await readLists(sent.texts, signal) } as FacetResult;
};

/** The items of JSON lists, letting other work run in between. @throws the reason of the signal */
export const readLists = async <Item>(
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Item[]> => {
  const lists: (readonly Item[])[] = [];
  for (const text of texts) {
    if (lists.length > 0) await yieldToEventLoop(signal);
    lists.push(JSON.parse(text) as readonly Item[]);
  }
  return lists.length === 1 ? lists[0]! : lists.flat();
};
