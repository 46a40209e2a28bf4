import type { JsonObject } from '../../../json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind } from '../../measure.ts';
import { dateHistogram } from './date-histogram.ts';
import { readTerms, type TermsReading } from './read-terms.ts';
import { termsAggregations } from './terms-aggregations.ts';
import { cardinality, histogram, range, stats } from './value-measures.ts';
import type { WholeMeasure } from './whole-measure.ts';

/** A facet's answer, or that its buckets must be walked through. */
export type FacetReading =
  { readonly kind: 'whole'; readonly result: FacetResult } | Extract<TermsReading, { kind: 'partial' }>;

/** A measure in the servers' language. */
export interface MeasureDsl<Kind extends MeasureKind> {
  /** The aggregations that answer it, by names of its own. @throws TributaryError BAD_USER_INPUT */
  readonly ask: (facet: FacetQuery<Kind>) => JsonObject;
  /**
   * The answers by the same names.
   * @param shards how many were asked: what one shard gives is exact
   * @throws TributaryError BAD_USER_INPUT for more buckets than are given
   */
  readonly read: (facet: FacetQuery<Kind>, answers: JsonObject, shards: number) => FacetReading;
}

const whole = <Kind extends MeasureKind>({ ask, read }: WholeMeasure<Kind>): MeasureDsl<Kind> => ({
  ask,
  read: (facet, answers) => ({ kind: 'whole', result: read(facet, answers) as FacetResult }),
});

const measures: { readonly [Kind in MeasureKind]: MeasureDsl<Kind> } = {
  terms: {
    ask: (facet) => termsAggregations(facet, facet.measure),
    read: (facet, answers, shards) => readTerms(facet, facet.measure, answers, shards),
  },
  stats: whole(stats),
  histogram: whole(histogram),
  date_histogram: whole(dateHistogram),
  range: whole(range),
  cardinality: whole(cardinality),
};

/** A measure in the servers' language. */
export const measureDsl = <Kind extends MeasureKind>(kind: Kind): MeasureDsl<Kind> => measures[kind];
