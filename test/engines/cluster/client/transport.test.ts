import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { clusterTransport, NoAnswer } from '../../../../src/engines/cluster/client/transport.ts';
import type { ClusterSettings } from '../../../../src/engines/cluster/cluster-settings.ts';
import { listening } from '../../../listening.ts';

const nobody = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };

/** Asks as an engine does. */
const askingAt = (t: ExecutionContext, url: string, who: Partial<ClusterSettings> = {}) => {
  const transport = clusterTransport({ kind: 'opensearch', url, ...nobody, ...who });
  t.teardown(() => transport.close());
  return (path: string, { signal } = new AbortController()) =>
    transport.send({ method: 'GET', path }, signal);
};

test('answers come whole, compressed or not, below the path of the server', async (t) => {
  const requested: string[] = [];
  const server = createHttp((request, response) => {
    requested.push(request.url!);
    const body = JSON.stringify({ name: 'né'.repeat(100_000), big: 9007199254740992 }).replace(
      '992}',
      '993}',
    );
    const packed = request.url!.includes('packed');
    response.setHeader('content-type', 'application/json; charset=UTF-8');
    if (packed) response.setHeader('content-encoding', 'gzip');
    response.end(packed ? gzipSync(body) : body);
  });
  const runQuery = askingAt(t, `${(await listening(t, server)).url}/below`);
  const body = { name: 'né'.repeat(100_000), big: '9007199254740993' };
  for (const path of ['/plain', '/packed']) t.deepEqual(await runQuery(path), { status: 200, body });
  t.deepEqual(requested, ['/below/plain', '/below/packed']);
});

test('an answer that is not JSON is text, whatever its status', async (t) => {
  const server = createHttp((_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('away');
  });
  const runQuery = askingAt(t, (await listening(t, server)).url);
  t.deepEqual(await runQuery('/'), { status: 503, body: 'away' });
});

test('a request is cancelled while its connection is not there yet', async (t) => {
  // never shakes hands
  const server = createTcp((socket) => {
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
  });
  const runQuery = askingAt(t, `https://127.0.0.1:${(await listening(t, server)).port}`);
  const leaving = new AbortController();
  const answer = runQuery('/', leaving);
  await once(server, 'connection');
  leaving.abort();
  await t.throwsAsync(answer, { instanceOf: NoAnswer, message: 'timeout' });
});

test('a request is cancelled while its answer arrives', async (t) => {
  const server = createHttp((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.write('{');
  });
  const runQuery = askingAt(t, (await listening(t, server)).url);
  const leaving = new AbortController();
  const answer = runQuery('/', leaving);
  await once(server, 'request');
  setTimeout(() => leaving.abort(), 20);
  await t.throwsAsync(answer, { instanceOf: NoAnswer, message: 'timeout' });
});

test('an answer of broken JSON cannot be read, and a cut one is a lost connection', async (t) => {
  const server = createHttp((request, response) => {
    response.setHeader('content-type', 'application/vnd.elasticsearch+json;compatible-with=8');
    if (request.url === '/broken') response.end('{"a":');
    else response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
  });
  const runQuery = askingAt(t, (await listening(t, server)).url);
  await t.throwsAsync(runQuery('/broken'), { instanceOf: NoAnswer, message: 'unreadable' });
  await t.throwsAsync(runQuery('/cut'), { instanceOf: NoAnswer, message: 'connection' });
});

test('credentials come from the settings, or else from the address', async (t) => {
  const server = createHttp((request, response) => void response.end(request.headers.authorization));
  const { url } = await listening(t, server);
  const named = url.replace('//', '//reader:p%40ss@');
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const cases: readonly (readonly [string, Partial<ClusterSettings>, string])[] = [
    [url, {}, ''],
    [url, { user: 'me', password: 'secret' }, basic('me:secret')],
    [named, {}, basic('reader:p@ss')],
    [named, { user: 'me', password: 'secret' }, basic('me:secret')],
    [url, { user: 'me', apiKey: 'key' }, 'ApiKey key'],
  ];
  for (const [address, who, sent] of cases) t.is((await askingAt(t, address, who)('/')).body, sent);
});

test('servers take turns, and one that cannot be reached is passed over', async (t) => {
  const answering = (name: string) => createHttp((_request, response) => void response.end(name));
  const [one, two] = [await listening(t, answering('one')), await listening(t, answering('two'))];
  const gone = createHttp();
  const { url } = await listening(t, gone);
  gone.close();
  const runQuery = askingAt(t, `${one.url}, ${url}, ${two.url}`);
  t.is((await runQuery('/')).body, 'one');
  await t.throwsAsync(runQuery('/'), { instanceOf: NoAnswer, message: 'connection' });
  const bodies = [await runQuery('/'), await runQuery('/'), await runQuery('/'), await runQuery('/')].map(
    ({ body }) => body,
  );
  t.deepEqual([...bodies].sort(), ['one', 'one', 'two', 'two']);
});

test('a single server is tried again at once', async (t) => {
  const server = createHttp((request, response) => {
    if (request.url === '/cut') response.destroy();
    else response.end('back');
  });
  const runQuery = askingAt(t, (await listening(t, server)).url);
  await t.throwsAsync(runQuery('/cut'), { instanceOf: NoAnswer, message: 'connection' });
  t.is((await runQuery('/')).body, 'back');
});
