import type { CatalogueQuery, HitsRequest } from '../../search/query.ts';
import type { QueryPlan } from './plan.ts';
import { unsorted } from './plan-sort.ts';

/**
 * What is left of a plan for a node that withholds its records from this caller: how many match, and facets of counts;
 * then without intervals too, which may not be those of its release. null when nothing else was requested.
 */
export const withheldPlan = (plan: QueryPlan): QueryPlan | null =>
  withoutRecords(plan) ?? withoutIntervals(plan);

const withoutIntervals = (plan: QueryPlan): QueryPlan | null =>
  withoutRecords({
    ...plan,
    ofRecords: plan.query.facets.map(({ field, measure: { kind } }) =>
      kind === 'histogram' || kind === 'date_histogram' ? plan.node.fieldMapping.toNetwork(field) : null,
    ),
  });

const withoutRecords = (plan: QueryPlan): QueryPlan | null => {
  const { query, ofRecords, facets } = plan;
  const isOfCells = (index: number): boolean => ofRecords[index] === null;
  const { hits } = query;
  const showsRows = hits !== null && (hits.first > 0 || hits.searchAfter !== null || hits.sort.length > 0);
  const left = ofRecords.filter((path) => path !== null);
  if (!showsRows && left.length === 0) return null;
  const kept = query.facets.flatMap((_, index) => (isOfCells(index) ? [index] : []));
  const counted: CatalogueQuery = {
    ...query,
    facets: kept.map((index) => query.facets[index]!),
    hits: hits && countOf(hits),
  };
  return {
    ...plan,
    ...unsorted,
    query: counted,
    ofRecords: kept.map(() => null),
    uncoveredFields: [...new Set([...plan.uncoveredFields, ...left])],
    facets: facets.map((at) => (at == null ? at : isOfCells(at) ? kept.indexOf(at) : null)),
  };
};

const countOf = ({ trackTotal, bounded }: HitsRequest): HitsRequest => ({
  first: 0,
  offset: 0,
  sort: [],
  searchAfter: null,
  trackTotal,
  ...(bounded && { bounded }),
  fields: [],
});
