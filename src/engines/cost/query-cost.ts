import type { Filter } from '../../sqon/filter.ts';
import type { IndexStatistics, SearchQuery, HitsQuery, SortKey, Engine } from '../engine.ts';
import type { Cost } from '../allowance.ts';
import { CostBreakdown } from '../allowance.ts';
import { facetCost } from './facet-cost.ts';
import { filterCosts } from './filter-cost.ts';
import type { IndexEstimates } from './prices.ts';
import { indexEstimates, prices } from './prices.ts';
import { kindOf } from '../../introspection/fields/field.ts';

/**
 * Wraps an engine to consult the allowance of each search, if it has one, before running it. Costs are known once an
 * index has been described, and are based on the latest description.
 */
export const pricedEngine = (engine: Engine): Engine => {
  const known = new Map<string, IndexStatistics>();
  return {
    ...engine,
    describe: async (index) => {
      const description = await engine.describe(index);
      known.set(index, description.statistics ?? { documents: description.documents });
      return description;
    },
    search: async (index, query, options = {}) => {
      const statistics = known.get(index);
      if (options.allowance === undefined || statistics === undefined)
        return engine.search(index, query, options);
      const cost = queryCost(query, statistics);
      await options.allowance.admit(cost);
      const { caller } = options.allowance;
      return engine.search(index, query, { ...options, priority: { caller, cost: cost.total } });
    },
  };
};

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

/** Adds the cost of a page of hits, without its filter. */
const hitsCost = (hits: HitsQuery, figures: IndexEstimates, bill: CostBreakdown): void => {
  const size = Math.min(hits.size, figures.documents);
  bill.add('hits', size, size * hitPrice(hits, figures));
  if (hits.size + hits.offset === 0) return;
  const [first, ...others] = hits.sort;
  if (first !== undefined) bill.add('sort keys', 1, firstKeyCost(first, figures));
  for (const key of others)
    bill.add('sort keys', 1, firstKeyCost(key, figures) + figures.documents * prices.furtherRank);
};

const hitPrice = ({ source, sort }: HitsQuery, figures: IndexEstimates): number => {
  const read = source?.length === 0 ? 0 : figures.documentBytes * prices.readByte;
  return (
    prices.hit + read + (source?.length ?? 0) * prices.pickedField + (sort.length + 1) * prices.cursorValue
  );
};

const firstKeyCost = ({ field }: SortKey, figures: IndexEstimates): number => {
  const kind = kindOf(field.type);
  const isNestedNumber = field.nestedIn.length > 0 && (kind === 'number' || kind === 'date');
  const values = Math.max(figures.values(field), figures.documents);
  return values * (isNestedNumber ? prices.rankedNestedNumber : prices.rankedValue);
};
