import { once } from 'node:events';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { clusterTransport, NoAnswer } from '../../../../src/engines/cluster/client/transport.ts';
import type { ClusterSettings } from '../../../../src/engines/cluster/cluster-settings.ts';
import { listening } from '../../../listening.ts';

const nobody = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };

type Library = 'opensearch' | 'elasticsearch';

/** Asks as an engine does, once. */
const askingAt = async (
  t: ExecutionContext,
  library: Library,
  url: string,
  { retries = 0, ...who }: Partial<ClusterSettings> & { readonly retries?: number } = {},
) => {
  const transport = clusterTransport({ kind: 'opensearch', url, ...nobody, ...who });
  if (library === 'elasticsearch') await transport.useElasticsearchClient();
  t.teardown(() => transport.close());
  return async (path: string, { signal } = new AbortController()) => {
    const { status, body } = await transport.send({ method: 'GET', path }, { signal, retries, backoffMs: 1 });
    return { status, body };
  };
};

/** A server of Elasticsearch, as its client demands. */
const serverOf = (answer: RequestListener): Server =>
  createHttp((request, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch');
    answer(request, response);
  });

for (const library of ['opensearch', 'elasticsearch'] as const) {
  test(`${library}: answers come whole, compressed or not, below the path of the server`, async (t) => {
    const requested: string[] = [];
    const server = serverOf((request, response) => {
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
    const runQuery = await askingAt(t, library, `${(await listening(t, server)).url}/below`);
    const body = { name: 'né'.repeat(100_000), big: '9007199254740993' };
    for (const path of ['/plain', '/packed']) t.deepEqual(await runQuery(path), { status: 200, body });
    t.deepEqual(requested, ['/below/plain', '/below/packed']);
  });

  test(`${library}: an answer that is not JSON is text, whatever its status`, async (t) => {
    const server = serverOf((_request, response) => {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('away');
    });
    const runQuery = await askingAt(t, library, (await listening(t, server)).url);
    t.deepEqual(await runQuery('/'), { status: 503, body: 'away' });
  });

  test(`${library}: a request is cancelled while its connection is not there yet`, async (t) => {
    // never shakes hands
    const server = createTcp((socket) => {
      socket.on('error', () => undefined);
      t.teardown(() => socket.destroy());
    });
    const runQuery = await askingAt(t, library, `https://127.0.0.1:${(await listening(t, server)).port}`);
    const leaving = new AbortController();
    const answer = runQuery('/', leaving);
    await once(server, 'connection');
    leaving.abort();
    await t.throwsAsync(answer, { instanceOf: NoAnswer, message: 'timeout' });
  });

  test(`${library}: a request is cancelled while its answer arrives`, async (t) => {
    const server = serverOf((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.write('{');
    });
    const runQuery = await askingAt(t, library, (await listening(t, server)).url);
    const leaving = new AbortController();
    const answer = runQuery('/', leaving);
    await once(server, 'request');
    setTimeout(() => leaving.abort(), 20);
    await t.throwsAsync(answer, { instanceOf: NoAnswer, message: 'timeout' });
  });

  test(`${library}: an answer of broken JSON cannot be read, and a cut one is a lost connection`, async (t) => {
    const server = serverOf((request, response) => {
      response.setHeader('content-type', `application/vnd.${library}+json;compatible-with=8`);
      if (request.url === '/broken') response.end('{"a":');
      else response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
    });
    const runQuery = await askingAt(t, library, (await listening(t, server)).url);
    await t.throwsAsync(runQuery('/broken'), { instanceOf: NoAnswer, message: 'unreadable' });
    await t.throwsAsync(runQuery('/cut'), { instanceOf: NoAnswer, message: 'connection' });
  });

  test(`${library}: credentials come from the settings, or else from the address`, async (t) => {
    const server = serverOf((request, response) => void response.end(request.headers.authorization));
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
    for (const [address, who, sent] of cases) {
      const runQuery = await askingAt(t, library, address, who);
      t.is((await runQuery('/')).body, sent);
    }
  });

  test(`${library}: servers take turns, and one that cannot be reached is passed over`, async (t) => {
    const answering = (name: string) => serverOf((_request, response) => void response.end(name));
    const [one, two] = [await listening(t, answering('one')), await listening(t, answering('two'))];
    const gone = createHttp();
    const { url } = await listening(t, gone);
    gone.close();
    const runQuery = await askingAt(t, library, `${one.url}, ${url}, ${two.url}`);
    t.is((await runQuery('/')).body, 'one');
    await t.throwsAsync(runQuery('/'), { instanceOf: NoAnswer, message: 'connection' });
    const bodies = [await runQuery('/'), await runQuery('/'), await runQuery('/'), await runQuery('/')].map(
      ({ body }) => body,
    );
    t.deepEqual([...bodies].sort(), ['one', 'one', 'two', 'two']);
  });

  test(`${library}: a single server is tried again at once`, async (t) => {
    const server = serverOf((request, response) => {
      if (request.url === '/cut') response.destroy();
      else response.end('back');
    });
    const runQuery = await askingAt(t, library, (await listening(t, server)).url);
    await t.throwsAsync(runQuery('/cut'), { instanceOf: NoAnswer, message: 'connection' });
    t.is((await runQuery('/')).body, 'back');
  });

  test(`${library}: a lost connection is retried, on another server where there is one`, async (t) => {
    const asked: string[] = [];
    const cutting = (name: string) =>
      serverOf((_request, response) => {
        asked.push(name);
        response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
      });
    const [one, two] = [await listening(t, cutting('one')), await listening(t, cutting('two'))];
    const runQuery = await askingAt(t, library, `${one.url},${two.url}`, { retries: 3 });
    await t.throwsAsync(runQuery('/'), { instanceOf: NoAnswer, message: 'connection' });
    t.is(asked.length, 4);
    t.deepEqual(asked.slice(0, 2), ['one', 'two']);
  });

  test(`${library}: an answer that is too large is not read to its end`, async (t) => {
    let [sent, asked] = [0, 0];
    const server = serverOf((request, response) => {
      asked += 1;
      response.setHeader('content-type', 'application/json');
      if (request.url === '/declared') {
        response.writeHead(200, { 'content-length': 2 ** 28 + 1 }).write('[');
        return;
      }
      const piece = Buffer.alloc(2 ** 20, ' ');
      const write = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', write);
      write();
    });
    const runQuery = await askingAt(t, library, (await listening(t, server)).url, { retries: 3 });
    for (const path of ['/declared', '/endless'])
      await t.throwsAsync(runQuery(path), { instanceOf: NoAnswer, message: 'tooLarge' });
    t.is(asked, 2);
    t.true(sent < 2 ** 29);
  });

  test(`${library}: a server is not passed over because a request to it was cancelled`, async (t) => {
    const answering = (name: string) =>
      serverOf((request, response) => {
        if (request.url === '/slow') response.write('{');
        else response.end(name);
      });
    const [first, second] = [answering('one'), answering('two')];
    const urls = [(await listening(t, first)).url, (await listening(t, second)).url];
    const runQuery = await askingAt(t, library, urls.join());
    const leaving = new AbortController();
    const answer = runQuery('/slow', leaving);
    await once(first, 'request');
    setTimeout(() => leaving.abort(), 20);
    await t.throwsAsync(answer, { instanceOf: NoAnswer, message: 'timeout' });
    const bodies = [await runQuery('/'), await runQuery('/')].map(({ body }) => body);
    t.deepEqual(bodies.sort(), ['one', 'two']);
  });

  test(`${library}: an API key that is replaced is used from the next request on`, async (t) => {
    const server = serverOf((request, response) => {
      response.writeHead(request.headers.authorization === 'ApiKey second' ? 200 : 401).end();
    });
    let apiKey = 'first';
    const who = { ...nobody, kind: 'detect', url: (await listening(t, server)).url } as const;
    const transport = clusterTransport({
      ...who,
      get apiKey() {
        return apiKey;
      },
    });
    t.teardown(() => transport.close());
    if (library === 'elasticsearch') await transport.useElasticsearchClient();
    const { signal } = new AbortController();
    const statuses = async () =>
      (await transport.send({ method: 'GET', path: '/' }, { signal, retries: 0, backoffMs: 1 })).status;
    t.is(await statuses(), 401);
    apiKey = 'second';
    t.is(await statuses(), 200);
  });
}

test('a page of a proxy before Elasticsearch is no answer of it', async (t) => {
  const server = createHttp((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<html>');
  });
  const runQuery = await askingAt(t, 'elasticsearch', (await listening(t, server)).url);
  await t.throwsAsync(runQuery('/'), { instanceOf: NoAnswer, message: 'unreadable' });
});
