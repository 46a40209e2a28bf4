import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import { errors } from '@opensearch-project/opensearch';
import test, { type ExecutionContext } from 'ava';
import { openSearchTransport, UndiciConnection } from '../../../../src/engines/cluster/client/opensearch.ts';
import { NoAnswer } from '../../../../src/engines/cluster/client/transport.ts';
import { listening } from '../../../listening.ts';

const nobody = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };

/** Asks by the client with these connections, as an engine does. */
const askingAt = (t: ExecutionContext, url: string) => {
  const transport = openSearchTransport({ kind: 'opensearch', url, ...nobody });
  t.teardown(() => transport.close());
  return (path: string, { signal } = new AbortController()) =>
    transport.send({ method: 'GET', path }, { timeoutMs: 60_000, signal });
};

test('answers come whole, compressed or not, below the path of the server', async (t) => {
  const asked: string[] = [];
  const server = createHttp((request, response) => {
    asked.push(request.url!);
    const body = JSON.stringify({ name: 'né'.repeat(100_000), big: 9007199254740992 }).replace(
      '992}',
      '993}',
    );
    const packed = request.url!.includes('packed');
    response.setHeader('content-type', 'application/json; charset=UTF-8');
    if (packed) response.setHeader('content-encoding', 'gzip');
    response.end(packed ? gzipSync(body) : body);
  });
  const ask = askingAt(t, `${(await listening(t, server)).url}/below`);
  const body = { name: 'né'.repeat(100_000), big: '9007199254740993' };
  for (const path of ['/plain', '/packed'])
    t.deepEqual(await ask(path), { status: 200, body, retryAfter: undefined });
  t.deepEqual(asked, ['/below/plain', '/below/packed']);
});

test('an answer that is no JSON is text, whatever its status', async (t) => {
  const server = createHttp((_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('away');
  });
  const ask = askingAt(t, (await listening(t, server)).url);
  t.deepEqual(await ask('/'), { status: 503, body: 'away', retryAfter: undefined });
});

test('a request is given up while its connection is not there yet', async (t) => {
  // never shakes hands
  const server = createTcp((socket) => {
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
  });
  const ask = askingAt(t, `https://127.0.0.1:${(await listening(t, server)).port}`);
  const leaving = new AbortController();
  const answer = ask('/', leaving);
  await once(server, 'connection');
  leaving.abort();
  await t.throwsAsync(answer, { instanceOf: NoAnswer, message: 'timeout' });
});

test('a request is given up while its answer comes', async (t) => {
  const server = createHttp((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.write('{');
  });
  const ask = askingAt(t, (await listening(t, server)).url);
  const leaving = new AbortController();
  const answer = ask('/', leaving);
  await once(server, 'request');
  setTimeout(() => leaving.abort(), 20);
  await t.throwsAsync(answer, { instanceOf: NoAnswer, message: 'timeout' });
});

test('whether a server is back is not asked for ever', async (t) => {
  const server = createHttp(() => undefined);
  const connection = new UndiciConnection({ url: new URL((await listening(t, server)).url) });
  const failure = await new Promise<Error | null>((resolve) =>
    // as the client's pool of connections asks
    connection.request({ method: 'HEAD', path: '/', timeout: 50 }, resolve),
  );
  t.true(failure instanceof errors.ConnectionError);
  await new Promise<void>((resolve) => connection.close(resolve));
});
