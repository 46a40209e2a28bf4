import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { openSemaphore } from '../../../src/lib/concurrency/locks.ts';
import type { SearchFn } from '../../../src/search/query.ts';
import { fanout } from '../../../src/federation/query/fanout.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { plan, type QueryPlan } from '../../../src/federation/query/plan.ts';
import { queryWithRetries } from '../../../src/federation/download/node-pages.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { coalesced } from '../../../src/federation/remote/http-executor.ts';
import { callerLeft, untilAborted } from '../../../src/search/request-context.ts';
import { contextOf, countsOnly as question, nodeView } from '../node-fixtures.ts';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import { soon } from '../soon.ts';

const fields = fieldsOf({ id: 'keyword' });

test('a node that fails or hangs costs its own part only', async (t) => {
  const nodes = [
    nodeView('well', fields, searchOf([{ id: '1' }])),
    nodeView('hangs', fields, () => new Promise(() => undefined), { timeoutMs: 30 }),
    nodeView('refuses', fields, () => Promise.reject(new TributaryError('FORBIDDEN', 'not yours'))),
    nodeView('breaks', fields, () => Promise.reject(new Error('password is 1234'))),
  ];
  const answers = await fanout(plan(question, networkFields(new Map(), nodes), nodes), contextOf());
  t.deepEqual(
    answers.map(({ state, code, reason, answer }) => ({ state, code, reason, total: answer?.total })),
    [
      { state: 'ok', code: null, reason: '', total: 1 },
      { state: 'timeout', code: 'NODE_TIMEOUT', reason: 'did not answer within 30 ms', total: undefined },
      { state: 'refused', code: 'FORBIDDEN', reason: 'not yours', total: undefined },
      { state: 'badResponse', code: 'INTERNAL_SERVER_ERROR', reason: 'internal error', total: undefined },
    ],
  );
});

test('the deadline reaches the search as its signal', async (t) => {
  let signal: AbortSignal | undefined;
  const hangs = nodeView(
    'hangs',
    fields,
    (_query, context) => ((signal = context.signal), new Promise(() => undefined)),
    {
      timeoutMs: 20,
    },
  );
  await fanout(plan(question, networkFields(new Map(), [hangs]), [hangs]), contextOf());
  t.true(signal?.aborted);
});

test('each node has its own time, and a caller who leaves ends all of them', async (t) => {
  const hangs = (nodeId: string, timeoutMs: number) =>
    nodeView(nodeId, fields, () => new Promise(() => undefined), { timeoutMs });
  const nodes = [hangs('a', 20), hangs('b', 60_000), hangs('c', 60_000)];
  const leave = new AbortController();
  const queries = fanout(
    plan(question, networkFields(new Map(), nodes), nodes),
    contextOf().withSignal(leave.signal),
  );
  setTimeout(() => leave.abort(), 60);
  t.deepEqual(
    (await queries).map(({ state, reason }) => [state, reason]),
    [
      ['timeout', 'did not answer within 20 ms'],
      ['timeout', 'did not answer within 60000 ms'],
      ['timeout', 'did not answer within 60000 ms'],
    ],
  );
});

test('many nodes listen to their caller by one listener, and leave none once answered', async (t) => {
  const { signal } = new AbortController();
  const seen: number[] = [];
  const nodes = Array.from({ length: 100 }, (_, at) => {
    const search = searchOf([{ id: `${at}` }]);
    const send = coalesced(() => Promise.resolve({ data: {} }));
    return nodeView(`n${at}`, fields, async (query, context) => {
      await untilAborted(send({ body: 'a', headers: {}, signal: context.signal! }), context.signal);
      seen.push(getEventListeners(context.signal!, 'abort').length);
      return search(query, context);
    });
  });
  const answers = await fanout(planned(nodes), contextOf().withSignal(signal));
  t.true(answers.every(({ state }) => state === 'ok'));
  t.true(seen.every((listeners) => listeners <= 1));
  t.is(getEventListeners(signal, 'abort').length, 0);
});

test('answers keep the order of the nodes, with those that were not queried', async (t) => {
  const down = { kind: 'down', code: 'NODE_TIMEOUT', reason: 'did not answer' } as const;
  const slow = nodeView('slow', fields, (query, context) => sleep(20).then(() => answering(query, context)));
  const nodes = [slow, { ...nodeView('down', fields), status: down }, nodeView('fast', fields, answering)];
  const answers = await fanout(plan(question, networkFields(new Map(), nodes), nodes), contextOf());
  t.deepEqual(
    answers.map(({ plan: { node }, state }) => [node.config.nodeId, state]),
    [
      ['slow', 'ok'],
      ['down', 'timeout'],
      ['fast', 'ok'],
    ],
  );
});

