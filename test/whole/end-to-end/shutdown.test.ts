import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { loadedBooks } from './books.ts';
import { startHeld, traffic } from './held-socket.ts';
import { startNode, type RunningNode, type Settings } from './processes.ts';

const networkOfBooks = {
  'nodes.json': {
    network: { documentType: 'book' },
    defaults: { timeoutMs: 60_000 },
    nodes: [{ nodeId: 'here', catalogue: 'books' }],
  },
};

const start = async (t: ExecutionContext, more: Settings = {}, books?: string): Promise<RunningNode> => {
  const { settings } = await loadedBooks(t, books, networkOfBooks);
  const node = await startNode({ ...settings, ...more });
  t.teardown(() => node.kill());
  return node;
};

const answerOf = async (url: string, agent: Agent): Promise<{ status: number; connection: string }> => {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await text(response);
  return { status: response.statusCode!, connection: response.headers.connection ?? '' };
};

test('after SIGTERM a server is not ready at once', async (t) => {
  const node = await start(t);
  t.notRegex(node.output(), /THIS SERVER IS OPEN/, 'other machines cannot reach it');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const ready = (): ReturnType<typeof answerOf> => answerOf(`${node.url}/ready`, agent);
  t.deepEqual(await ready(), { status: 200, connection: 'keep-alive' });
  void node.stop();
  let answer = await ready();
  while (answer.connection !== 'close') answer = await ready();
  t.is(answer.status, 503);
});

/** Requests over one kept connection until an answer says that it is the last: why one of them failed, or undefined. */
const failureOf = async (url: string, onFirst: () => void): Promise<string | undefined> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answeredAt = performance.now();
  try {
    for (;;) {
      const sentAfter = performance.now() - answeredAt;
      const { status, connection } = await answerOf(url, agent).catch((error: unknown) => {
        // the server keeps an idle connection for a second, and this process may have been too busy to send in time
        if (sentAfter > 500) return { status: 200, connection: 'close' };
        throw error;
      });
      answeredAt = performance.now();
      onFirst();
      if (status !== 200) return `status ${status}`;
      if (connection === 'close') return undefined;
      // some clients send their next request at once, others later
      if (Math.random() < 0.5) await sleep(Math.random() * 50);
    }
  } catch (error) {
    return String(error);
  } finally {
    agent.destroy();
    onFirst();
  }
};

test('no request of a kept connection fails when a server stops', async (t) => {
  const node = await start(t);
  const clients = Array.from({ length: 60 }, () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    return { connected: promise, failure: failureOf(`${node.url}/ping`, () => resolve(undefined)) };
  });
  // a connection that does not exist when the server stops listening is refused, and rightly so
  await Promise.all(clients.map(({ connected }) => connected));
  t.is(await node.stop(), 0);
  const failures = await Promise.all(clients.map(({ failure }) => failure));
  t.deepEqual(
    failures.filter((failure) => failure !== undefined),
    [],
  );
});

test('no request fails while servers follow each other on a socket that a service manager keeps', async (t) => {
  t.timeout(300_000);
  const { settings } = await loadedBooks(t, undefined, networkOfBooks);
  const held = await startHeld(settings);
  const { failures, answered, stop } = traffic(20, held.url, '{"query":"{ book { hits { total } } }"}');
  for (let restart = 0; restart < 2; restart++) {
    const goal = answered() + 200;
    while (answered() < goal && failures.length === 0) await sleep(10);
    t.is(await held.restart(), 0);
  }
  await stop();
  await held.close();
  t.deepEqual(failures, []);
});

test('downloads that outlast the shutdown end incomplete', async (t) => {
  const books = Array.from({ length: 3_000 }, (_, at) => `{"id":"b${at}","title":"${'x'.repeat(4_000)}"}`);
  const settings = { SHUTDOWN_MS: '500', PORTAL_PATH: 'off' };
  const node = await start(t, settings, books.join('\n'));
  const params = { files: [{ fileName: 'books.tsv', columns: [{ fieldName: 'title' }] }] };
  const query = `params=${encodeURIComponent(JSON.stringify(params))}`;
  const responses: IncomingMessage[] = [];
  for (const path of ['/network/download', '/download']) {
    const [response] = (await once(get(`${node.url}${path}?${query}`), 'response')) as [IncomingMessage];
    t.is(response.statusCode, 200);
    // it reads the first bytes only
    await once(response, 'readable');
    responses.push(response);
  }
  t.is(await node.stop(), 0);
  for (const response of responses) {
    await t.throwsAsync(text(response), { code: 'ECONNRESET' });
    t.deepEqual(response.trailers, {});
  }
});

test('a start that other machines can reach says that it is open, and where it listens', async (t) => {
  const open = await start(t, { SERVER_HOST: '0.0.0.0' });
  const { port } = new URL(open.url);
  t.regex(
    open.output(),
    new RegExp(`THIS SERVER IS OPEN[^]*127\\.0\\.0\\.1:${port}[^]*ENABLE_ACCESS_CONTROL=false`),
  );
  t.regex(open.output(), new RegExp(`listening on [^\\n]*127\\.0\\.0\\.1:${port}`));
  await open.stop();
  const meant = await start(t, { SERVER_HOST: '0.0.0.0', ENABLE_ACCESS_CONTROL: 'false' });
  t.notRegex(meant.output(), /THIS SERVER IS OPEN/);
});
