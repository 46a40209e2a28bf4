import type { Dialect } from './dsl/hits.ts';
import type { Engine, SendOnce } from '../engine.ts';
import type { ClusterClient } from './client/client.ts';
import { ExpensiveSearches } from '../expensive-searches.ts';
import { describeIndex } from './indices/describe.ts';
import { batchSearches, coalescedSearches } from './search/multi-search.ts';
import { manageIndexes } from './indices/manage.ts';
import type { PointInTimeCalls } from './search/search-context.ts';
import { searchCluster } from './search/search.ts';
import { writeOperations } from './indices/write.ts';

/** A client and the capabilities of its server. */
export interface Connection {
  readonly client: ClusterClient;
  readonly dialect: Dialect;
  /** The calls for a point in time; null when the server has none. */
  readonly pointInTime: PointInTimeCalls | null;
}

/** A search that costs more than 500 ms of CPU time is expensive: a server has few search threads. */
const expensiveCost = 500_000;
const maxConcurrent = 1;

/**
 * An engine on a search server. It connects on first use: an unreachable server fails requests, not the start.
 * @param connect returns the connection, always the same one after the first success
 * @param close closes what `connect` has opened
 * @param timeoutMs the time limit of a search without one of its own, in milliseconds
 */
export const clusterEngine = (
  connect: (options?: SendOnce) => Promise<Connection>,
  close: () => Promise<void>,
  timeoutMs: number,
): Engine => {
  const shared = coalescedSearches();
  const send = batchSearches(shared.send);
  const expensive = new ExpensiveSearches(maxConcurrent, expensiveCost);
  const windows = new Map<string, number>();
  const client = async (options?: SendOnce) => (await connect(options)).client;
  return {
    describe: async (index) => {
      const { description, window } = await describeIndex(client, index);
      windows.set(index, window);
      return description;
    },
    search: async (index, query, options = {}) => {
      const deadline = performance.now() + (options.timeoutMs ?? timeoutMs);
      const connection = await connect(options);
      const window = windows.get(index) ?? null;
      const searching = {
        ...connection,
        index,
        window,
        options,
        deadline,
        send,
        warnings: new Set<string>(),
      };
      const bounded = { ...options, timeoutMs: options.timeoutMs ?? timeoutMs };
      return expensive.run(bounded, () => searchCluster(searching, query));
    },
    write: async (index, operations, options) =>
      writeOperations(await client(options), index, operations, options).finally(shared.forget),
    manage: async (action) => manageIndexes(await client(), action).finally(shared.forget),
    close,
  };
};
