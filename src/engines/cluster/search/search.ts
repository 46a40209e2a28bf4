import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import { objectIn, objectsIn } from '../client/answer.ts';
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
  const bodies = lines.map(({ body }) => body);
  const identify = searching.options.identify === true;
  const answers = await searchAll(searching, identify ? [...bodies, indexNames] : bodies);
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
    ...(identify && { indices: indicesOf(searching, answers) }),
  };
};

/** One document of each shard, by its index: what the name stands for. */
const indexNames: JsonObject = {
  size: 0,
  track_total_hits: false,
  terminate_after: 1,
  aggs: { indices: { terms: { field: '_index', size: 10_000 } } },
};

/** @param answers the last is that to `indexNames` */
const indicesOf = (searching: SearchContext, answers: readonly JsonObject[]): readonly string[] => {
  const named = completeAnswer(searching, answers.at(-1)!);
  const buckets = objectsIn(objectIn(objectIn(named, 'aggregations'), 'indices'), 'buckets');
  const hits = answers.flatMap((answer) =>
    isJsonObject(answer['hits']) ? objectsIn(answer['hits'], 'hits') : [],
  );
  const names = [...buckets.map(({ key }) => key), ...hits.map(({ _index }) => _index)];
  return [...new Set(names.filter((name) => typeof name === 'string'))];
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
