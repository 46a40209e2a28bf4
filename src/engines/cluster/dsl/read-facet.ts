import type { JsonObject } from '../../../json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind } from '../../measure.ts';
import { objectIn } from '../client/answer.ts';
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
    : { kind: 'complete', result: valueless(facet, documentsOf(objectIn(answers, 'documents'))) };
};

const valueless = ({ measure }: FacetQuery, documents: number): FacetResult => {
  if (measure.kind === 'cardinality') return { kind: 'cardinality', value: 0, exact: true };
  if (measure.kind === 'distinct_sample') return { kind: 'distinct_sample', sample: null };
  // documents without a value are no match for a text
  const isMatching = measure.kind === 'terms' && measure.matching !== undefined;
  return { kind: 'terms', buckets: [], distinct: 0, missing: isMatching ? 0 : documents };
};
