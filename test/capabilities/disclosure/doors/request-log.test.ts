import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { pricedEngine } from '../../../../src/engines/cost/query-cost.ts';
import type { AppParts } from '../../../../src/server/http/app.ts';
import type { Engine } from '../../../../src/engines/engine.ts';
import type { Tier } from '../../../../src/introspection/fields/catalogue-config.ts';
import { defaultSettings } from '../../../server/http/running-app.ts';
import { engineOver } from '../cohort.ts';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, download, get, graphql, records, send, type Door } from './doors.ts';

const counting =
  '{ donor { hits(first: 0, filters: {op: "in", content: {fieldName: "sex", value: ["male"]}}) { total upper_bound } } }';

/** A server, and a function that sends a request and returns its line. */
const logged = async (t: ExecutionContext, engine: Engine, parts: Partial<AppParts> = {}) => {
  const lines: string[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(...String(chunk).trim().split('\n'));
      done();
    },
  });
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine, {
    log: pino({ level: 'debug' }, output),
    settings: defaultSettings,
    ...parts,
  });
  return async (door: Door, headers: Record<string, string> = {}) => {
    lines.length = 0;
    await (await send(url, door, headers)).text();
    const line = (): string | undefined => lines.find((one) => one.includes('"msg":"request"'));
    while (line() === undefined) await sleep(10);
    t.notRegex(lines.join(), /male|upper_bound|Name 1/);
    return JSON.parse(line()!) as Record<string, unknown>;
  };
};

test('each request is a line at info, probes at debug', async (t) => {
  const runQuery = await logged(t, throwingEngine());
  t.like(await runQuery(graphql('/cohort/graphql', counting, 'open')), { level: 30, msg: 'request' });
  t.is((await runQuery(get(defaultSettings.pingPath, 'open')))['level'], 20);
});

test('a line says where a request came in, what for, and how it ended', async (t) => {
  const runQuery = await logged(t, throwingEngine());
  const line = await runQuery(graphql('/cohort/graphql', counting, 'open'), {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'x-request-id': 'one',
  });
  t.like(line, {
    ...{ method: 'POST', path: '/cohort/graphql', route: '/:catalogue/graphql', door: 'graphql' },
    ...{ catalogue: 'cohort', questions: 1, kind: 'count', state: 'ok', status: 200, rows: 0 },
    ...{ requestId: 'one', trace_id: '0af7651916cd43dd8448eb211c80319c', nodes: undefined },
  });
  for (const key of ['tookMs', 'searchMs', 'queueMs', 'engineMs', 'cost', 'bytes', 'filterSize'])
    t.is(typeof line[key], 'number', key);
  t.true(Number(line['bytes']) > 100);
  t.true(Number(line['filterSize']) > 10);
  const invalid = await runQuery(graphql('/graphql', '{ donor { none } }', 'open'), { traceparent: 'x' });
  t.like(invalid, { state: 'GRAPHQL_VALIDATION_FAILED', status: 400, trace_id: undefined });
});

test('time in the queue, time in the engine and the cost are separate', async (t) => {
  const { describe, ...engine } = engineOver(documents);
  const slow: Engine = {
    ...engine,
    describe,
    // 40 ms of waiting, then 20 ms of work
    search: async (...args) => {
      await sleep(60);
      return { ...(await engine.search(...args)), tookMs: 20 };
    },
  };
  const runQuery = await logged(t, pricedEngine(slow), { tierOf: () => 'records' as Tier });
  const line = await runQuery(graphql('/graphql', records, 'open'));
  t.like(line, { kind: 'rows', state: 'ok', engineMs: 20 });
  t.true(Number(line['queueMs']) >= 39 && Number(line['searchMs']) >= 59, JSON.stringify(line));
  t.true(Number(line['cost']) > 0);
});

test('a network says how many nodes it queried, which failed and which was slowest', async (t) => {
  const runQuery = await logged(t, throwingEngine(), {
    tierOf: ({ headers }) => (headers['x-tier'] ?? null) as Tier | null,
  });
  const network = graphql('/network/graphql', '{ network { hits(first: 0) { total upper_bound } } }', 'open');
  t.like(await runQuery(network), {
    ...{ route: '/network/graphql', door: 'network graphql', network: 'Network' },
    ...{ catalogue: 'cohort', questions: 1, nodes: 1, failedNodes: [] },
  });
  t.like(await runQuery(network, { 'x-tier': 'none' }), { nodes: 1, failedNodes: ['home FORBIDDEN'] });
  const fails = graphql(
    '/network/graphql',
    '{ network(filters: {op: "nearly"}) { total upper_bound } }',
    'open',
  );
  t.like(await runQuery(fails), { state: 'BAD_USER_INPUT' });
});

test('a refused request says why, whatever refused it', async (t) => {
  const runQuery = await logged(t, throwingEngine(), {
    tierOf: ({ headers }) => (headers['x-tier'] ?? null) as Tier | null,
  });
  const refused = async (door: Door, headers = {}) => (await runQuery(door, headers))['state'];
  t.is(await refused(graphql('/graphql', records, 'refused')), 'NOT_DISCLOSED');
  t.is(await refused(graphql('/graphql', counting, 'open'), { 'x-tier': 'none' }), 'FORBIDDEN');
  t.is(await refused(download('/cohort/download')), 'NOT_DISCLOSED');
  t.is(await refused(download('/network/download')), 'NOT_DISCLOSED');
  t.is(await refused(get('/nothing/here', 'open')), 'NOT_FOUND');
  t.is(
    await refused({ ...graphql('/graphql', counting, 'open'), body: 'x'.repeat(3_000) }),
    'PAYLOAD_TOO_LARGE',
  );
});
