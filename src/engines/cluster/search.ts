import { TributaryError } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import { objectIn } from '../dsl/answer.ts';
import { compositeAggregations } from '../dsl/facet-aggregations.ts';
import { scopedAnswers } from '../dsl/facet-scope.ts';
import { readFacet } from '../dsl/read-facet.ts';
import { readHits } from '../dsl/read-hits.ts';
import { readCompositePage, termsResult } from '../dsl/read-terms.ts';
import {
  facetName,
  facetsBody,
  facetsLine,
  searchLines,
  type PlacedFacet,
  type SearchLine,
} from '../dsl/search-lines.ts';
import type {
  FacetResult,
  HitsQuery,
  HitsResult,
  SearchQuery,
  SearchResult,
  TermsBucket,
} from '../engine.ts';
import { deepHits, isDeep } from './deep-hits.ts';
import { isTooManyBuckets, serverFailure } from './failure.ts';
import { askWindow, isPastWindow } from './index-window.ts';
import { hitsByKey, isOrderedHere } from './key-order.ts';
import { searchAll, whole } from './multi-search.ts';
import type { Searching } from './searching.ts';

/**
 * Runs a query: one round trip, and further ones only for pages past the server's window and facets of more buckets
 * than one answer holds.
 * @throws TributaryError as the port says
 */
export const searchCluster = async (searching: Searching, query: SearchQuery): Promise<SearchResult> => {
  const started = performance.now();
  const inSteps = query.hits === undefined ? null : stepsFor(searching, query.hits);
  const lines = searchLines(inSteps === null ? query : { facets: query.facets }, searching.dialect);
  const facets = new Array<FacetResult>(query.facets.length);
  let hits: HitsResult | undefined;
  const answers = await searchAll(
    searching,
    lines.map(({ body }) => body),
  );
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'hits') hits = await answerHits(searching, line.query, answers[at]!);
    else await answerFacets(searching, line, answers[at]!, facets);
  }
  if (inSteps !== null) hits = await inSteps();
  return {
    ...(hits !== undefined && { hits }),
    facets,
    tookMs: Math.round(performance.now() - started),
    warnings: [...searching.warnings],
  };
};

/** How a page is put together that one search does not give; null for others. */
const stepsFor = (searching: Searching, hits: HitsQuery): (() => Promise<HitsResult>) | null => {
  if (isOrderedHere(hits, searching)) return () => hitsByKey(searching, hits);
  return isDeep(hits, searching.window) ? () => deepHits(searching, hits) : null;
};

/** An index may give less at once than was known of it. */
const answerHits = async (
  searching: Searching,
  query: HitsQuery,
  answer: JsonObject,
): Promise<HitsResult> => {
  const failed = answer['error'] !== undefined && isPastWindow(serverFailure(answer['error']));
  const window = failed ? await askWindow(searching) : searching.window;
  if (failed && isDeep(query, window)) return deepHits({ ...searching, window }, query);
  return readHits(query, whole(searching, answer), searching.dialect);
};

type FacetsLine = Extract<SearchLine, { kind: 'facets' }>;

/** Buckets that are too many together are asked for facet by facet, then page by page. */
const answerFacets = async (
  searching: Searching,
  line: FacetsLine,
  answer: JsonObject,
  facets: FacetResult[],
): Promise<void> => {
  if (answer['error'] !== undefined && isTooManyBuckets(serverFailure(answer['error']))) {
    if (line.facets.length === 1) return answerByPages(searching, line.facets[0]!, null, facets);
    for (const facet of line.facets) {
      const alone = facetsLine([facet]) as FacetsLine;
      const [answered] = await searchAll(searching, [alone.body]);
      await answerFacets(searching, alone, answered!, facets);
    }
    return;
  }
  const aggregations = objectIn(whole(searching, answer), 'aggregations');
  for (const [at, placed] of line.facets.entries()) {
    const reading = readFacet(facetName(at), placed.facet, aggregations);
    if (reading.kind === 'whole') facets[placed.place] = reading.result;
    else await answerByPages(searching, placed, reading.missing, facets);
  }
};

/** Walks through all buckets of a terms facet. */
const answerByPages = async (
  searching: Searching,
  { place, facet }: PlacedFacet,
  missing: number | null,
  facets: FacetResult[],
): Promise<void> => {
  const { measure } = facet;
  if (measure.kind !== 'terms')
    throw new TributaryError(
      'BAD_USER_INPUT',
      `the ${measure.kind} of ${facet.field.path} has more buckets than the search server gives; ask for fewer`,
    );
  const buckets: TermsBucket[] = [];
  let after: JsonObject | null = null;
  do {
    const body: JsonObject = facetsBody(facet, compositeAggregations('f0', facet, measure, after));
    const [answer]: readonly JsonObject[] = await searchAll(searching, [body]);
    const aggregations: JsonObject = objectIn(whole(searching, answer!), 'aggregations');
    const page = readCompositePage(facet, measure, scopedAnswers('f0', facet, aggregations));
    for (const bucket of page.buckets) buckets.push(bucket);
    after = page.after;
  } while (after !== null);
  facets[place] = termsResult(measure, buckets, missing ?? (await missingOf(searching, facet)));
};

const missingOf = async (searching: Searching, facet: PlacedFacet['facet']): Promise<number> => {
  const alone = { ...facet, measure: { kind: 'terms', size: 1 } } as const;
  const line = facetsLine([{ place: 0, facet: alone }]);
  const [answer] = await searchAll(searching, [line.body]);
  const reading = readFacet(facetName(0), alone, objectIn(whole(searching, answer!), 'aggregations'));
  if (reading.kind === 'partial') return reading.missing;
  return reading.result.kind === 'terms' ? reading.result.missing : 0;
};
