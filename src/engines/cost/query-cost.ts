import type { Filter } from '../../sqon/filter.ts';
import type { IndexStatistics, SearchQuery } from '../engine.ts';
import { CostBreakdown, type Cost } from '../cost-breakdown.ts';
import { facetCost } from './facet-cost.ts';
import { filterCosts } from './filter-cost.ts';
import { hitsCost } from './hits-cost.ts';
import { indexEstimates } from './index-estimates.ts';
import { prices } from './prices.ts';

/**
 * The approximate maximum cost of a search in microseconds of CPU time, estimated from the query and a few figures of
 * the index, without accessing it.
 */
export const queryCost = ({ hits, facets }: SearchQuery, statistics: IndexStatistics): Cost => {
  const figures = indexEstimates(statistics);
  const bill = new CostBreakdown();
  const filterCost = filterCosts(figures, bill);
  const listed = new Set<Filter>();
  const list = (filter: Filter): void => {
    if (!listed.has(filter)) bill.add('documents', 0, figures.documents * prices.listedDocument);
    listed.add(filter);
    filterCost(filter);
  };
  bill.add('searches', 1, prices.search);
  if (hits !== undefined) {
    list(hits.filter);
    hitsCost(hits, figures, bill);
  }
  for (const facet of facets) {
    list(facet.filter);
    Object.values(facet.objects).forEach(filterCost);
    facetCost(facet, figures, bill, filterCost);
  }
  return bill.cost();
};
