import { elasticsearchTransport } from './client/elasticsearch.ts';
import type { Engine, SendOnce } from '../engine.ts';
import { openRetryBudget } from '../../retry.ts';
import { openSearchTransport } from './client/opensearch.ts';
import { clusterClient, defaultRetryPolicy, type ClusterClient, type RetryPolicy } from './client/client.ts';
import { clusterEngine, type Connection } from './cluster-engine.ts';
import type { ClusterSettings } from './client/cluster-settings.ts';
import { elasticsearchCalls, openSearchCalls } from './search/point-in-time-calls.ts';
import { askIdentity, type ServerIdentity } from './client/server-identity.ts';

/**
 * An engine on a search server. The server's product and version are determined on first use.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const openCluster = (settings: ClusterSettings, policy: RetryPolicy = defaultRetryPolicy): Engine => {
  const budget = openRetryBudget();
  // this client talks to every server, the other one only to its own product
  const first = clusterClient(openSearchTransport(settings), policy, budget);
  const opened = [first];
  let connecting: Promise<Connection> | undefined;
  const connect = async (options: SendOnce): Promise<Connection> => {
    if (settings.kind === 'opensearch') return openSearch(first);
    const identity = await askIdentity(first, options);
    if (identity.product === 'opensearch') return openSearch(first);
    // those have a different point in time API, which needs a different cursor
    if (!speaksNewer(identity)) return { client: first, dialect: { tieBreak: '_id' }, pointInTime: null };
    const client = clusterClient(elasticsearchTransport(settings), policy, budget);
    opened.push(client);
    return { client, dialect: { tieBreak: '_seq_no' }, pointInTime: elasticsearchCalls };
  };
  const connected = (options: SendOnce = {}): Promise<Connection> => {
    connecting ??= connect(options).catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
  return clusterEngine(connected, () => closeAll(opened), policy.timeoutMs);
};

const openSearch = (client: ClusterClient): Connection => ({
  client,
  dialect: { tieBreak: '_id' },
  pointInTime: openSearchCalls,
});

const speaksNewer = ({ major }: ServerIdentity): boolean => major >= 8;

const closeAll = async (clients: readonly ClusterClient[]): Promise<void> => {
  await Promise.all(clients.map((client) => client.close()));
};
