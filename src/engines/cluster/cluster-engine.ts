import type { Dialect } from './dsl/dialect.ts';
import type { Engine } from '../engine.ts';
import type { ClusterClient } from './client/client.ts';
import { ExpensiveSearches } from '../expensive-searches.ts';
import { describeIndex } from './indices/describe.ts';
import { batchSearches } from './search/msearch-batch.ts';
import { manageIndexes } from './indices/manage.ts';
import type { PointInTimeCalls } from './search/point-in-time-calls.ts';
import { searchCluster } from './search/search.ts';
import { coalescedSearches } from './search/coalesced-searches.ts';
import { writeOperations } from './indices/write.ts';

/** A client, and what its server understands. */
export interface Connection {
  readonly client: ClusterClient;
  readonly dialect: Dialect;
  /** How it is asked for a point in time; null when it has none. */
  readonly pointInTime: PointInTimeCalls | null;
}

/** A search that costs more than half a second of a processor is dear: a server has few threads for searches. */
const expensiveCost = 500_000;
const maxConcurrent = 1;

/**
 * An engine on a search server. It is connected to when it is first needed: a server that is away fails requests, not the start.
 * @param connect gives the connection, each time the same once it has succeeded
 * @param close ends whatever `connect` has opened
 * @param timeoutMs how long a search may take that does not say so itself
 */
export const clusterEngine = (
  connect: () => Promise<Connection>,
  close: () => Promise<void>,
  timeoutMs: number,
): Engine => {
  const shared = coalescedSearches();
  const send = batchSearches(shared.send);
  const expensive = new ExpensiveSearches(maxConcurrent, expensiveCost);
  const windows = new Map<string, number>();
  const client = async () => (await connect()).client;
  return {
    describe: async (index) => {
      const { description, window } = await describeIndex(client, index);
      windows.set(index, window);
      return description;
    },
    search: async (index, query, options = {}) => {
      const deadline = performance.now() + (options.timeoutMs ?? timeoutMs);
      const connection = await connect();
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
      return expensive.run(options, () => searchCluster(searching, query));
    },
    write: async (index, operations) =>
      writeOperations(await client(), index, operations).finally(shared.forget),
    manage: async (action) => manageIndexes(await client(), action).finally(shared.forget),
    close,
  };
};
