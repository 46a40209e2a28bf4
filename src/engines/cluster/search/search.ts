import { numberIn, objectIn, objectsIn, isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { readHits } from '../dsl/hits.ts';
import { msearchItems } from '../dsl/msearch-items.ts';
import type { HitsQuery, HitsResult, SearchQuery, SearchResult } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import { collectFacets } from './collect-facets.ts';
import { deepHits, isDeep, isPastWindow, cachedWindow } from './deep-hits.ts';
import { serverFailure } from '../client/failure.ts';
import { searchAll, completeAnswer } from './multi-search.ts';
import { withNamedCursors } from './named-hits.ts';
import type { SearchContext } from './search-context.ts';

/**
 * Runs a query in one round trip, with more only for pages past the result window and facets with more buckets than one
 * response holds.
 * @throws TributaryError as documented on the port
 */
export const searchCluster = (searching: SearchContext, query: SearchQuery): Promise<SearchResult> =>
  withNamedCursors(searching, query, (unnamed) => searchUnnamed(searching, unnamed));

const searchUnnamed = async (searching: SearchContext, query: SearchQuery): Promise<SearchResult> => {
  const started = performance.now();
  const deep = query.hits !== undefined && isDeep(query.hits, searching.window) ? query.hits : null;
  const lines = msearchItems(deep === null ? query : { facets: query.facets }, searching.dialect);
  const facets = new Array<FacetResult>(query.facets.length);
  let hits: HitsResult | undefined;
  const bodies = lines.map(({ body }) => body);
  const identify = searching.options.identify === true;
  const answers = await searchAll(searching, identify ? [...bodies, indexNames] : bodies);
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'hits') hits = await answerHits(searching, line.query, answers[at]!);
    else if (line.kind === 'facets') await collectFacets(searching, line, answers[at]!, facets);
    else
      facets[line.index] = withCount(
        facets[line.index],
        line.set,
        totalIn(completeAnswer(searching, answers[at]!)),
      );
  }
  if (deep !== null) hits = await deepHits(searching, deep);
  return {
    ...(hits !== undefined && { hits }),
    facets,
    tookMs: Math.round(performance.now() - started),
    warnings: [...searching.warnings],
    ...(identify && { indices: indicesOf(searching, answers) }),
  };
};

const totalIn = (answer: JsonObject): number =>
  numberIn(objectIn(objectIn(answer, 'hits'), 'total'), 'value');

/** A facet of sets of values, with the document count of one set. */
const withCount = (facet: FacetResult | undefined, set: number, count: number): FacetResult => {
  if (facet?.kind !== 'groups') throw new Error('a set of values was counted for another facet');
  return { ...facet, buckets: facet.buckets.with(set, { ...facet.buckets[set]!, count }) };
};

/** One document of each shard, by its index: the indexes that the name resolves to. */
const indexNames: JsonObject = {
  size: 0,
  track_total_hits: false,
  terminate_after: 1,
  aggs: { indices: { terms: { field: '_index', size: 10_000 } } },
};

/** @param answers the last one answers `indexNames` */
const indicesOf = (searching: SearchContext, answers: readonly JsonObject[]): readonly string[] => {
  const named = completeAnswer(searching, answers.at(-1)!);
  const buckets = objectsIn(objectIn(objectIn(named, 'aggregations'), 'indices'), 'buckets');
  const hits = answers.flatMap((answer) =>
    isJsonObject(answer['hits']) ? objectsIn(answer['hits'], 'hits') : [],
  );
  const names = [...buckets.map(({ key }) => key), ...hits.map(({ _index }) => _index)];
  return [...new Set(names.filter((name) => typeof name === 'string'))];
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
