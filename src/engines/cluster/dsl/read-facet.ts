import type { JsonObject } from '../../../json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind, TermsResult } from '../../measure.ts';
import { objectIn } from './answer.ts';
import { hasValues } from './facet-aggregations.ts';
import type { FacetReading } from './facet-reading.ts';
import { measureDsl } from './measure-dsl.ts';
import { documentsOf } from './read-terms.ts';

/**
 * Reads a facet from the results of facetAggregations.
 * @param shards the number of shards searched: the result of a single shard is exact
 * @throws TributaryError BAD_USER_INPUT for a histogram with too many buckets
 */
export const readFacet = <Kind extends MeasureKind>(
  facet: FacetQuery<Kind>,
  answers: JsonObject,
  shards: number,
): FacetReading => {
  const { kind } = facet.measure;
  return hasValues(facet)
    ? measureDsl<Kind>(kind).read(facet, answers, shards)
    : { kind: 'complete', result: valueless(kind, documentsOf(objectIn(answers, 'documents'))) };
};

const valueless = (kind: MeasureKind, missing: number): FacetResult => {
  const empty: TermsResult = { kind: 'terms', buckets: [], distinct: 0, missing };
  return kind === 'cardinality' ? { kind: 'cardinality', value: 0, exact: true } : empty;
};
