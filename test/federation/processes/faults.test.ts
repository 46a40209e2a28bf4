import type { ExecutionContext } from 'ava';
import test from 'ava';
import { postQuery } from '../../whole/end-to-end/processes.ts';
import type { Consortium, NetworkAnswer } from './consortium.ts';
import {
  croftLine,
  croftTimeoutMs,
  query,
  startConsortium,
  values,
  whole,
  withoutCroft,
} from './consortium.ts';
import { faults, foreignText } from './faults.ts';
import { eventually, patienceMs } from './node-process.ts';

/** How much later than the deadline of the node that fails an answer may be, on a busy machine. */
const graceMs = 60_000;

let consortium: Consortium;

test.before(async (t) => {
  t.timeout(2 * patienceMs);
  consortium = await startConsortium();
});

test.after.always(() => consortium?.close());

const askPortal = (): Promise<NetworkAnswer> => consortium.askNetwork();

const assertWhole = (t: ExecutionContext, answer: NetworkAnswer): void => {
  t.deepEqual(values(answer), whole);
  t.deepEqual(
    answer.nodes as unknown[],
    [
      ['abbey', 3],
      ['brook', 2],
      ['croft', 3],
    ].map(([nodeId, hits], index) => ({
      nodeId,
      hits,
      status: 'OK',
      errors: '',
      state: 'ok',
      code: null,
      uncoveredFields: [],
      took: answer.nodes[index]?.took,
    })),
  );
};

/** Waits until croft answers again, as it must within a minute of any fault. */
const recovered = async (t: ExecutionContext): Promise<void> => {
  consortium.proxy.fault = null;
  t.true(await eventually(async () => croftLine(await askPortal()).state === 'ok'));
  assertWhole(t, await askPortal());
};

test.serial('three processes answer as one', async (t) => {
  assertWhole(t, await askPortal());
});

for (const [name, { fault, expected, isLong = false }] of Object.entries(faults))
  test.serial(
    `${name}: costs that node's part only, is reported, and ends when the fault ends`,
    async (t) => {
      const { proxy } = consortium;
      if (isLong) {
        t.timeout(2 * patienceMs);
        await consortium.setDeadline(patienceMs);
        await recovered(t);
      }
      proxy.fault = fault;
      const startedMs = performance.now();
      const answer = await askPortal();
      const tookMs = performance.now() - startedMs;
      t.deepEqual(values(answer), withoutCroft);
      const { took, errors, ...line } = croftLine(answer);
      t.deepEqual(line as object, {
        nodeId: 'croft',
        hits: 0,
        status: 'ERROR',
        state: expected.state,
        code: expected.code,
        uncoveredFields: [],
      });
      t.regex(errors, expected.errors);
      const longestMs = (isLong ? patienceMs : croftTimeoutMs) + graceMs;
      t.true(took <= longestMs, `croft took ${took} ms`);
      t.true(tookMs <= longestMs, `the answer took ${tookMs} ms`);
      t.deepEqual(
        answer.nodes.filter(({ nodeId }) => nodeId !== 'croft').map(({ state }) => state),
        ['ok', 'ok'],
      );
      t.false(JSON.stringify(answer).includes(foreignText));
      await recovered(t);
      if (!isLong) return;
      await consortium.setDeadline(croftTimeoutMs);
      await recovered(t);
    },
  );

test.serial('a node that is slow but within its deadline is whole', async (t) => {
  consortium.proxy.fault = async (response, forward) => {
    const { status, headers, body } = await forward();
    setTimeout(() => response.writeHead(status, headers).end(body), 500);
  };
  const answer = await askPortal();
  assertWhole(t, answer);
  t.true(croftLine(answer).took >= 490);
  consortium.proxy.fault = null;
});

test.serial("a node's own schema fails alone, beside the network and the other nodes", async (t) => {
  const { proxy, portal } = consortium;
  const own = `{ croft { specimen { hits { total } } } brook { tree { hits { total } } } network { total } }`;
  const healthy = await postQuery(`${portal.url}/network/graphql`, own);
  t.deepEqual(healthy.data, {
    croft: { specimen: { hits: { total: 3 } } },
    brook: { tree: { hits: { total: 2 } } },
    network: { total: 8 },
  });
  for (const [name, state] of [
    ['GraphQL errors on HTTP 200', 'NODE_BAD_RESPONSE'],
    ['no answer at all', 'NODE_TIMEOUT'],
  ] as const) {
    proxy.fault = faults[name]!.fault;
    const { data, errors } = await postQuery(`${portal.url}/network/graphql`, own);
    t.deepEqual(
      data,
      { croft: { specimen: null }, brook: { tree: { hits: { total: 2 } } }, network: { total: 5 } },
      name,
    );
    t.deepEqual(
      errors?.map(({ extensions }) => extensions?.['code']),
      [state],
    );
    t.false(JSON.stringify(errors).includes(foreignText));
    await recovered(t);
  }
});

