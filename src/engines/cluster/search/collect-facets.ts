import { numberIn, objectIn, type JsonObject } from '../../../lib/json/json.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import { compositeAggregations, widerAggregations, type TermsMeasure } from '../dsl/terms-aggregations.ts';
import { facetAnswers, facetsItem, type FacetsItem, type IndexedFacet } from '../dsl/msearch-items.ts';
import { readFacet } from '../dsl/measures.ts';
import { readCompositePage, termsResult, type FacetReading, type FurtherReading } from '../dsl/read-terms.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, TermsBucket, TermsResult } from '../../measure.ts';
import { hasTooManyBuckets } from '../client/failure.ts';
import { searchAll, completeAnswer } from './multi-search.ts';
import type { SearchContext } from './search-context.ts';

/**
 * Collects the results of a list of facets, in place. If shards left out buckets that matter, a facet is requested
 * again with more of them, then paged through. If one response cannot hold the buckets, facets are requested one by
 * one.
 * @throws TributaryError as documented on the port
 */
export const collectFacets = async (
  searching: SearchContext,
  line: FacetsItem,
  answer: JsonObject,
  facets: FacetResult[],
): Promise<void> => {
  if (hasTooManyBuckets(answer)) {
    if (line.facets.length === 1) {
      const [{ facet, index }] = line.facets as readonly [IndexedFacet];
      facets[index] = await walkThrough(searching, facet, termsOf(facet), null);
      return;
    }
    for (const placed of line.facets) {
      const alone = facetsItem([placed]);
      const [answered] = await searchAll(searching, [alone.body]);
      await collectFacets(searching, alone, answered!, facets);
    }
    return;
  }
  const further: (FurtherReading & IndexedFacet)[] = [];
  for (const [at, reading] of readLine(searching, line, answer).entries()) {
    const placed = line.facets[at]!;
    if (reading.kind === 'complete') facets[placed.index] = reading.result;
    else if (reading.kind === 'further') further.push({ ...reading, ...placed });
    else facets[placed.index] = await askWider(searching, placed.facet, reading.missing);
  }
  if (further.length > 0) await requestFurther(searching, further, facets);
};

/** Sends the further requests of all facets in one round trip. */
const requestFurther = async (
  searching: SearchContext,
  further: readonly (FurtherReading & IndexedFacet)[],
  facets: FacetResult[],
): Promise<void> => {
  const aggregationsOf = new Map(further.map((request) => [request.index, request.aggregations]));
  const line = facetsItem(further, ({ index }) => aggregationsOf.get(index)!);
  const [answer] = await searchAll(searching, [line.body]);
  if (further.length > 1 && hasTooManyBuckets(answer!)) {
    for (const request of further) await requestFurther(searching, [request], facets);
    return;
  }
  const { aggregations } = completeAnswer(searching, answer!);
  for (const [at, { index, read }] of further.entries())
    facets[index] = read(facetAnswers(line.tree, at, (aggregations ?? {}) as JsonObject));
};

const readLine = (
  searching: SearchContext,
  line: FacetsItem,
  answer: JsonObject,
): readonly FacetReading[] => {
  const { _shards: shards, aggregations } = completeAnswer(searching, answer) as Record<string, JsonObject>;
  const total = numberIn(shards ?? {}, 'total');
  return line.facets.map(({ facet }, at) =>
    readFacet(facet, facetAnswers(line.tree, at, aggregations ?? {}), total),
  );
};

const termsOf = ({ measure, field }: FacetQuery): TermsMeasure => {
  if (measure.kind === 'terms') return measure;
  throw badUserInput(
    `the ${measure.kind} of ${field.path} has more buckets than the search server returns; request fewer`,
  );
};

const askWider = async (
  searching: SearchContext,
  facet: FacetQuery,
  missing: number,
): Promise<TermsResult> => {
  const measure = termsOf(facet);
  const wider = widerAggregations(facet, measure);
  if (wider !== null) {
    const line = facetsItem([{ facet, index: 0 }], () => wider);
    const [answer] = await searchAll(searching, [line.body]);
    if (!hasTooManyBuckets(answer!)) {
      const [reading] = readLine(searching, line, answer!);
      if (reading!.kind === 'complete' && reading!.result.kind === 'terms')
        return { ...reading!.result, missing };
    }
  }
  return walkThrough(searching, facet, measure, missing);
};

/** Reads all buckets of a terms facet, page by page. */
const walkThrough = async (
  searching: SearchContext,
  facet: FacetQuery,
  measure: TermsMeasure,
  missing: number | null,
): Promise<TermsResult> => {
  const buckets: TermsBucket[] = [];
  let after: JsonObject | null = null;
  do {
    const line: FacetsItem = facetsItem([{ facet, index: 0 }], () =>
      compositeAggregations(facet, measure, after),
    );
    const [answer]: readonly JsonObject[] = await searchAll(searching, [line.body]);
    const aggregations: JsonObject = objectIn(completeAnswer(searching, answer!), 'aggregations');
    const page = readCompositePage(facet, measure, facetAnswers(line.tree, 0, aggregations));
    for (const bucket of page.buckets) buckets.push(bucket);
    after = page.after;
  } while (after !== null);
  return termsResult(measure, buckets, missing ?? (await missingOf(searching, facet)));
};

const missingOf = async (searching: SearchContext, facet: FacetQuery): Promise<number> => {
  const first = { ...facet, measure: { kind: 'terms', size: 1, distinct: false } } as const;
  const line = facetsItem([{ facet: first, index: 0 }]);
  const [answer] = await searchAll(searching, [line.body]);
  const [reading] = readLine(searching, line, answer!);
  if (reading!.kind === 'incomplete') return reading!.missing;
  return reading!.kind === 'complete' && reading!.result.kind === 'terms' ? reading!.result.missing : 0;
};
