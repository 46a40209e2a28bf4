import type { Engine, IndexStatistics } from '../engine.ts';
import { queryCost } from './query-cost.ts';

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
