import type { FacetMeasure } from '../../search/query.ts';

/** Whether the cells of a release could answer a measure: only counts of values, ranges and intervals. */
export const isOfCells = (measure: FacetMeasure): boolean => {
  switch (measure.kind) {
    case 'terms':
      return (
        measure.unsampled !== true && measure.topHits === undefined && (measure.filters ?? []).length === 0
      );
    case 'histogram':
    case 'date_histogram':
    case 'range':
      return true;
    case 'stats':
    case 'cardinality':
    case 'percentiles':
    case 'distinct_sample':
      return false;
  }
};
