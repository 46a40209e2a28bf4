import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { NodeExecutor, openTransport, type Transport } from '../../../src/federation/remote/http-executor.ts';
import { listening } from '../../listening.ts';

/** A server that echoes a body at once, and `wait` when released; counts the connections made to it. */
const counting = async (t: ExecutionContext, transport: Transport = openTransport(1_000)) => {
  const waiting: (() => void)[] = [];
  const made: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = String(Buffer.concat(chunks));
      const answer = (): void => void response.end(body);
      if (body === 'wait') waiting.push(answer);
      else answer();
    });
  });
  server.on('connection', (socket) => made.push(String(socket.remotePort)));
  server.keepAliveTimeout = 60_000;
  const { url } = await listening(t, server);
  t.teardown(() => transport.close());
  const node = new NodeExecutor(transport, url);
  const post = (body: 'at once' | 'wait', signal = new AbortController().signal) =>
    node.post({ headers: {}, body, signal, maxBytes: 1_000, isRead: () => true }, false);
  const release = (): void => waiting.splice(0).forEach((answer) => answer());
  return { server, waiting, made, post, release };
};

/** undici uses a connection again one tick after its response has ended. */
const drained = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(setImmediate);
};

test('sequential requests share one connection', async (t) => {
  const { post, made } = await counting(t);
  for (let round = 0; round < 10; round += 1) {
    t.is(String((await post('at once')).body), 'at once');
    await drained();
  }
  t.is(made.length, 1);
});

test('a slow request delays no other, and its connection is used again', async (t) => {
  const { post, made, waiting, release } = await counting(t);
  const slow = [post('wait'), post('wait')];
  await until(() => waiting.length === 2);
  await post('at once');
  t.is(made.length, 3);
  release();
  await Promise.all(slow);
  await drained();
  await Promise.all([post('at once'), post('at once'), post('at once')]);
  t.is(made.length, 3);
});

test('a request that is aborted ends its own connection only', async (t) => {
  const { post, waiting } = await counting(t);
  const leaving = new AbortController();
  const [left, stays] = [post('wait', leaving.signal), post('wait')];
  await until(() => waiting.length === 2);
  leaving.abort(new Error('gone'));
  await t.throwsAsync(left, { message: 'gone' });
  waiting.forEach((answer) => answer());
  t.is(String((await stays).body), 'wait');
  t.is(String((await post('at once')).body), 'at once');
});

test('a server that was away is reached again', async (t) => {
  const { post, server, made } = await counting(t);
  await post('at once');
  server.closeAllConnections();
  // it may still be sent over the one that is just closed
  const again = await post('at once').catch(() => post('at once'));
  t.is(again.status, 200);
  t.is(made.length, 2);
});

test('closing the transport ends the requests in flight', async (t) => {
  const transport = openTransport(1_000);
  const { post, waiting } = await counting(t, transport);
  const requested = post('wait');
  await until(() => waiting.length === 1);
  await transport.close();
  await t.throwsAsync(requested);
  await t.throwsAsync(post('at once'));
});

test('requests beyond 64 to one node wait in a queue, no longer than their signals allow', async (t) => {
  const { post, waiting, made, release } = await counting(t);
  const leaving = new AbortController();
  const busy = Array.from({ length: 64 }, () => post('wait'));
  const [left, queued] = [post('wait', leaving.signal), post('at once')];
  await until(() => waiting.length === 64);
  leaving.abort(new Error('deadline'));
  await t.throwsAsync(left, { code: 'NODE_TIMEOUT' });
  t.is(made.length, 64);
  release();
  t.is(String((await queued).body), 'at once');
  await Promise.all(busy);
  t.is(String((await post('at once')).body), 'at once');
  // the one that left was never sent
  t.deepEqual([made.length, waiting.length], [64, 0]);
});

test('a busy node delays no other node', async (t) => {
  const transport = openTransport(1_000);
  const [one, other] = [await counting(t, transport), await counting(t, transport)];
  const busy = Array.from({ length: 70 }, () => one.post('wait'));
  await until(() => one.waiting.length === 64);
  t.is(String((await other.post('at once')).body), 'at once');
  one.release();
  await until(() => one.waiting.length === 6);
  one.release();
  t.is((await Promise.all(busy)).length, 70);
});
