import type { MeasureKind } from '../engines/measure.ts';
import type { FacetAnswer } from '../search/facet-answer.ts';
import { cardinality } from './cardinality.ts';
import { dateHistogram } from './date-histogram.ts';
import { distinctSample } from './distinct-sample.ts';
import { histogram } from './histogram.ts';
import { percentiles } from './percentiles.ts';
import { range } from './range.ts';
import type { FacetType, MeasureRow, MeasureRows } from './row/measure-row.ts';
import { stats } from './stats.ts';
import { terms } from './terms.ts';

/** All measures, in the order of the schema's fields. */
const measures: MeasureRows = {
  terms,
  stats,
  histogram,
  date_histogram: dateHistogram,
  range,
  cardinality,
  percentiles,
  distinct_sample: distinctSample,
};

/** The row of a measure. */
export const measureRow = <Kind extends MeasureKind>(kind: Kind): MeasureRow<Kind> => measures[kind];

/** The names of all measures. */
export const measureKinds = Object.keys(measures) as readonly MeasureKind[];

/** The measures by the GraphQL fields that request them. */
export const kindsByField: ReadonlyMap<string, MeasureKind> = new Map(
  measureKinds.flatMap((kind) =>
    (['values', 'numbers'] satisfies readonly FacetType[]).flatMap((type) =>
      Object.keys(measures[kind].fields[type] ?? {}).map((name) => [name, kind] as const),
    ),
  ),
);

/**
 * Whether the schema's types can represent every value of some answers unchanged. Otherwise the executor must check
 * each, and report an error at the path of those that do not fit: a count beyond 32 bits, a sum that is not finite.
 */
export const facetsFitTypes = (answers: readonly FacetAnswer[]): boolean => answers.every(fitsTypes);

const fitsTypes = <Kind extends MeasureKind>(answer: FacetAnswer<Kind> & { readonly kind: Kind }): boolean =>
  measureRow(answer.kind).fitsTypes(answer);
