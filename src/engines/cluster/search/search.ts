import { numberIn, objectIn, objectsIn, isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { readHits } from '../dsl/hits.ts';
import { msearchItems } from '../dsl/msearch-items.ts';
import type { HitsQuery, HitsResult, SearchQuery, SearchResult, FacetQuery } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import { collectFacets } from './collect-facets.ts';
import { deepHits, isDeep, isPastWindow, cachedWindow } from './deep-hits.ts';
import { serverFailure } from '../client/failure.ts';
import { hitsByKey, isOrderedHere } from './key-order.ts';
import { searchAll, completeAnswer } from './multi-search.ts';
import { withNamedCursors } from './named-hits.ts';
import type { SearchContext } from './search-context.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import { matchesKey, wholeKeyQuery } from '../dsl/filter/range-query.ts';
import { all, type Filter } from '../../../sqon/filter.ts';

/**
 * Runs a query in one round trip, with more only for pages past the result window and facets with more buckets than one
 * response holds.
 * @throws TributaryError as documented on the port
 */
export const searchCluster = (searching: SearchContext, query: SearchQuery): Promise<SearchResult> =>
  withNamedCursors(searching, query, (unnamed) => searchUnnamed(searching, unnamed));

const searchUnnamed = async (searching: SearchContext, unresolved: SearchQuery): Promise<SearchResult> => {
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
    else if (line.kind === 'facets') await collectFacets(searching, line, answers[at]!, facets);
    else
      facets[line.index] = withCount(
        facets[line.index],
        line.set,
        totalIn(completeAnswer(searching, answers[at]!)),
      );
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

/** The maximum number of keys scanned here, since servers only find documents by their whole key. */
const maxScannedKeys = 100_000;

/**
 * Replaces patterns and ranges of keys in a query with the keys that satisfy them: keys are scanned here because
 * servers do not do it. Other queries are returned unchanged.
 * @throws TributaryError BAD_USER_INPUT when the index has more than 100 000 documents
 */
const resolveKeyFilters = async (searching: SearchContext, query: SearchQuery): Promise<SearchQuery> => {
  if (!filtersOf(query).some(needsKeys)) return query;
  const page = { filter: all, size: maxScannedKeys + 1, offset: 0, sort: [], searchAfter: null, source: [] };
  const { hits } = await deepHits(searching, { ...page, trackTotal: false });
  if (hits.length > maxScannedKeys)
    throw badUserInput(
      `this search server matches whole _id values only, and ${searching.index} has more than ${maxScannedKeys} to scan; use a field that holds the key`,
    );
  const keys = hits.map(({ id }) => id);
  // facets of one query share their filters, and each would match every key again
  const known = new Map<Filter, Filter>();
  const replace = (filter: Filter): Filter => {
    const replaced = known.get(filter) ?? withKeys(filter, keys, replace);
    known.set(filter, replaced);
    return replaced;
  };
  return {
    ...(query.hits && { hits: { ...query.hits, filter: replace(query.hits.filter) } }),
    facets: query.facets.map((facet) => facetWith(facet, replace)),
  };
};

const filtersOf = ({ hits, facets }: SearchQuery): readonly Filter[] => [
  ...(hits === undefined ? [] : [hits.filter]),
  ...facets.flatMap(({ filter, measure }) => [
    filter,
    ...('filters' in measure ? (measure.filters ?? []) : []),
  ]),
];

const needsKeys = (filter: Filter): boolean => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(needsKeys);
    case 'not':
      return needsKeys(filter.of);
    case 'pattern':
    case 'range':
    case 'word':
      return filter.field.path === '_id' && wholeKeyQuery(filter) === null;
    case 'nested':
      // nested objects have no keys
      return false;
    case 'all':
    case 'none':
    case 'terms':
    case 'exists':
      return false;
  }
};

const withKeys = (filter: Filter, keys: readonly string[], replace: (filter: Filter) => Filter): Filter => {
  if (!needsKeys(filter)) return filter;
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, of: filter.of.map(replace) };
    case 'not':
      return { ...filter, of: replace(filter.of) };
    case 'pattern':
    case 'range':
    case 'word': {
      const values = keys.filter((key) => matchesKey(filter, key));
      return { kind: 'terms', field: filter.field, values };
    }
    case 'all':
    case 'none':
    case 'terms':
    case 'exists':
    case 'nested':
      return filter;
  }
};

const facetWith = (facet: FacetQuery, replace: (filter: Filter) => Filter): FacetQuery => {
  const { measure } = facet;
  const filters = 'filters' in measure && measure.filters?.map(replace);
  return {
    ...facet,
    filter: replace(facet.filter),
    ...('filters' in measure && filters && { measure: { ...measure, filters } }),
  };
};
