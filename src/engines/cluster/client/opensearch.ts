import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Client, Connection, errors, Serializer } from '@opensearch-project/opensearch';
import { Pool, type Dispatcher } from 'undici';
import { readJson } from '../../../lib/json/json.ts';
import { bodyOf, failureStatuses, paramsOf, poolOptions, type NodeSettings, type Nodes } from './nodes.ts';

/** Connections to the nodes of OpenSearch or Elasticsearch 7. Its client talks to every server. */
export const openSearchNodes = ({ urls, ca }: NodeSettings): Nodes => {
  const client = new Client({
    nodes: [...urls],
    resurrectStrategy: 'optimistic',
    Connection: PooledConnection,
    Serializer: ExactSerializer,
    ...(ca !== undefined && { ssl: { ca } }),
  });
  return {
    send: async (request, { signal, headers, retries }) => {
      // the connection gets all parameters, and so the signal
      const params = { ...paramsOf(request), signal };
      const options = { headers, ignore: failureStatuses, maxRetries: retries };
      const result = await client.transport.request(params, options);
      const { body } = result;
      // a getter that the library defines on each result keeps it in memory until a full garbage collection
      result.body = null;
      return { statusCode: result.statusCode, headers: result.headers, body: body as unknown };
    },
    close: () => client.close(),
  };
};

class ExactSerializer extends Serializer {
  override deserialize(json: string): unknown {
    return readJson(json, { exact: true });
  }
}

/**
 * The library's own connection takes nearly twice the processor time, prints errors, takes a request cancelled within its
 * answer for a lost connection, and reads answers of any size.
 */
class PooledConnection extends Connection {
  readonly #pool: Pool;

  constructor(options: ConstructorParameters<typeof Connection>[0]) {
    super(options);
    this.#pool = new Pool(this.url.origin, {
      ...poolOptions,
      ...{ headersTimeout: 0, bodyTimeout: 0 },
      ...(this.ssl !== null && { connect: this.ssl }),
    });
  }

  override request(
    ...[params, callback]: Parameters<Connection['request']>
  ): ReturnType<Connection['request']> {
    this.#exchange(params).then(
      (response) => {
        callback(null, response as unknown as IncomingMessage);
        response.arrive();
      },
      (error: Error) => callback(error, null),
    );
    // a request is cancelled by its signal
    return { abort: () => undefined } as ReturnType<Connection['request']>;
  }

  async #exchange({
    method,
    path = '/',
    querystring = '',
    headers,
    body,
    signal,
  }: Params): Promise<Received> {
    const query = querystring === '' ? '' : `?${querystring}`;
    try {
      const answer = await this.#pool.request({
        method: method as Dispatcher.HttpMethod,
        path: this.url.pathname.replace(/\/$/, '') + path + query,
        headers: { ...this.headers, ...headers } as IncomingHttpHeaders,
        ...{ body: body ?? null, signal },
      });
      const bytes = await bodyOf(answer.headers, answer.body);
      if (bytes !== null) return new Received(answer, bytes);
    } catch (error) {
      if (signal?.aborted === true) throw new errors.RequestAbortedError('cancelled');
      throw new errors.ConnectionError(String(error));
    }
    throw new errors.RequestAbortedError('too large');
  }

  override close(callback: () => void = () => undefined): this {
    void this.#pool.close().then(callback);
    return this;
  }
}

type Params = Parameters<Connection['request']>[0];

/** A response that is whole already, as the stream that the library reads. */
class Received extends EventEmitter implements Pick<IncomingMessage, 'statusCode' | 'headers'> {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly #bytes: Buffer;

  constructor({ statusCode, headers }: Dispatcher.ResponseData, bytes: Buffer) {
    super();
    this.statusCode = statusCode;
    this.headers = headers;
    this.#bytes = bytes;
  }

  setEncoding(): void {
    // a whole buffer becomes the same text
  }

  arrive(): void {
    this.emit('data', this.#bytes);
    this.emit('end');
  }
}
