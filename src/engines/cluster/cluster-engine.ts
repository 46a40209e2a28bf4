import { badUserInput, invalidConfig, type TributaryError } from '../../lib/errors/errors.ts';
import { objectIn, sizeOf } from '../../lib/json/json.ts';
import type { Engine, SearchQuery, SendOnce } from '../engine.ts';
import { clusterClient, defaultRetryPolicy, type ClusterClient, type RetryPolicy } from './client/client.ts';
import { succeeded } from './client/failure.ts';
import { clusterTransport } from './client/transport.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { Dialect } from './dsl/hits.ts';
import { describeIndex, type Described } from './indices/describe.ts';
import { manageIndexes, writeOperations } from './indices/manage.ts';
import { batchSearches, coalescedSearches } from './search/multi-search.ts';
import { elasticsearchCalls, openSearchCalls, type PointInTimeCalls } from './search/search-context.ts';
import { searchCluster } from './search/search.ts';

/**
 * An engine on a search server. The server's product and version are determined on first use.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const openCluster = (settings: ClusterSettings, policy: RetryPolicy = defaultRetryPolicy): Engine => {
  const transport = clusterTransport(settings);
  const client = clusterClient(transport, policy);
  let capabilities = settings.kind === 'opensearch' ? ofOpenSearch : null;
  const detecting = new Map<boolean, Promise<Capabilities>>();
  const detect = async (once: boolean): Promise<Capabilities> => {
    try {
      const identity = await askIdentity(client, { once });
      if (identity.isKnownToItsClient) await transport.useElasticsearchClient();
      return (capabilities ??= capabilitiesOf(identity));
    } finally {
      detecting.delete(once);
    }
  };
  const detected = async ({ once = false }: SendOnce = {}): Promise<Capabilities> => {
    if (capabilities !== null) return capabilities;
    // callers that retry themselves must not disable retries for others
    const joined = detecting.get(once) ?? detect(once);
    detecting.set(once, joined);
    return joined;
  };
  return clusterEngine(client, detected, policy.timeoutMs);
};

/** What a server can do. */
interface Capabilities extends Pick<ServerIdentity, 'product'> {
  readonly dialect: Dialect;
  /** The calls for a point in time; null when the server has none. */
  readonly pointInTime: PointInTimeCalls | null;
}

const ofOpenSearch: Capabilities = {
  product: 'opensearch',
  dialect: { tieBreak: '_id' },
  pointInTime: openSearchCalls,
};

/** For a name that may resolve to several indexes. */
const overIndexes: Dialect = { tieBreak: '_id#_index' };

const capabilitiesOf = ({ product, major }: ServerIdentity): Capabilities => {
  if (product === 'opensearch') return ofOpenSearch;
  // version 7 has a different point in time API, which needs a different cursor
  return major >= 8
    ? { product, dialect: { tieBreak: '_seq_no' }, pointInTime: elasticsearchCalls }
    : { product, dialect: { tieBreak: '_id' }, pointInTime: null };
};

/** A character of a result is held in the server's answer, in the result, and in the GraphQL response. */
const heldPerCharacter = 3;

/**
 * @param detect returns the capabilities of the server, always the same ones after the first success
 * @param timeoutMs the time limit of a search without one of its own, in milliseconds
 */
const clusterEngine = (
  client: ClusterClient,
  detect: (options?: SendOnce) => Promise<Capabilities>,
  timeoutMs: number,
): Engine => {
  const shared = coalescedSearches();
  const send = batchSearches(shared.send);
  const known = new Map<string, Omit<Described, 'description'> & { readonly isSingle: boolean }>();
  return {
    describe: async (index) => {
      const { description, ...described } = await describeIndex(client, index, detect);
      known.set(index, { ...described, isSingle: description.indices.length === 1 });
      return description;
    },
    search: async (index, query, options = {}) => {
      const deadline = performance.now() + (options.timeoutMs ?? timeoutMs);
      const { dialect, pointInTime } = await detect(options);
      const { window = null, incarnation = null, isSingle = false, uncountable } = known.get(index) ?? {};
      if (uncountable) assertCountable(query, uncountable);
      const warnings = new Set<string>();
      const searching = {
        client,
        pointInTime,
        dialect: dialect.tieBreak === '_id' && !isSingle ? overIndexes : dialect,
        index,
        window,
        incarnation,
        options,
        deadline,
        send,
        warnings,
      };
      const result = await searchCluster(searching, query);
      options.memory?.add(sizeOf(result) * heldPerCharacter);
      return result;
    },
    write: async (index, operations, options) => {
      await detect(options);
      return writeOperations(client, index, operations, options).finally(shared.forget);
    },
    manage: async (action) => {
      const { product } = await detect();
      return manageIndexes(client, action, product).finally(shared.forget);
    },
    close: () => client.close(),
  };
};

/** @throws TributaryError BAD_USER_INPUT naming the field */
const assertCountable = ({ facets, hits }: SearchQuery, uncountable: Described['uncountable']): void => {
  for (const {
    field: { path, type, keyOf = path },
  } of [...facets, ...(hits?.sort ?? [])]) {
    const reason = uncountable.get(keyOf);
    if (reason !== undefined)
      throw badUserInput(`values of field ${path} can be neither counted nor sorted by: ${reason}`, {
        details: { fieldName: path, type },
      });
  }
};

/** The product and version a search server reports. */
interface ServerIdentity {
  readonly product: 'elasticsearch' | 'opensearch';
  readonly major: number;
  /** Whether the client for Elasticsearch 8 and 9 accepts the server: a proxy may have taken away its product header. */
  readonly isKnownToItsClient: boolean;
}

/**
 * Requests the product and version of a server.
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
  if (version['distribution'] === 'opensearch')
    return { product: 'opensearch', major, isKnownToItsClient: false };
  if (
    Number.isInteger(major) &&
    (version['lucene_version'] !== undefined || body['tagline'] === 'You Know, for Search')
  )
    return rejectOldVersion(
      {
        ...{ product: 'elasticsearch', major },
        isKnownToItsClient: major >= 8 && answer.product === 'Elasticsearch',
      },
      number,
    );
  throw neither();
};

const rejectOldVersion = (identity: ServerIdentity, number: string): ServerIdentity => {
  if (identity.major >= 7) return identity;
  throw invalidConfig(`elasticsearch ${number} at ES_HOST is too old; 7.17 and later are supported`);
};

const neither = (): TributaryError =>
  invalidConfig(
    'the server at ES_HOST is neither opensearch nor elasticsearch; set ES_HOST to one, or SEARCH_ENGINE=embedded',
  );