const remote = {
  kind: 'remote',
  graphqlUrl: 'http://127.0.0.1/graphql',
  documentType: 'tree',
  credential: null,
  headers: [],
  discoveryTimeoutMs: 1,
  maxDepth: 10,
  maxAliases: 10,
} as const;

test('a caller with little time fails no node, the time of the node itself does', async (t) => {
  for (const [leftMs, timeoutMs, isOfCaller] of [
    [20, 60_000, true],
    [60_000, 20, false],
  ] as const) {
    let signal: AbortSignal | undefined;
    const hangs = nodeView(
      'hangs',
      fields,
      (_query, context) => ((signal = context.signal), new Promise(() => undefined)),
      {
        timeoutMs,
      },
    );
    const asking = contextOf().withPath([], performance.now() + leftMs);
    const [answer] = await fanout(plan(question, networkFields(new Map(), [hangs]), [hangs]), asking);
    t.is(answer?.state, 'timeout');
    t.is(callerLeft(signal), isOfCaller);
  }
});

test('the timeouts of queued nodes begin when they are queried', async (t) => {
  const over = Promise.withResolvers<undefined>();
  const here = nodeView(
    'here',
    fields,
    (_query, { signal }) => {
      signal!.addEventListener('abort', () => over.resolve(undefined));
      return new Promise(() => undefined);
    },
    { timeoutMs: 300 },
  );
  const away = nodeView(
    'away',
    fields,
    (query, context) => {
      t.false(context.signal!.aborted);
      return searchOf([{ id: '1' }])(query, context);
    },
    { timeoutMs: 300, source: remote },
  );
  const slots = { acquire: () => over.promise.then(() => () => undefined) };
  const nodes = [here, away];
  const answers = await fanout(plan(question, networkFields(new Map(), nodes), nodes), contextOf(), {
    slots,
  });
  t.deepEqual(
    answers.map(({ state }) => state),
    ['timeout', 'ok'],
  );
});

test('a node that the query requires has its full timeout', async (t) => {
  const hurried = (search: SearchFn): readonly NodeView[] => {
    const view = nodeView('slow', fields, search, { timeoutMs: 60_000 });
    return [{ ...view, status: { ...view.status, timeoutMs: () => 1 } as NodeView['status'] }];
  };
  const hanging = planned(hurried(() => new Promise(() => undefined)));
  t.is((await fanout(hanging, contextOf()))[0]!.state, 'timeout');
  const slow = planned(hurried((query, context) => sleep(300).then(() => answering(query, context))));
  t.is((await fanout(slow, contextOf(), { required: ['slow'] }))[0]!.state, 'ok');
});

const planned = (nodes: readonly NodeView[]) => plan(question, networkFields(new Map(), nodes), nodes);
const answering = searchOf([{ id: '1' }]);
const hanging = nodeView('hangs', fields, () => new Promise(() => undefined)).status;
const hangs = (nodeId: string): NodeView => ({ ...nodeView(nodeId, fields), status: hanging });

test('each remote node releases its slot once, whether it answers or fails', async (t) => {
  let acquired = 0;
  let released = 0;
  const slots = {
    acquire: (_signal: AbortSignal, requests = 1) => (
      (acquired = requests),
      Promise.resolve(() => void (released += 1))
    ),
  };
  const fails = () => Promise.reject(new TributaryError('FORBIDDEN', 'not yours'));
  const nodes = [
    nodeView('answers', fields, answering, { source: remote }),
    nodeView('fails', fields, fails, { source: remote }),
    nodeView('here', fields, answering),
  ];
  const results = await soon(fanout(planned(nodes), contextOf(), { slots }));
  if (results === 'still pending') return t.fail(results);
  t.deepEqual(
    results.map(({ state }) => state),
    ['ok', 'refused', 'ok'],
  );
  t.deepEqual({ acquired, released }, { acquired: 2, released: 2 });
});

