import type { FacetQuery, SearchQuery, SearchResult } from '../../engines/engine.ts';
import type { FacetResult } from '../../engines/measure.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { FailedFacet } from '../../search/nodes-answer.ts';
import { all } from '../../sqon/filter.ts';

/** A search's result, in which facets that could not be computed are replaced by the reason. */
export interface ApartResult extends Omit<SearchResult, 'facets'> {
  readonly facets: readonly (FacetResult | FailedFacet)[];
}

/** Runs a search. @param isAgain after it failed: it has been paid for */
export type RunSearch = (query: SearchQuery, isAgain: boolean) => Promise<SearchResult>;

/**
 * Runs a search, and where a facet makes it fail, the rest without that facet. An error that names a field is attributed to
 * the facets on it; otherwise each facet is searched for alone, beside the hits.
 * @throws TributaryError whatever fails without facets too, or is not the fault of a query
 */
export const facetsApart = async (query: SearchQuery, run: RunSearch): Promise<ApartResult> => {
  const failed = new Map<FacetQuery, FailedFacet>();
  for (;;) {
    const facets = query.facets.filter((facet) => !failed.has(facet));
    try {
      const result = await run({ ...query, facets }, failed.size > 0);
      const found = new Map(facets.map((facet, at) => [facet, result.facets[at]!]));
      return { ...result, facets: query.facets.map((facet) => failed.get(facet) ?? found.get(facet)!) };
    } catch (error) {
      const failure = failedFacet(error);
      if (failure === null || facets.length === 0) throw error;
      const named = facets.filter(({ field }) => field.path === failure.error.details?.['fieldName']);
      if (named.length === 0) return eachAlone(query, run, failed);
      for (const facet of named) failed.set(facet, failure);
    }
  }
};

/** null: the query is not at fault, or it is refused as a whole since it costs too much. */
const failedFacet = (error: unknown): FailedFacet | null => {
  if (!(error instanceof TributaryError) || error.details?.['maxCost'] !== undefined) return null;
  return error.code === 'BAD_USER_INPUT' || error.code === 'ENGINE_ERROR' ? { kind: 'failed', error } : null;
};

const eachAlone = async (
  { hits, facets }: SearchQuery,
  run: RunSearch,
  failed: ReadonlyMap<FacetQuery, FailedFacet>,
): Promise<ApartResult> => {
  // a filter that is at fault fails without facets too
  const counted = { ...{ size: 0, offset: 0, sort: [], searchAfter: null, source: [] }, trackTotal: true };
  const filter = facets[0]?.filter ?? all;
  const [rest, ...alone] = await Promise.all([
    run({ hits: hits ?? { ...counted, filter }, facets: [] }, true),
    ...facets.map(async (facet): Promise<SearchResult | FailedFacet> => {
      const known = failed.get(facet);
      if (known !== undefined) return known;
      return run({ facets: [facet] }, true).catch((error: unknown) => {
        const failure = failedFacet(error);
        if (failure === null) throw error;
        return failure;
      });
    }),
  ]);
  const found = alone.filter((one) => 'facets' in one);
  const { generation, ...counts } = rest;
  const isOne = found.every((one) => one.generation === generation);
  const { hits: _, ...plain } = counts;
  return {
    ...(hits === undefined ? plain : counts),
    facets: alone.map((one) => ('facets' in one ? one.facets[0]! : one)),
    warnings: [...new Set([rest, ...found].flatMap(({ warnings }) => warnings))],
    ...(isOne && generation !== undefined && { generation }),
  };
};
