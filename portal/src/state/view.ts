import type { Filter } from '../api/filter.ts';
import type { Sort } from '../api/catalogue.ts';

/** Everything about a page that a link restores. Plain JSON; absent parts are as at the start. */
export interface View {
  readonly source?: string;
  readonly tab?: 'table' | 'charts' | 'compare';
  readonly join?: 'and' | 'or';
  readonly filters?: readonly Filter[];
  /** The institutions to query; absent: all. */
  readonly nodes?: readonly string[];
  readonly columns?: readonly string[];
  readonly sort?: readonly Sort[];
  readonly charts?: readonly string[];
  readonly cohorts?: readonly Cohort[];
  /** Facets that are open beyond those which always are. */
  readonly opened?: readonly string[];
  readonly record?: RecordKey;
  /** The names that the source of before had and this one has not: until the next change. */
  readonly dropped?: readonly string[];
}

export interface Cohort {
  readonly name: string;
  readonly filter: Filter | null;
}

export interface RecordKey {
  readonly id: string;
  readonly nodeId: string | null;
}

/** The filter of a view as the server takes it. */
export const filterOf = ({ filters = [], join = 'and' }: View): Filter | null =>
  filters.length === 0 ? null : { op: join, content: filters };
