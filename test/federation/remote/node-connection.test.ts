import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { graphqlBody, NodeExecutor, openTransport } from '../../../src/federation/remote/http-executor.ts';
import type { RetryBudget } from '../../../src/lib/net/retry.ts';
import { listening } from '../../listening.ts';

/** Says that it keeps connections, and closes each of them when a second request arrives on it. */
const closingServer = async (t: ExecutionContext, answers: (request: number) => boolean = () => true) => {
  const used = new WeakSet();
  let requests = 0;
  let lost = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (used.has(request.socket) || !answers(requests)) {
      lost += 1;
      request.socket.destroy();
      return;
    }
    used.add(request.socket);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.keepAliveTimeout = 60_000;
  const { url } = await listening(t, server);
  return { url: new URL(url), requests: () => requests, lost: () => lost };
};

const budgetOf = (tokens: number): RetryBudget & { readonly left: () => number } => {
  let left = tokens;
  return {
    recordRequest: () => undefined,
    spend: () => left > 0 && (left -= 1) >= 0,
    left: () => left,
  };
};

const posting = (t: ExecutionContext, url: URL, budget: RetryBudget) => {
  const transport = openTransport(100_000);
  t.teardown(() => transport.close());
  const node = new NodeExecutor(transport, url.href, budget);
  return (isRepeatable = true) =>
    node.post(
      {
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: new AbortController().signal,
        maxBytes: 100_000,
        isRead: () => true,
      },
      isRepeatable,
    );
};

test('a server that closes each connection after one answer loses none, and costs one retry', async (t) => {
  const server = await closingServer(t);
  const budget = budgetOf(20);
  const post = posting(t, server.url, budget);
  for (let round = 0; round < 50; round += 1) t.is((await post()).status, 200);
  t.deepEqual([server.lost(), budget.left()], [1, 19]);
});

test('what a restarting server lost of many at once is sent again to it', async (t) => {
  const server = await closingServer(t, (request) => request > 8);
  const post = posting(t, server.url, budgetOf(20));
  const answers = await Promise.all(Array.from({ length: 8 }, () => post()));
  t.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 8 }, () => 200),
  );
});

test('what changes something is not sent twice', async (t) => {
  const server = await closingServer(t, () => false);
  await t.throwsAsync(posting(t, server.url, budgetOf(20))(false), { code: 'UND_ERR_SOCKET' });
  t.is(server.requests(), 1);
});

test('without a budget nothing is sent twice', async (t) => {
  const server = await closingServer(t, () => false);
  const post = posting(t, server.url, budgetOf(0));
  await t.throwsAsync(post());
  t.is(server.requests(), 1);
});

test('a server that closes every connection without an answer is tried twice, no more', async (t) => {
  const server = await closingServer(t, () => false);
  const post = posting(t, server.url, budgetOf(20));
  await t.throwsAsync(post());
  t.is(server.requests(), 2);
});

test('for a caller who tries again itself, nothing is sent twice', async (t) => {
  const server = await closingServer(t, () => false);
  const transport = openTransport(100_000);
  t.teardown(() => transport.close());
  const node = new NodeExecutor(transport, server.url.href);
  const requested = { body: graphqlBody('{ a }'), headers: {}, signal: new AbortController().signal };
  await t.throwsAsync(node.send({ ...requested, once: true }), { code: 'NODE_UNREACHABLE' });
  t.is(server.requests(), 1);
});
