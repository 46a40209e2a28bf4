import type { FacetResult, MeasureKind } from '../../measure.ts';
import { dateHistogram } from './date-histogram.ts';
import { distinctSample } from './distinct-sample.ts';
import type { MeasureDsl } from './facet-reading.ts';
import { percentiles } from './percentiles.ts';
import { readTerms } from './read-terms.ts';
import { termsAggregations } from './terms-aggregations.ts';
import { cardinality, histogram, range, stats } from './value-measures.ts';
import type { WholeMeasure } from './whole-measure.ts';

const whole = <Kind extends MeasureKind>({ ask, read }: WholeMeasure<Kind>): MeasureDsl<Kind> => ({
  ask,
  read: (facet, answers) => ({ kind: 'complete', result: read(facet, answers) as FacetResult }),
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
  percentiles,
  distinct_sample: distinctSample,
};

/** How a measure is requested in the query DSL, and how its answers are read. */
export const measureDsl = <Kind extends MeasureKind>(kind: Kind): MeasureDsl<Kind> => measures[kind];
