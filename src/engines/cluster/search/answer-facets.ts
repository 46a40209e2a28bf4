import { TributaryError } from '../../../errors.ts';
import type { JsonObject } from '../../../json.ts';
import { numberIn, objectIn } from '../dsl/answer.ts';
import { compositeAggregations, widerAggregations, type TermsMeasure } from '../dsl/terms-aggregations.ts';
import { facetAnswers } from '../dsl/facet-tree.ts';
import type { FacetReading } from '../dsl/measure-dsl.ts';
import { readFacet } from '../dsl/read-facet.ts';
import { readCompositePage, termsResult } from '../dsl/read-terms.ts';
import { facetsLine, type FacetsLine, type PlacedFacet } from '../dsl/search-lines.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, TermsBucket, TermsResult } from '../../measure.ts';
import { isTooManyBuckets, serverFailure } from '../client/failure.ts';
import { searchAll, whole } from './multi-search.ts';
import type { Searching } from './searching.ts';

/**
 * The answers to a line of facets, put into their places. Where shards left out buckets that matter, a facet is asked
 * again for more of them, then walked through. Too many buckets for one answer are asked for facet by facet.
 * @throws TributaryError as the port says
 */
export const answerFacets = async (
  searching: Searching,
  line: FacetsLine,
  answer: JsonObject,
  facets: FacetResult[],
): Promise<void> => {
  if (answer['error'] !== undefined && isTooManyBuckets(serverFailure(answer['error']))) {
    if (line.facets.length === 1) {
      const [{ facet, place }] = line.facets as readonly [PlacedFacet];
      facets[place] = await walkThrough(searching, facet, termsOf(facet), null);
      return;
    }
    for (const placed of line.facets) {
      const alone = facetsLine([placed]);
      const [answered] = await searchAll(searching, [alone.body]);
      await answerFacets(searching, alone, answered!, facets);
    }
    return;
  }
  for (const [at, reading] of readLine(searching, line, answer).entries()) {
    const { facet, place } = line.facets[at]!;
    facets[place] =
      reading.kind === 'whole' ? reading.result : await askFurther(searching, facet, reading.missing);
  }
};

const readLine = (searching: Searching, line: FacetsLine, answer: JsonObject): readonly FacetReading[] => {
  const { _shards: shards, aggregations } = whole(searching, answer) as Record<string, JsonObject>;
  const total = numberIn(shards ?? {}, 'total');
  return line.facets.map(({ facet }, at) =>
    readFacet(facet, facetAnswers(line.tree, at, aggregations ?? {}), total),
  );
};

const termsOf = ({ measure, field }: FacetQuery): TermsMeasure => {
  if (measure.kind === 'terms') return measure;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `the ${measure.kind} of ${field.path} has more buckets than the search server gives; ask for fewer`,
  );
};

const askFurther = async (searching: Searching, facet: FacetQuery, missing: number): Promise<TermsResult> => {
  const measure = termsOf(facet);
  const wider = widerAggregations(facet, measure);
  if (wider !== null) {
    const line = facetsLine([{ facet, place: 0 }], () => wider);
    const [answer] = await searchAll(searching, [line.body]);
    if (answer!['error'] === undefined || !isTooManyBuckets(serverFailure(answer!['error']))) {
      const [reading] = readLine(searching, line, answer!);
      if (reading!.kind === 'whole' && reading!.result.kind === 'terms')
        return { ...reading!.result, missing };
    }
  }
  return walkThrough(searching, facet, measure, missing);
};

/** All buckets of a terms facet, page by page. */
const walkThrough = async (
  searching: Searching,
  facet: FacetQuery,
  measure: TermsMeasure,
  missing: number | null,
): Promise<TermsResult> => {
  const buckets: TermsBucket[] = [];
  let after: JsonObject | null = null;
  do {
    const line: FacetsLine = facetsLine([{ facet, place: 0 }], () =>
      compositeAggregations(facet, measure, after),
    );
    const [answer]: readonly JsonObject[] = await searchAll(searching, [line.body]);
    const aggregations: JsonObject = objectIn(whole(searching, answer!), 'aggregations');
    const page = readCompositePage(facet, measure, facetAnswers(line.tree, 0, aggregations));
    for (const bucket of page.buckets) buckets.push(bucket);
    after = page.after;
  } while (after !== null);
  return termsResult(measure, buckets, missing ?? (await missingOf(searching, facet)));
};

const missingOf = async (searching: Searching, facet: FacetQuery): Promise<number> => {
  const one = { ...facet, measure: { kind: 'terms', size: 1, distinct: false } } as const;
  const line = facetsLine([{ facet: one, place: 0 }]);
  const [answer] = await searchAll(searching, [line.body]);
  const [reading] = readLine(searching, line, answer!);
  if (reading!.kind === 'partial') return reading!.missing;
  return reading!.result.kind === 'terms' ? reading!.result.missing : 0;
};