test('a queue that times out fails the remote nodes, and the query if nothing else answered', async (t) => {
  const slots = openSemaphore(8);
  await slots.acquire(new AbortController().signal, 8);
  const away = nodeView('away', fields, answering, { source: remote, timeoutMs: 30 });
  const results = await soon(
    fanout(planned([away, nodeView('here', fields, answering)]), contextOf(), { slots }),
  );
  if (results === 'still pending') return t.fail(results);
  t.deepEqual(
    results.map(({ state }) => state === 'ok'),
    [false, true],
  );
  const full = {
    code: 'NOT_READY',
    message: 'too many queries in progress, retry in 1 s',
    details: { retryAfterSeconds: 1 },
  };
  t.like(results[0], { state: 'busy', reason: full.message, retryAfterSeconds: 1 });
  t.like(await t.throwsAsync(soon(fanout(planned([away]), contextOf(), { slots }))), full);
  // half of the time that the caller has left, where that is less
  const patient = planned([nodeView('away', fields, answering, { source: remote, timeoutMs: 70_000 })]);
  const hurried = contextOf().withPath([], performance.now() + 1_500);
  t.like(await t.throwsAsync(soon(fanout(patient, hurried, { slots }))), full);
  const left = contextOf().withSignal(AbortSignal.abort());
  t.is(await fanout(patient, left, { slots }).catch((error: TributaryError) => error.code), 'NODE_TIMEOUT');
});

test('once the share has answered and the wait is over, the others are pending and abandoned', async (t) => {
  let abandoned: AbortSignal | undefined;
  const slow = nodeView(
    'slow',
    fields,
    (_query, { signal }) => ((abandoned = signal), new Promise(() => undefined)),
  );
  for (const [answerMs, waitMs] of [
    [0, 20],
    [40, 1],
  ] as const) {
    const some = nodeView('some', fields, (query, context) =>
      sleep(answerMs).then(() => answering(query, context)),
    );
    const waiting = { share: 0.5, ms: waitMs, required: new Set<string>() };
    const results = await soon(fanout(planned([some, slow]), contextOf(), { waiting }));
    if (results === 'still pending') return t.fail(results);
    t.deepEqual(
      results.map(({ state }) => state),
      ['ok', 'pending'],
    );
    await new Promise(setImmediate);
    t.true(abandoned?.aborted);
  }
});

test('a node that its configuration requires is waited for beyond the share', async (t) => {
  const waiting = { share: 0.5, ms: 1, required: new Set<string>() };
  const search: SearchFn = (query, context) => sleep(60).then(() => answering(query, context));
  const late = nodeView('late', fields, search, { required: true });
  const results = await soon(
    fanout(planned([nodeView('here', fields, answering), late]), contextOf(), { waiting }),
  );
  if (results === 'still pending') return t.fail(results);
  t.deepEqual(
    results.map(({ state }) => state),
    ['ok', 'ok'],
  );
});

test('who answers within the wait is waited for, even once the share has answered', async (t) => {
  const waiting = { share: 0.5, ms: 60_000, required: new Set<string>() };
  const later = nodeView('later', fields, (query, context) =>
    sleep(40).then(() => answering(query, context)),
  );
  const results = await fanout(planned([nodeView('soon', fields, answering), later]), contextOf(), {
    waiting,
  });
  t.deepEqual(
    results.map(({ state }) => state),
    ['ok', 'ok'],
  );
});

test('a failed node counts for no share, and required nodes are waited for beyond it', async (t) => {
  // one of the three is enough: "late" is awaited only because it is required
  const waiting = { share: 0.3, ms: 1, required: new Set(['late']) };
  const late = nodeView('late', fields, (query, context) => sleep(60).then(() => answering(query, context)));
  const results = await soon(
    fanout(planned([nodeView('here', fields, answering), late, hangs('c')]), contextOf(), { waiting }),
  );
  if (results === 'still pending') return t.fail(results);
  t.deepEqual(
    results.map(({ state }) => state),
    ['ok', 'ok', 'pending'],
  );
  const fails = nodeView('fails', fields, () => Promise.reject(new TributaryError('FORBIDDEN', 'not yours')));
  const half = { share: 0.5, ms: 1, required: new Set<string>() };
  const other = await soon(fanout(planned([fails, late]), contextOf(), { waiting: half }));
  if (other === 'still pending') return t.fail(other);
  t.deepEqual(
    other.map(({ state }) => state),
    ['refused', 'ok'],
  );
});

test.serial(
  'a download waits for a node that others find away as long as for its answer, and no longer',
  async (t) => {
    const paused = new TributaryError('NODE_CIRCUIT_OPEN', 'is not queried for now');
    const node = nodeView('away', fields, () => Promise.reject(paused), { timeoutMs: 10_000 });
    const [query] = planned([node]) as readonly [QueryPlan];
    const { now } = performance;
    t.teardown(() => (performance.now = now));
    let clockMs = 0;
    performance.now = () => (clockMs += 6_000);
    const result = await queryWithRetries(query, contextOf(), { waitsForCircuit: true, faultOf: () => null });
    t.like(result, { state: 'circuitOpen', reason: 'is not queried for now' });
  },
);
