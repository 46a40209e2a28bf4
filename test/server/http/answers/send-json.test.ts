import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { MemoryAccount } from '../../../../src/lib/runtime/memory-account.ts';
import { libraryEngine, read, runApp, type AppOptions } from '../running-app.ts';

const mebibyte = 1024 * 1024;

/** An engine whose hits are so many documents with a title of 1 000 characters. */
const wordyEngine = (documents: number): ReturnType<typeof libraryEngine> => {
  const source = { title: 'é'.repeat(1_000) };
  const hits = Array.from({ length: documents }, (_, n) => ({ id: `b${n}`, source, cursor: [n] }));
  return {
    ...libraryEngine(),
    search: async () => ({
      hits: { total: documents, hits: hits.slice() },
      facets: [],
      tookMs: 1,
      warnings: [],
    }),
  };
};

const query = '{ book { hits(first: 10000) { edges { node { id title } } } } }';

const run = (t: ExecutionContext, documents: number, options: AppOptions = {}) =>
  runApp(t, { engine: wordyEngine(documents), ...options });

test('a large response is complete, and its Content-Length is sent first', async (t) => {
  const app = await run(t, 2_000);
  const response = await app.query('/graphql', query.replace('edges', 'nodes { nodeId } edges'));
  const answer = await response.text();
  t.is(Number(response.headers.get('content-length')), Buffer.byteLength(answer));
  t.true(answer.length > mebibyte);
  const { data } = JSON.parse(answer) as {
    data: { book: { hits: { edges: { node: object }[]; nodes: object[] } } };
  };
  t.is(data.book.hits.edges.length, 2_000);
  // rows are completed in slices, the rest of a page once
  t.is(data.book.hits.nodes.length, 1);
  t.deepEqual(data.book.hits.edges[1_999]!.node, { id: 'b1999', title: 'é'.repeat(1_000) });
});

test('nothing is searched for HEAD', async (t) => {
  const engine = wordyEngine(2_000);
  const search = async () => t.fail() as never;
  const app = await runApp(t, { engine: { ...engine, search } });
  const response = await fetch(`${app.url}/graphql?query=${encodeURIComponent(query)}`, { method: 'HEAD' });
  t.is(response.status, 200);
  t.regex(response.headers.get('content-type')!, /^application\/json/);
  t.is(await response.text(), '');
});

for (const documents of [10, 5_000])
  test(`a response over the limit is refused with what to request less of: ${documents} documents`, async (t) => {
    const app = await run(t, documents, { settings: { maxResponseBytes: 10_000 } });
    const { status, body } = await read(app.query('/graphql', query));
    t.is(status, 400);
    const { message, extensions } = (
      body['errors'] as { message: string; extensions: { code: string } }[]
    )[0]!;
    t.is(extensions.code, 'RESPONSE_TOO_LARGE');
    t.regex(message, /^the answer is larger than the 10000 bytes allowed/);
    if (documents > 10)
      t.regex(message, /most of it in book\.hits\.edges: request fewer fields or hits \(first\)/);
    t.notRegex(app.log(), /"level":[56]0/);
  });

test('the bound holds for REST as well', async (t) => {
  const app = await runApp(t, { settings: { maxResponseBytes: 200 } });
  const { status, body } = await read(app.get('/introspection/library'));
  t.is(status, 400);
  t.like(body, { error: { code: 'RESPONSE_TOO_LARGE' } });
});

test('clients that do not read their large answers hold little of them, and not many at once', async (t) => {
  const app = await run(t, 6_000, { memory: new MemoryAccount(28 * mebibyte) });
  const responses: ServerResponse[] = [];
  app.server.on('request', (_: IncomingMessage, response: ServerResponse) => responses.push(response));
  const body = JSON.stringify({ query });
  const { port } = app.server.address() as AddressInfo;
  for (let n = 0; n < 45; n++) {
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n' +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
  }
  while (responses.length < 45 || responses.some((response) => !response.headersSent)) await sleep(20);
  const statuses = responses.map(({ statusCode }) => statusCode);
  t.true(statuses.includes(503), 'some are refused');
  const underWay = () => responses.filter(({ statusCode, closed }) => statusCode === 200 && !closed);
  // until those that have to give way are gone, and what can be taken has been taken
  while (underWay().length > 2) await sleep(20);
  await sleep(200);
  t.true(underWay().length > 0);
  for (const { writableLength, socket } of underWay()) {
    const buffered = writableLength + (socket?.writableLength ?? 0);
    t.true(buffered > 0 && buffered <= mebibyte, `${buffered} bytes are buffered`);
  }
});
