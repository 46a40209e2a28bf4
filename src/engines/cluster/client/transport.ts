import { readFileSync } from 'node:fs';
import { unlessAborted } from '../../../lib/concurrency/abort-listener.ts';
import { invalidConfig } from '../../../lib/errors/errors.ts';
import type { JsonValue } from '../../../lib/json/json.ts';
import type { ClusterSettings } from '../cluster-settings.ts';
import type { ClusterRequest, NodeOptions, NodeResponse } from './nodes.ts';
import { openSearchNodes } from './opensearch.ts';

/** Any response from the server, whatever its status. */
export interface ClusterAnswer {
  readonly status: number;
  /** JSON as a value, anything else as text. */
  readonly body: JsonValue;
  /** The header, unparsed. */
  readonly retryAfter?: string;
  /** What Elasticsearch names itself in a header, without which its client refuses an answer. */
  readonly product?: string;
}

/** Why there is no response. */
export type NoAnswerReason = 'timeout' | 'connection' | 'certificate' | 'unreadable' | 'tooLarge';

/** There was no response. */
export class NoAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** The servers of a cluster, over one of two client libraries. */
export interface Transport {
  /**
   * Sends a request; over a lost connection again, to each server in turn.
   * @throws NoAnswer
   */
  send(request: ClusterRequest, options: TransportOptions): Promise<ClusterAnswer>;
  /** Sends all further requests with the client for Elasticsearch 8 and 9. */
  useElasticsearchClient(): Promise<void>;
  close(): Promise<void>;
}

/** The signal is the only deadline and cancellation of a request. */
export type TransportOptions = Omit<NodeOptions, 'headers'>;

/**
 * Opens the connections; none is made before the first request.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const clusterTransport = (settings: ClusterSettings): Transport => {
  const to = { urls: addressesOf(settings), ca: trustedCertificates(settings) };
  const openSearch = openSearchNodes(to);
  let nodes = openSearch;
  return {
    send: async (request, options) => {
      const { signal } = options;
      const sent = nodes.send(request, { ...options, headers: headersOf(settings) });
      try {
        // a connection that is being made does not notice an abort
        return answerOf(await unlessAborted(sent, signal, timedOut));
      } catch (error) {
        throw error instanceof NoAnswer
          ? error
          : new NoAnswer(signal.aborted ? 'timeout' : reasonOf(error as Error), error);
      }
    },
    useElasticsearchClient: async () => {
      const { elasticsearchNodes } = await import('./elasticsearch.ts');
      if (nodes !== openSearch) return;
      nodes = elasticsearchNodes(to);
      // waits for the requests in progress, which nobody here needs
      void openSearch.close();
    },
    close: () => nodes.close(),
  };
};

const timedOut = (reason: unknown): NoAnswer => new NoAnswer('timeout', reason);

/** The libraries refuse an address that occurs twice. */
const addressesOf = ({ url }: ClusterSettings): readonly string[] => [
  ...new Set(
    url
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
  ),
];

/** The certificates to trust, undefined for the system's own. */
const trustedCertificates = ({ caFile }: ClusterSettings): string | undefined => {
  if (caFile === undefined) return undefined;
  try {
    return readFileSync(caFile, 'utf8');
  } catch (cause) {
    throw invalidConfig(`ES_CA names ${JSON.stringify(caFile)}, which cannot be read`, { cause });
  }
};

/**
 * The libraries take credentials when they are opened, but ours may be replaced while the server runs. Those in an
 * address cannot, and are left to them.
 */
const headersOf = ({ apiKey, user, password = '' }: ClusterSettings): Readonly<Record<string, string>> => {
  if (apiKey !== undefined) return { authorization: `ApiKey ${apiKey}` };
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
};

const answerOf = ({ statusCode, headers, body }: NodeResponse): ClusterAnswer => {
  const { 'retry-after': retryAfter, 'x-elastic-product': product } = headers ?? {};
  return {
    ...{ status: statusCode ?? 0, body: body as JsonValue },
    ...(typeof retryAfter === 'string' && { retryAfter }),
    ...(typeof product === 'string' && { product }),
  };
};

/** Both libraries name their errors alike. */
const reasonOf = ({ name, message }: Error): NoAnswerReason => {
  if (/certificate|self.signed/i.test(message)) return 'certificate';
  if (name === 'ConnectionError') return 'connection';
  // of a request that nobody has cancelled
  return name === 'RequestAbortedError' ? 'tooLarge' : 'unreadable';
};
