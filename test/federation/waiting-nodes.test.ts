import test from 'ava';
import type { Fault } from './remote-server.ts';
import { openTrees } from './trees.ts';

/** Answers 429, or another status, to the next few queries, and nothing of its own to discovery. */
const busy = (times: number, retryAfter?: string, status = 429, afterMs = 0): Fault => {
  let left = times;
  return ({ query }, response) => {
    if (!query.startsWith('query nodeQuery') || left-- <= 0) return false;
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    setTimeout(() => response.writeHead(status, headers).end('slow down'), afterMs);
    return true;
  };
};
const always = Number.POSITIVE_INFINITY;
const statuses = '{ network { total partial nodes { nodeId status state code errors hits } } }';
const park = { nodeId: 'park', status: 'OK', state: 'ok', code: null, errors: '', hits: 4 };
const cityWaits = (errors: string) => ({
  nodeId: 'city',
  status: 'ERROR',
  state: 'busy',
  code: 'TOO_MANY_REQUESTS',
  errors,
  hits: 0,
});

test('a rate-limited node is missing from the answer, is tried again, and counts as reached', async (t) => {
  const { send, remote, opened } = await openTrees(t);
  remote.fault = busy(always, '120');
  for (let time = 1; time <= 5; time++) {
    const { data, errors } = await send(statuses);
    t.is(errors, undefined);
    t.is(data?.network['partial'], true);
    t.is(data?.network['total'], 4);
    t.deepEqual(
      (data?.network['nodes'] as { nodeId: string }[]).filter(({ nodeId }) => nodeId !== 'gone'),
      [cityWaits('rate-limited: retry after 120 s'), park],
    );
    t.is(remote.queries.length, time);
  }
  t.like(opened.state().nodes[1]!, {
    nodeId: 'city',
    state: 'ok',
    circuit: 'closed',
    lastErrorCode: 'TOO_MANY_REQUESTS',
    requests: 5,
    failures: 5,
  });
});

test('a wait of days is not repeated to callers, nor one that says nothing', async (t) => {
  const { send, remote } = await openTrees(t);
  const cityOf = async () => {
    const { data } = await send(statuses);
    return (data?.network['nodes'] as unknown[])[0];
  };
  remote.fault = busy(always, '864000');
  t.deepEqual(await cityOf(), cityWaits('rate-limited: retry after more than 3600 s'));
  for (const header of [undefined, '<b>']) {
    remote.fault = busy(always, header);
    t.deepEqual(await cityOf(), cityWaits('rate-limited'));
  }
  t.is(remote.queries.length, 1 + 4 + 4);
});

test('a node whose wait fits its deadline is tried again, up to three times', async (t) => {
  const { send, remote } = await openTrees(t, { timeoutMs: 60_000 });
  remote.fault = busy(1, '1');
  const { data } = await send('{ network { total nodes { nodeId state } } }');
  t.is(data?.network['total'], 6);
  t.is(remote.queries.length, 2);
  remote.fault = busy(always, '0');
  const again = await send(statuses);
  t.deepEqual((again.data?.network['nodes'] as unknown[])[0], cityWaits('rate-limited: retry after 0 s'));
  t.is(remote.queries.length, 2 + 4);
});

for (const status of [429, 503])
  test(`equal questions that meet HTTP ${status} twice wait together, and each attempt is sent once`, async (t) => {
    const { send, remote } = await openTrees(t, { timeoutMs: 60_000 });
    // so slow that all are asked by then, however busy the machine
    remote.fault = busy(2, '1', status, 500);
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 3 }, () => send('{ network { total } }')));
    t.deepEqual(
      answers.map(({ data }) => data?.network['total']),
      [6, 6, 6],
    );
    t.is(remote.queries.length, 3);
    t.true(performance.now() - startedMs >= 2_000);
  });

test('a node is not asked again where its wait would end after the deadline', async (t) => {
  const { send, remote } = await openTrees(t, { timeoutMs: 1_500 });
  remote.fault = busy(always, '2', 503);
  const { data } = await send(statuses);
  t.like((data?.network['nodes'] as unknown[])[0], {
    state: 'busy',
    code: 'NOT_READY',
    errors: 'busy or not ready: retry after 2 s',
  });
  t.is(remote.queries.length, 1);
});

test('a busy node counts as reached, however often, and a network of nothing else says so', async (t) => {
  const { send, remote, opened } = await openTrees(t, { timeoutMs: 1_500 });
  remote.fault = busy(always, '2', 503);
  for (let time = 1; time <= 5; time++) {
    const { errors } = await send('{ network(nodesFilter: ["city"]) { total } }');
    t.is(errors?.[0]?.message, 'every node that can be queried is busy: retry in 2 s');
  }
  t.like(opened.state().nodes[1]!, {
    nodeId: 'city',
    state: 'ok',
    circuit: 'closed',
    lastErrorCode: 'NOT_READY',
  });
});

test('when every node is rate-limited the question fails and says how long', async (t) => {
  const { send, remote } = await openTrees(t);
  remote.fault = busy(always, '90');
  const { data, errors } = await send('{ network(nodesFilter: ["city"]) { total } }');
  t.is(data?.network ?? null, null);
  t.is(errors?.[0]?.message, 'every node that can be queried is busy: retry in 90 s');
});

test("the supergraph's question of a rate-limited node is sent again", async (t) => {
  const { send, remote } = await openTrees(t, { timeoutMs: 60_000 });
  let sent = 0;
  remote.fault = (_request, response) => {
    if (sent++ > 0) return false;
    response.writeHead(429, { 'retry-after': '0' }).end();
    return true;
  };
  const { data, errors } = await send('{ city { tree { hits { total } } } }');
  t.is(errors, undefined);
  t.deepEqual(data, { city: { tree: { hits: { total: 2 } } } } as never);
  t.is(sent, 2);
});

test('a node that is unavailable for a time that fits its deadline is tried again', async (t) => {
  const { send, remote } = await openTrees(t, { timeoutMs: 60_000 });
  remote.fault = busy(1, '1', 503);
  const { data } = await send('{ network { total nodes { nodeId state } } }');
  t.is(data?.network['total'], 6);
  t.is(remote.queries.length, 2);
  remote.fault = busy(always, '864000', 503);
  const again = await send(statuses);
  t.like((again.data?.network['nodes'] as unknown[])[0], {
    nodeId: 'city',
    state: 'busy',
    errors: 'busy or not ready: retry after more than 3600 s',
  });
  t.is(remote.queries.length, 3);
});

test('a node that is unavailable and does not say how long is not tried again', async (t) => {
  const { send, remote } = await openTrees(t, { timeoutMs: 60_000 });
  remote.fault = busy(always, undefined, 503);
  const { data } = await send(statuses);
  t.like((data?.network['nodes'] as unknown[])[0], { state: 'unreachable', errors: 'answered HTTP 503' });
  t.is(remote.queries.length, 1);
});