test.serial('a node that keeps failing is left alone, and tried again after a while', async (t) => {
  const { proxy } = consortium;
  proxy.fault = (response) => void response.writeHead(500).end();
  for (let failure = 0; failure < 3; failure += 1)
    t.is(croftLine(await askPortal()).state, 'unreachable', `failure ${failure}`);
  const seen = proxy.seen;
  const answer = await askPortal();
  t.deepEqual(values(answer), withoutCroft);
  t.like(croftLine(answer), {
    state: 'circuitOpen',
    code: 'NODE_CIRCUIT_OPEN',
    status: 'ERROR',
    errors: 'is not queried for now after repeated failures: answered HTTP 500',
  });
  t.is(proxy.seen, seen, 'nothing is sent to it');
  // one that has answered meanwhile is whole again by one probe
  await recovered(t);
});

test.serial('a process that is frozen times out and is whole when it goes on', async (t) => {
  const { croft } = consortium;
  croft.signal('SIGSTOP');
  const answer = await askPortal();
  t.deepEqual(values(answer), withoutCroft);
  t.is(croftLine(answer).state, 'timeout');
  croft.signal('SIGCONT');
  await recovered(t);
});

test.serial(
  'equal questions at once are one request to a node; another header value is another',
  async (t) => {
    const { proxy, portal } = consortium;
    const waiting: (() => void)[] = [];
    proxy.fault = async (response, forward) => {
      const { status, headers, body } = await forward();
      waiting.push(() => response.writeHead(status, headers).end(body));
    };
    const before = proxy.seen;
    const askAs = async (team: string): Promise<NetworkAnswer> => {
      const response = await fetch(`${portal.url}/network/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-team': team, 'x-unseen': String(Math.random()) },
        body: JSON.stringify({ query }),
      });
      return ((await response.json()) as { data: { network: NetworkAnswer } }).data.network;
    };
    const red = Array.from({ length: 5 }, () => askAs('red'));
    t.true(await eventually(() => waiting.length === 1));
    const blue = [askAs('blue')];
    t.true(await eventually(() => waiting.length === 2));
    // what was to be sent has been sent by now
    await new Promise((resolve) => setTimeout(resolve, 500));
    t.is(proxy.seen - before, 2);
    for (const release of waiting) release();
    proxy.fault = null;
    for (const answer of await Promise.all([...red, ...blue])) assertWhole(t, answer);
  },
);

test.serial(
  'a caller who leaves takes the requests to the nodes along, unless another waits for them',
  async (t) => {
    const { proxy, portal } = consortium;
    const waiting: (() => void)[] = [];
    proxy.fault = async (response, forward) => {
      const { status, headers, body } = await forward();
      waiting.push(() => response.writeHead(status, headers).end(body));
    };
    const leave = new AbortController();
    const askAndLeave = fetch(`${portal.url}/network/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
      signal: leave.signal,
    });
    const left = t.throwsAsync(askAndLeave, { name: 'AbortError' });
    t.true(await eventually(() => waiting.length === 1));
    const stays = askPortal();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = proxy.unanswered;
    leave.abort();
    await left;
    await new Promise((resolve) => setTimeout(resolve, 200));
    t.is(proxy.unanswered, before, 'the other still waits for it');
    waiting.splice(0).forEach((release) => release());
    assertWhole(t, await stays);

    const leaveToo = new AbortController();
    const alone = t.throwsAsync(
      fetch(`${portal.url}/network/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
        signal: leaveToo.signal,
      }),
      { name: 'AbortError' },
    );
    t.true(await eventually(() => waiting.length === 1));
    leaveToo.abort();
    await alone;
    t.true(await eventually(() => proxy.unanswered === before + 1), 'the request to the node was ended');
    await recovered(t);
  },
);
