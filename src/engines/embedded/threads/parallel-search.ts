import { TributaryError } from '../../../errors/errors.ts';
import type { SearchReply } from './search-reply.ts';

/** When two threads share a search, in milliseconds. */
export interface ParallelSearch {
  /** Minimum time that earlier searches took. */
  readonly minCostMs: number;
  /** Minimum time since the last write: every write means sharing the index with the readers again. */
  readonly quietPeriodMs: number;
}

/** For searches that take at least a millisecond, from a second after the last write. */
export const defaultParallelSearch: ParallelSearch = { minCostMs: 1, quietPeriodMs: 1_000 };

/**
 * A failed thread gives no answer; searching again as a whole reports the cause. @throws TributaryError ENGINE_TIMEOUT
 * rethrown
 */
export const nullUnlessTimeout = (error: unknown): null => {
  // there is no time left to search again
  if (error instanceof TributaryError && error.code === 'ENGINE_TIMEOUT') throw error;
  return null;
};

/** Merges the answers of two threads; null when they saw different states of the index, or a facet is missing. */
export const mergeReplies = (first: SearchReply, second: SearchReply | null): SearchReply | null => {
  if (second !== null && second.state !== first.state) return null;
  const facets = first.facets.map((facet, index) => facet ?? second?.facets[index] ?? null);
  if (facets.includes(null)) return null;
  return { ...first, facets, tookMs: Math.max(first.tookMs, second?.tookMs ?? 0) };
};
