import type { Dialect } from '../dsl/dialect.ts';
import type { Engine } from '../engine.ts';
import type { ClusterClient } from './client.ts';
import { describeIndex } from './describe.ts';
import { manageIndexes } from './manage.ts';
import { searchCluster } from './search.ts';
import { writeOperations } from './write.ts';

/** A client, and what its server understands. */
export interface Connection {
  readonly client: ClusterClient;
  readonly dialect: Dialect;
}

/**
 * An engine on a search server. It is connected to when it is first needed: a server that is away fails requests, not the start.
 * @param connect gives the connection, each time the same once it has succeeded
 * @param close ends whatever `connect` has opened
 */
export const clusterEngine = (connect: () => Promise<Connection>, close: () => Promise<void>): Engine => ({
  describe: (index) => describeIndex(async () => (await connect()).client, index),
  search: async (index, query, options = {}) => {
    const { client, dialect } = await connect();
    return searchCluster({ client, index, dialect, options, warnings: new Set() }, query);
  },
  write: async (index, operations) => writeOperations((await connect()).client, index, operations),
  manage: async (action) => manageIndexes((await connect()).client, action),
  close,
});
