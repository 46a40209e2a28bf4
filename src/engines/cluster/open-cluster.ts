import type { Engine, SendOnce } from '../engine.ts';
import { openRetryBudget } from '../../net/retry.ts';
import { openSearchTransport } from './client/opensearch.ts';
import type { ClusterClient, RetryPolicy } from './client/client.ts';
import { clusterClient, defaultRetryPolicy } from './client/client.ts';
import type { ClusterSettings } from './client/cluster-settings.ts';
import type { PointInTimeCalls } from './search/search-context.ts';
import { elasticsearchCalls, openSearchCalls } from './search/search-context.ts';
import { TributaryError } from '../../errors/errors.ts';
import { objectIn } from './client/transport.ts';
import { succeeded } from './client/failure.ts';
import type { Dialect } from './dsl/hits.ts';
import { ExpensiveSearches } from '../fair-queue.ts';
import { describeIndex } from './indices/describe.ts';
import { batchSearches, coalescedSearches } from './search/multi-search.ts';
import { manageIndexes, writeOperations } from './indices/manage.ts';
import { searchCluster } from './search/search.ts';
import { sizeOf } from '../../json/json.ts';

/**
 * An engine on a search server. The server's product and version are determined on first use.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const openCluster = (settings: ClusterSettings, policy: RetryPolicy = defaultRetryPolicy): Engine => {
  const budget = openRetryBudget();
  // this client talks to every server, the other one only to its own product
  const first = clusterClient(openSearchTransport(settings), policy, budget);
  const opened = [first];
  const connectionTo = async (identity: ServerIdentity): Promise<Connection> => {
    if (identity.product === 'opensearch') return openSearch(first);
    // those have a different point in time API, which needs a different cursor
    if (!speaksNewer(identity)) return { client: first, dialect: { tieBreak: '_id' }, pointInTime: null };
    const { elasticsearchTransport } = await import('./client/elasticsearch.ts');
    // another caller may have been first meanwhile
    if (connection !== null) return connection;
    const client = clusterClient(elasticsearchTransport(settings), policy, budget);
    opened.push(client);
    return { client, dialect: { tieBreak: '_seq_no' }, pointInTime: elasticsearchCalls };
  };
  let connection = settings.kind === 'opensearch' ? openSearch(first) : null;
  const connecting = new Map<boolean, Promise<Connection>>();
  const connect = async (once: boolean): Promise<Connection> => {
    try {
      const identity = await askIdentity(first, { once });
      return (connection ??= await connectionTo(identity));
    } finally {
      connecting.delete(once);
    }
  };
  const connected = async ({ once = false }: SendOnce = {}): Promise<Connection> => {
    if (connection !== null) return connection;
    // callers that retry themselves must not disable retries for others
    const joined = connecting.get(once) ?? connect(once);
    connecting.set(once, joined);
    return joined;
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

/** The product and version a search server reports. */
export interface ServerIdentity {
  readonly product: 'elasticsearch' | 'opensearch';
  readonly major: number;
}

/**
 * Asks a server for its product and version.
 * @throws TributaryError CONFIG_INVALID when it is neither product; the request's error when it does not answer
 */
const askIdentity = async (client: ClusterClient, { once }: SendOnce = {}): Promise<ServerIdentity> => {
  const what = 'a version check';
  const answer = await client.send(
    { method: 'GET', path: '/' },
    { repeatable: true, once, what, timeoutMs: 10_000 },
  );
  if (answer.status === 404) throw neither();
  const body = succeeded(answer, what);
  const version = objectIn(body, 'version');
  const number = String(version['number'] ?? '');
  const major = Number.parseInt(number, 10);
  if (version['distribution'] === 'opensearch') return { product: 'opensearch', major };
  if (
    Number.isInteger(major) &&
    (version['lucene_version'] !== undefined || body['tagline'] === 'You Know, for Search')
  )
    return rejectOldVersion({ product: 'elasticsearch', major }, number);
  throw neither();
};

const rejectOldVersion = (identity: ServerIdentity, number: string): ServerIdentity => {
  if (identity.major >= 7) return identity;
  throw new TributaryError(
    'CONFIG_INVALID',
    `elasticsearch ${number} at ES_HOST is too old; 7.17 and later are supported`,
  );
};

const neither = (): TributaryError =>
  new TributaryError(
    'CONFIG_INVALID',
    'the server at ES_HOST is neither opensearch nor elasticsearch; set ES_HOST to one, or SEARCH_ENGINE=embedded',
  );

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

/** A character of a result is held as the server's answer, as the result, and as what GraphQL makes of it. */
const heldPerCharacter = 3;

/**
 * An engine on a search server. It connects on first use: an unreachable server fails requests, not the start.
 * @param connect returns the connection, always the same one after the first success
 * @param close closes what `connect` has opened
 * @param timeoutMs the time limit of a search without one of its own, in milliseconds
 */
const clusterEngine = (
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
      const result = await expensive.run(bounded, () => searchCluster(searching, query));
      options.memory?.add(sizeOf(result) * heldPerCharacter);
      return result;
    },
    write: async (index, operations, options) =>
      writeOperations(await client(options), index, operations, options).finally(shared.forget),
    manage: async (action) => manageIndexes(await client(), action).finally(shared.forget),
    close,
  };
};
