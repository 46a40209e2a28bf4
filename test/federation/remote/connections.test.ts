import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { Connections } from '../../../src/federation/remote/connections.ts';
import { httpPost, wholeAnswer } from '../../../src/federation/remote/http-post.ts';
import { listening } from '../../listening.ts';

/** A server that answers when told to, and counts the connections made to it. */
const counting = async (t: ExecutionContext, connections: Connections) => {
  const waiting: (() => void)[] = [];
  const made: string[] = [];
  const server = createServer((request, response) => {
    const answer = (): void => void response.end(request.url);
    if (request.url === '/wait') waiting.push(answer);
    else answer();
  });
  server.on('connection', (socket) => made.push(String(socket.remotePort)));
  server.keepAliveTimeout = 60_000;
  const { url } = await listening(t, server);
  t.teardown(() => connections.destroy());
  const post = (path: string, signal = new AbortController().signal) =>
    httpPost(connections, new URL(path, url), { headers: {}, body: '{}', signal, maxBytes: 1_000, isRead: () => true }, wholeAnswer);
  return { server, waiting, made, post };
}; // prettier-ignore

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(setImmediate);
};

test('one request after the other takes one connection', async (t) => {
  const { post, made } = await counting(t, new Connections({}));
  for (let round = 0; round < 10; round += 1) t.is(String((await post('/at-once')).body), '/at-once');
  t.is(made.length, 1);
});

test('a request that waits delays no other', async (t) => {
  const { post, made, waiting } = await counting(t, new Connections({}));
  const slow = [post('/wait'), post('/wait')];
  await until(() => waiting.length === 2);
  await post('/at-once');
  t.is(made.length, 3);
  waiting.forEach((answer) => answer());
  await Promise.all(slow);
  await Promise.all([post('/at-once'), post('/at-once'), post('/at-once')]);
  t.is(made.length, 3);
});

test('who leaves ends its connection only', async (t) => {
  const { post, waiting } = await counting(t, new Connections({}));
  const leaving = new AbortController();
  const [left, stays] = [post('/wait', leaving.signal), post('/wait')];
  await until(() => waiting.length === 2);
  leaving.abort(new Error('gone'));
  await t.throwsAsync(left, { message: 'gone' });
  waiting.forEach((answer) => answer());
  t.is(String((await stays).body), '/wait');
  t.is(String((await post('/at-once')).body), '/at-once');
});

test('a server that was away is reached again', async (t) => {
  const { post, server, made } = await counting(t, new Connections({}));
  await post('/at-once');
  server.closeAllConnections();
  // it may still be sent over the one that is just closed
  const again = await post('/at-once').catch(() => post('/at-once'));
  t.is(again.status, 200);
  t.is(made.length, 2);
});

test('requests under way end with the connections', async (t) => {
  const connections = new Connections({});
  const { post, waiting } = await counting(t, connections);
  const asked = post('/wait');
  await until(() => waiting.length === 1);
  await connections.destroy();
  await t.throwsAsync(asked);
  await t.throwsAsync(post('/at-once'));
});
