import {
  Client,
  ClusterConnectionPool,
  errors,
  Serializer,
  UndiciConnection,
  type ConnectionRequestOptions,
  type ConnectionRequestOptionsAsStream as StreamOptions,
  type ConnectionRequestParams,
  type ConnectionRequestResponse as Response,
  type ConnectionRequestResponseAsStream as StreamResponse,
} from '@elastic/elasticsearch';
import type { Dispatcher } from 'undici';
import { readJson } from '../../../lib/json/json.ts';
import { bodyOf, failureStatuses, paramsOf, poolOptions, type NodeSettings, type Nodes } from './nodes.ts';

/** Connections to the nodes of Elasticsearch 8 or 9. Its client refuses every other server. */
export const elasticsearchNodes = ({ urls, ca }: NodeSettings): Nodes => {
  const client = new Client({
    nodes: [...urls],
    // the default goes on asking a node that is away
    agent: poolOptions,
    Connection: BoundedConnection,
    ConnectionPool: ClusterConnectionPool,
    resurrectStrategy: 'optimistic',
    Serializer: ExactSerializer,
    // each request has a signal
    requestTimeout: 0,
    enableMetaHeader: false,
    ...(ca !== undefined && { tls: { ca } }),
  });
  return {
    send: (request, { signal, headers, retries, backoffMs }) =>
      client.transport.request(paramsOf(request), {
        ...{ meta: true, signal, headers, ignore: failureStatuses, maxRetries: retries },
        // in seconds
        retryBackoff: (_min, _max, attempt) => (Math.random() * backoffMs * 2 ** (attempt - 1)) / 1000,
      }),
    close: () => client.close(),
  };
};

class ExactSerializer extends Serializer {
  override deserialize<Value>(json: string): Value {
    return readJson(json, { exact: true }) as Value;
  }
}

/** The library's own `maxResponseSize` ends the process where an answer declares a larger size. */
class BoundedConnection extends UndiciConnection {
  override request(params: ConnectionRequestParams, options: ConnectionRequestOptions): Promise<Response>;
  override request(params: ConnectionRequestParams, options: StreamOptions): Promise<StreamResponse>;
  override async request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions | StreamOptions,
  ): Promise<Response | StreamResponse> {
    const answer = await super.request(params, { ...options, asStream: true });
    if ('asStream' in options) return answer;
    const { statusCode, headers } = answer;
    let body: Buffer | null;
    try {
      body = await bodyOf(headers, answer.body as Dispatcher.ResponseData['body']);
    } catch (error) {
      if (options.signal?.aborted === true) throw new errors.RequestAbortedError('cancelled');
      throw new errors.ConnectionError(String(error));
    }
    if (body === null) throw new errors.RequestAbortedError('too large');
    return { statusCode, headers, body };
  }
}
