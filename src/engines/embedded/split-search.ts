import { TributaryError } from '../../errors.ts';
import type { SearchQuery } from '../engine.ts';
import type { SearchReply } from './messages.ts';

/** When a search is done by two threads, in milliseconds. */
export interface Splitting {
  /** The searches before it took so long. */
  readonly fromMs: number;
  /** Nothing was written for so long: after each write readers are given the index anew. */
  readonly calmMs: number;
}

export const usualSplitting: Splitting = { fromMs: 1, calmMs: 1_000 };

/** A search as two: every other facet is in the second one, so that costly neighbours are apart. */
export const halvesOf = (query: SearchQuery): readonly [SearchQuery, SearchQuery] => [
  { ...query, facets: query.facets.filter((_, place) => place % 2 === 0) },
  { facets: query.facets.filter((_, place) => place % 2 === 1) },
];

/** No answer for a half that failed: the whole tells what is wrong. @throws TributaryError ENGINE_TIMEOUT as it was given */
export const noneUnlessLate = (error: unknown): null => {
  // there is no time left for the whole
  if (error instanceof TributaryError && error.code === 'ENGINE_TIMEOUT') throw error;
  return null;
};

/** The answer to a search from those to its halves, null when they saw different states of the index. */
export const joined = (first: SearchReply, second: SearchReply | null): SearchReply | null => {
  if (second === null || second.state !== first.state) return null;
  const facets = Array.from({ length: first.facets.length + second.facets.length }, (_, place) =>
    place % 2 === 0 ? first.facets[place >>> 1]! : second.facets[place >>> 1]!,
  );
  return { ...first, facets, tookMs: Math.max(first.tookMs, second.tookMs) };
};
