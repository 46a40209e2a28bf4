import { openNetwork } from '../../../../src/federation/network.ts';
import { readNodes } from '../../../../src/federation/config/read-nodes.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { openMetrics } from '../../../../src/server/http/ops/metrics.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';
import { serverCommit, serverVersion } from '../../../../src/lib/runtime/server-version.ts';
import { scriptedEngine } from '../../../local/scripted-engine.ts';
import { testNetwork } from '../../../builders.ts';

const lines = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(name));

test('searches are counted by index and outcome; all else of the engine is as it was', async (t) => {
  const metrics = openMetrics();
  const engine = metrics.measured(
    scriptedEngine({
      describe: () => ({ properties: {}, documents: 7 }),
      search: ({ hits }) => {
        if (hits === undefined) throw new TributaryError('ENGINE_TIMEOUT', 'slow');
        return { hits: { total: 3, hits: [] } };
      },
    }),
  );
  const query = { filter: null, aggregations: {} } as never;
  await t.throwsAsync(engine.search('books', query), { code: 'ENGINE_TIMEOUT' });
  t.is((await engine.describe('books')).documents, 7);
  const counted = lines(await metrics.text(), 'tributary_engine_search_duration_seconds_count');
  t.deepEqual(counted, [
    'tributary_engine_search_duration_seconds_count{index="books",outcome="ENGINE_TIMEOUT"} 1',
  ]);
});

test('requests in flight are those that have not ended, and the version is a label', async (t) => {
  const metrics = openMetrics();
  metrics.requestStarted();
  metrics.requestStarted();
  metrics.requestEnded({ route: '/graphql', status: 200, tookMs: 3, refusal: null, operations: [] });
  const text = await metrics.text();
  t.deepEqual(lines(text, 'tributary_http_requests_in_flight'), ['tributary_http_requests_in_flight 1']);
  t.deepEqual(lines(text, 'tributary_build_info'), [
    `tributary_build_info{version="${serverVersion()}",commit="${serverCommit() ?? 'unknown'}"} 1`,
  ]);
});

test('calls to nodes, their states and opened circuits', async (t) => {
  const metrics = openMetrics();
  const catalogue = catalogueOf('tree', fieldsOf({ id: 'keyword' }), searchOf([]));
  const observer = metrics.nodeObserver('network');
  const nodes = [
    { nodeId: 'here', catalogue },
    { nodeId: 'lost', catalogue: 'lost' },
  ];
  const network = await testNetwork(t, nodes, { observer });
  metrics.watch(() => [{ id: 'network', network }]);
  observer.called({ nodeId: 'here', code: null, tookMs: 30 });
  observer.called({ nodeId: 'here', code: 'NODE_TIMEOUT', tookMs: 5_000 });
  const change = {
    nodeId: 'here',
    kind: 'remote',
    was: 'ok',
    wasSince: '',
    since: '',
    code: null,
    reason: null,
  } as const;
  observer.changed({ ...change, state: 'circuitOpen' });
  observer.changed({ ...change, state: 'ok' });
  const text = await metrics.text();
  t.deepEqual(lines(text, 'tributary_node_request_duration_seconds_sum'), [
    'tributary_node_request_duration_seconds_sum{network="network",node="here",outcome="ok"} 0.03',
    'tributary_node_request_duration_seconds_sum{network="network",node="here",outcome="NODE_TIMEOUT"} 5',
  ]);
  t.deepEqual(lines(text, 'tributary_node_circuit_opened_total'), [
    'tributary_node_circuit_opened_total{network="network",node="here"} 1',
  ]);
  t.deepEqual(lines(text, 'tributary_node_state'), [
    'tributary_node_state{network="network",node="here",state="ok"} 1',
    'tributary_node_state{network="network",node="lost",state="unavailable"} 1',
  ]);
});

