import { hasOwnValues, kindOf } from '../../../introspection/fields/field.ts';
import { objectIn, type JsonObject } from '../../../lib/json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind } from '../../measure.ts';
import { eventTable, timesOf, tooManyTimes } from '../../semantics/event-table.ts';
import { assertMeasurable, notCountable } from '../../semantics/field-uses.ts';
import { percentiles } from './percentiles.ts';
import { documentsOf, readTerms, type FacetReading, type MeasureDsl } from './read-terms.ts';
import { documents, termsAggregations } from './terms-aggregations.ts';
import {
  cardinality,
  dateHistogram,
  groups,
  histogram,
  range,
  setSearches,
  stats,
  type WholeMeasure,
} from './value-measures.ts';

/**
 * The aggregations that answer a facet, within its scope.
 * @throws TributaryError BAD_USER_INPUT for a text field, a measure its field does not support, an interval not above 0
 */
export const facetAggregations = <Kind extends MeasureKind>(facet: FacetQuery<Kind>): JsonObject => {
  if (facet.field.path === '_id') throw notCountable(facet.field);
  assertMeasurable(facet.field, facet.measure.kind);
  return hasValues(facet)
    ? measureDsl<Kind>(facet.measure.kind).aggs(facet)
    : { documents: documents({ field: facet.field }) };
};

/** The sets of values whose documents are counted by the totals of further searches, beside the aggregations. */
export const searchedSets = (facet: FacetQuery): ReturnType<typeof setSearches> =>
  hasValues(facet) ? setSearches(facet) : [];

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
  if (measure.kind === 'groups')
    return { kind: 'groups', buckets: measure.sets.map(({ key }) => ({ key, count: 0 })) };
  // documents without a value do not match a text
  const isMatching = measure.kind === 'terms' && measure.matching !== undefined;
  return { kind: 'terms', buckets: [], distinct: 0, missing: isMatching ? 0 : documents };
};

/** Object fields have no values themselves: for them everything counts as missing. */
const hasValues = ({ field }: Pick<FacetQuery, 'field'>): boolean => hasOwnValues(kindOf(field.type));

const whole = <Kind extends MeasureKind>({ aggs, read }: WholeMeasure<Kind>): MeasureDsl<Kind> => ({
  aggs,
  read: (facet, answers) => ({ kind: 'complete', result: read(facet, answers) as FacetResult }),
});

const measures: { readonly [Kind in MeasureKind]: MeasureDsl<Kind> } = {
  terms: {
    aggs: (facet) => termsAggregations(facet, facet.measure),
    read: (facet, answers, shards) => readTerms(facet, facet.measure, answers, shards),
  },
  stats,
  histogram: whole(histogram),
  date_histogram: whole(dateHistogram),
  range: whole(range),
  cardinality: whole(cardinality),
  percentiles,
  groups: whole(groups),
  survival: {
    aggs: (facet) => termsAggregations(timesOf(facet), timesOf(facet).measure),
    read: (facet, answers, shards) => {
      const times = timesOf(facet);
      const reading = readTerms(times, times.measure, answers, shards);
      if (reading.kind === 'incomplete') throw tooManyTimes(facet.field.path);
      return { kind: 'complete', result: eventTable(facet, reading.result) };
    },
  },
};

/** How a measure is requested in the query DSL, and how its answers are read. */
const measureDsl = <Kind extends MeasureKind>(kind: Kind): MeasureDsl<Kind> => measures[kind];
