import type { FacetMeasure } from './query.ts';
import type { Sqon } from '../sqon/ast.ts';

/** The filters that a measure uses besides the query's own. */
export const filtersOf = (measure: FacetMeasure): readonly Sqon[] =>
  'filters' in measure ? (measure.filters ?? []) : [];

/** The measure with each of these filters replaced. */
export const withFilters = (measure: FacetMeasure, change: (filter: Sqon) => Sqon): FacetMeasure =>
  'filters' in measure && measure.filters !== undefined
    ? { ...measure, filters: measure.filters.map(change) }
    : measure;
