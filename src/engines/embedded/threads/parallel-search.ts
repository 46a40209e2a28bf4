import { TributaryError } from '../../../errors.ts';
import type { SearchReply } from './messages.ts';

/** When a search is done by two threads, in milliseconds. */
export interface ParallelSearch {
  /** The searches before it took so long. */
  readonly minCostMs: number;
  /** Nothing was written for so long: after each write readers are given the index anew. */
  readonly quietPeriodMs: number;
}

export const defaultParallelSearch: ParallelSearch = { minCostMs: 1, quietPeriodMs: 1_000 };

/** No answer from a thread that failed: the whole tells what is wrong. @throws TributaryError ENGINE_TIMEOUT as it was given */
export const nullUnlessTimeout = (error: unknown): null => {
  // there is no time left for the whole
  if (error instanceof TributaryError && error.code === 'ENGINE_TIMEOUT') throw error;
  return null;
};

/** What two threads answered together; null when they saw different states of the index, or a facet is missing. */
export const mergeReplies = (first: SearchReply, second: SearchReply | null): SearchReply | null => {
  if (second !== null && second.state !== first.state) return null;
  const facets = first.facets.map((facet, place) => facet ?? second?.facets[place] ?? null);
  if (facets.includes(null)) return null;
  return { ...first, facets, tookMs: Math.max(first.tookMs, second?.tookMs ?? 0) };
};
