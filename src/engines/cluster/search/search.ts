import type { JsonObject } from '../../../json/json.ts';
import { readHits } from '../dsl/hits.ts';
import { msearchItems } from '../dsl/msearch-items.ts';
import type { HitsQuery, HitsResult, SearchQuery, SearchResult } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import { collectFacets } from './collect-facets.ts';
import { deepHits, isDeep, isPastWindow, cachedWindow } from './deep-hits.ts';
import { serverFailure } from '../client/failure.ts';
import { hitsByKey, isOrderedHere } from './key-order.ts';
import { resolveKeyFilters } from './resolve-key-filters.ts';
import { searchAll, completeAnswer } from './multi-search.ts';
import type { SearchContext } from './search-context.ts';

/**
 * Runs a query in one round trip, with more only for pages past the result window and facets with more buckets than one
 * response holds.
 * @throws TributaryError as documented on the port
 */
export const searchCluster = async (
  searching: SearchContext,
  unresolved: SearchQuery,
): Promise<SearchResult> => {
  const started = performance.now();
  const query = await resolveKeyFilters(searching, unresolved);
  const inSteps = query.hits === undefined ? null : stepsFor(searching, query.hits);
  const lines = msearchItems(inSteps === null ? query : { facets: query.facets }, searching.dialect);
  const facets = new Array<FacetResult>(query.facets.length);
  let hits: HitsResult | undefined;
  const answers = await searchAll(
    searching,
    lines.map(({ body }) => body),
  );
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'hits') hits = await answerHits(searching, line.query, answers[at]!);
    else await collectFacets(searching, line, answers[at]!, facets);
  }
  if (inSteps !== null) hits = await inSteps();
  return {
    ...(hits !== undefined && { hits }),
    facets,
    tookMs: Math.round(performance.now() - started),
    warnings: [...searching.warnings],
  };
};

/** How to fetch a page that takes more than one search; null for other pages. */
const stepsFor = (searching: SearchContext, hits: HitsQuery): (() => Promise<HitsResult>) | null => {
  if (isOrderedHere(hits, searching)) return () => hitsByKey(searching, hits);
  return isDeep(hits, searching.window) ? () => deepHits(searching, hits) : null;
};

/** The result window of an index may be smaller than assumed. */
const answerHits = async (
  searching: SearchContext,
  query: HitsQuery,
  answer: JsonObject,
): Promise<HitsResult> => {
  if (answer['error'] !== undefined && isPastWindow(serverFailure(answer['error']))) {
    const window = await cachedWindow({ ...searching, window: null });
    if (isDeep(query, window)) return deepHits({ ...searching, window }, query);
  }
  return readHits(query, completeAnswer(searching, answer), searching.dialect);
};
