import type { JsonObject } from '../../../json.ts';
import type { FacetQuery, FacetResult, TermsResult } from '../../engine.ts';
import { objectIn } from './answer.ts';
import { hasValues } from './facet-aggregations.ts';
import { readCardinality, readHistogram, readRanges, readStats } from './read-measures.ts';
import { documentsOf, readTerms, type TermsReading } from './read-terms.ts';

/** A facet's answer, or that its buckets must be walked through. */
export type FacetReading =
  { readonly kind: 'whole'; readonly result: FacetResult } | Extract<TermsReading, { kind: 'partial' }>;

/**
 * A facet out of the answers to facetAggregations.
 * @param shards how many shards were asked: what one shard gives is exact
 * @throws TributaryError BAD_USER_INPUT for a histogram of too many buckets
 */
export const readFacet = (facet: FacetQuery, answers: JsonObject, shards: number): FacetReading => {
  const { measure } = facet;
  if (!hasValues(facet))
    return { kind: 'whole', result: valueless(facet, documentsOf(objectIn(answers, 'documents'))) };
  switch (measure.kind) {
    case 'terms':
      return readTerms(facet, measure, answers, shards);
    case 'stats':
      return { kind: 'whole', result: readStats(answers) };
    case 'histogram':
      return {
        kind: 'whole',
        result: readHistogram(facet, measure.interval, measure.offset ?? 0, answers),
      };
    case 'range':
      return { kind: 'whole', result: readRanges(measure.ranges, answers) };
    case 'cardinality':
      return { kind: 'whole', result: readCardinality(answers) };
  }
};

const valueless = (facet: FacetQuery, missing: number): FacetResult => {
  const empty: TermsResult = { kind: 'terms', buckets: [], distinct: 0, missing };
  return facet.measure.kind === 'cardinality' ? { kind: 'cardinality', value: 0, exact: true } : empty;
};