test('nodes that dial in are exported as connected or not, others not at all', async (t) => {
  const metrics = openMetrics();
  const key = 'k'.repeat(43);
  const nodes = [
    { nodeId: 'here', catalogue: 'tree' },
    { nodeId: 'oslo', documentType: 'tree', dialsIn: true, key },
    { nodeId: 'bergen', documentType: 'tree', dialsIn: true },
  ];
  const tunnel = {
    dispatcher: { dispatch: () => true },
    isConnected: () => true,
    absence: () => '',
    onChange: () => () => undefined,
  };
  const network = openNetwork(readNodes({ nodes }, 'nodes.json'), () => undefined, {
    tunnelTo: () => tunnel,
  });
  t.teardown(() => network.close());
  metrics.watch(() => [{ id: 'network', network }]);
  t.deepEqual(lines(await metrics.text(), 'tributary_node_connected'), [
    'tributary_node_connected{network="network",node="oslo"} 1',
    'tributary_node_connected{network="network",node="bergen"} 0',
  ]);
});

test('of many nodes the first 100 have series of their own, and the rest are added up', async (t) => {
  const metrics = openMetrics();
  const nodes = Array.from({ length: 1_000 }, (_, at) => ({ nodeId: `n${at}`, catalogue: 'lost' }));
  const observer = metrics.nodeObserver('network');
  const network = await testNetwork(t, nodes, { observer });
  metrics.watch(() => [{ id: 'network', network }]);
  const last = { nodeId: 'n999', code: null, tookMs: 1_000 };
  for (const { nodeId } of nodes) observer.called({ nodeId, code: null, tookMs: 1_000 });
  observer.called(last);
  const change = { kind: 'remote', was: 'ok', wasSince: '', since: '', code: null, reason: null } as const;
  for (const { nodeId } of nodes) observer.changed({ ...change, nodeId, state: 'circuitOpen' });
  const text = await metrics.text();
  for (const [name, more, others] of [
    ['tributary_node_request_duration_seconds_count', ',outcome="ok"', 901],
    ['tributary_node_circuit_opened_total', '', 900],
    ['tributary_node_state', ',state="unavailable"', 900],
  ] as const) {
    const series = lines(text, name);
    t.is(series.length, 101);
    t.true(series.includes(`${name}{network="network",node="n99"${more}} 1`), name);
    t.true(series.includes(`${name}{network="network",node="(others)"${more}} ${others}`), name);
  }
  // a network that is another one by a reload adds none
  observer.called({ ...last, nodeId: 'new' });
  t.is(lines(await metrics.text(), 'tributary_node_request_duration_seconds_count').length, 101);
});

test('two servers in one process count apart, each with what the process takes', async (t) => {
  const [one, other] = [openMetrics(), openMetrics()];
  one.requestEnded({ route: '/ping', status: 200, tookMs: 4, refusal: null, operations: [] });
  const name = 'tributary_http_request_duration_seconds_count';
  t.deepEqual(lines(await one.text(), name), [`${name}{route="/ping",status="200"} 1`]);
  t.deepEqual(lines(await other.text(), name), []);
  t.is(lines(await other.text(), 'process_resident_memory_bytes ').length, 1);
});

test('every metric is documented, and its name ends with its base unit or with what is counted', (t) => {
  const root = join(import.meta.dirname, '../../../..');
  const sources = globSync('src/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const exported = new Set(
    sources.flatMap((text) =>
      [
        ...text.matchAll(/(?:name: |registry,\s*|(?:gauge|counter|histogram)\(\s*)'(tributary_[a-z_]+)'/gi),
      ].map(([, name]) => name!),
    ),
  );
  const rows = readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/^\| (`tributary_[^|]+) \|/gm);
  const documented = [...rows].flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '));
  t.true(exported.size > 15);
  t.deepEqual([...documented].sort(), [...exported].sort());
  const alerts = readFileSync(join(root, 'deploy/alerts/tributary.rules.yml'), 'utf8');
  const alerted = [...alerts.matchAll(/\b(tributary_[a-z_]+?)(?:_count)?\b/g)].map(([, name]) => name!);
  t.deepEqual(
    alerted.filter((name) => !exported.has(name)),
    [],
  );
  const ending =
    /_(seconds|bytes|total|info|in_flight|connections|state|connected|problems|stale|jobs|searches)$/;
  t.deepEqual(
    [...exported].filter((name) => !ending.test(name)),
    [],
  );
});
