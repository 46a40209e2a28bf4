import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client, errors } from '@opensearch-project/opensearch';
import test from 'ava';
import { UndiciConnection } from '../../../../src/engines/cluster/client/undici-connection.ts';
import { listening } from '../../../listening.ts';

const clientOf = (node: string): Client => new Client({ node, Connection: UndiciConnection, maxRetries: 0 });

test('answers come whole, compressed or not, below the path of the server', async (t) => {
  const asked: string[] = [];
  const server = createHttp((request, response) => {
    asked.push(request.url!);
    const body = JSON.stringify({ name: 'né'.repeat(100_000) });
    const packed = request.url!.includes('packed');
    response.setHeader('content-type', 'application/json');
    if (packed) response.setHeader('content-encoding', 'gzip');
    response.end(packed ? gzipSync(body) : body);
  });
  const client = clientOf(`${(await listening(t, server)).url}/below`);
  t.teardown(() => client.close());
  for (const path of ['/plain', '/packed'])
    t.deepEqual((await client.transport.request({ method: 'GET', path })).body, {
      name: 'né'.repeat(100_000),
    });
  t.deepEqual(asked, ['/below/plain', '/below/packed']);
});

test('a request is given up while its connection is not there yet', async (t) => {
  // never shakes hands
  const server = createTcp((socket) => {
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
  });
  const client = clientOf(`https://127.0.0.1:${(await listening(t, server)).port}`);
  const request = client.transport.request({ method: 'GET', path: '/' });
  await once(server, 'connection');
  request.abort();
  await t.throwsAsync(Promise.resolve(request), { instanceOf: errors.RequestAbortedError });
});

test('a request is given up while its answer comes', async (t) => {
  const server = createHttp((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.write('{');
  });
  const client = clientOf(`${(await listening(t, server)).url}`);
  const request = client.transport.request({ method: 'GET', path: '/' });
  await once(server, 'request');
  setTimeout(() => request.abort(), 20);
  await t.throwsAsync(Promise.resolve(request), { instanceOf: errors.RequestAbortedError });
  await client.close();
});

test('whether a server is back is not asked for ever', async (t) => {
  const server = createHttp(() => undefined);
  const connection = new UndiciConnection({ url: new URL(`${(await listening(t, server)).url}`) });
  const failure = await new Promise<Error | null>((resolve) =>
    // as the client's pool of connections asks
    connection.request({ method: 'HEAD', path: '/', timeout: 50 }, resolve),
  );
  t.true(failure instanceof errors.ConnectionError);
  await new Promise<void>((resolve) => connection.close(resolve));
});
