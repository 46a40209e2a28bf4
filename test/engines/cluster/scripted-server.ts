import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import type { Engine } from '../../../src/engines/engine.ts';
import { openCluster } from '../../../src/engines/cluster/cluster-engine.ts';
import { listening } from '../../listening.ts';

/** What the server does with a request: an answer, as a value or as it is written, or cutting the connection in the middle of one. */
export type Reply =
  | { readonly status?: number; readonly body: unknown }
  | { readonly status?: number; readonly text: string }
  | 'cut'
  | 'silence';

export interface ReceivedRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Script = (requested: ReceivedRequest, number: number) => Reply;

type Product = 'opensearch' | 'elasticsearch' | 'other';

/** A server of that product which answers from a script, and an engine on it. */
export const scriptedServer = async (
  t: ExecutionContext,
  product: Product,
  script: Script,
  kind: 'detect' | 'opensearch' | 'elasticsearch' = 'detect',
  uuidNow?: () => string,
): Promise<{ engine: Engine; requested: readonly ReceivedRequest[] }> => {
  const { port, requested } = await startScripted(t, product, script, 0, uuidNow);
  const engine = engineOn(t, port, kind);
  return { engine, requested };
};

/** An engine on a server of this machine, which soon tries again. */
export const engineOn = (
  t: ExecutionContext,
  port: number,
  kind: 'detect' | 'opensearch' | 'elasticsearch' = 'detect',
): Engine => {
  const engine = openCluster(
    {
      ...{ kind, url: `http://127.0.0.1:${port}`, user: 'reader', password: 'secret' },
      ...{ apiKey: undefined, caFile: undefined },
    },
    { tries: 3, backoffMs: 1, timeoutMs: 60_000 },
  );
  t.teardown(() => engine.close());
  return engine;
};

/**
 * @param port 0 for any that is free
 * @param uuidNow the uuid that the index has, whatever the script says
 */
export const startScripted = async (
  t: ExecutionContext,
  product: Product,
  script: Script,
  port = 0,
  uuidNow: () => string = () => 'first',
): Promise<{ port: number; requested: readonly ReceivedRequest[]; stop: () => Promise<void> }> => {
  const requested: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      if (product === 'elasticsearch') response.setHeader('x-elastic-product', 'Elasticsearch');
      if (request.url === '/') return response.end(JSON.stringify(identities[product]));
      if (request.url?.endsWith('/_settings/index.uuid') === true)
        return response.end(JSON.stringify({ one: { settings: { index: { uuid: uuidNow() } } } }));
      const one = { line: `${request.method} ${request.url}`, headers: request.headers, body };
      requested.push(one);
      const reply = script(one, requested.length);
      if (reply === 'silence') return;
      if (reply === 'cut') {
        response.setHeader('content-length', '1000');
        response.write('{"responses":[');
        return setTimeout(() => response.destroy(), 20);
      }
      response.statusCode = reply.status ?? 200;
      return response.end('text' in reply ? reply.text : JSON.stringify(reply.body));
    });
  });
  const { port: own, stop } = await listening(t, server, port);
  return { port: own, requested, stop };
};

/** The JSON lines of a request. */
export const linesOf = ({ body }: ReceivedRequest): readonly Record<string, unknown>[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const identities = {
  opensearch: { version: { distribution: 'opensearch', number: '2.19.6' } },
  elasticsearch: { version: { number: '8.19.0' }, tagline: 'You Know, for Search' },
  other: { hello: 'world' },
};
