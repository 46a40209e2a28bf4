import test from 'ava';
import { pricedEngine } from '../../../../src/engines/cost/query-cost.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';
import { bookProperties } from '../../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../../local/scripted-engine.ts';
import { Usage } from '../../../../src/lib/concurrency/turn-queue.ts';
import { Gate } from '../../../../src/server/http/callers/gate.ts';
import { openMetrics } from '../../../../src/server/http/ops/metrics.ts';
import { libraryEngine, runApp } from '../running-app.ts';
import { testNetwork } from '../../../builders.ts';

test('requests are counted by route, whatever the path; the numbers are for the token only', async (t) => {
  const app = await runApp(t, { metrics: openMetrics(), settings: { metricsToken: 'top-secret' } });
  await (await app.query('/graphql/anything', '{ __typename }')).text();
  await (await app.get('/no/such/path')).text();
  await (await app.get('/introspection/unknown')).text();
  for (const authorization of ['', 'Bearer top', 'Bearer top-secret2', 'Basic top-secret', 'Bearer'])
    t.is((await app.get('/metrics', { authorization })).status, 401, authorization);
  const response = await app.get('/metrics', { authorization: 'Bearer top-secret' });
  t.is(response.status, 200);
  t.regex(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const counted = text
    .split('\n')
    .filter((line) => line.startsWith('tributary_http_request_duration_seconds_count'));
  for (const labels of [
    'route="/graphql",status="200"',
    'route="other",status="404"',
    'route="/introspection/:catalogue",status="404"',
    'route="/metrics",status="401"',
  ])
    t.true(
      counted.some((line) => line.includes(labels)),
      `${labels}\nin\n${counted.join('\n')}`,
    );
});

test('without a token there are no metrics', async (t) => {
  const app = await runApp(t, { metrics: openMetrics() });
  t.is((await app.get('/metrics')).status, 404);
});

test('answers are counted by their outcome, and refusals by their reason', async (t) => {
  const metrics = openMetrics();
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties, documents: 3 }),
    search: () => {
      throw new TributaryError('ENGINE_TIMEOUT', 'too slow');
    },
  });
  const network = await testNetwork(t, [
    {
      nodeId: 'here',
      catalogue: catalogueOf('book', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }])),
    },
    { nodeId: 'lost', catalogue: 'lost' },
  ]);
  const app = await runApp(t, {
    ...{ metrics, engine, network },
    accessFilter: ({ headers }) => {
      if (headers.authorization !== undefined) throw new TributaryError('UNAUTHENTICATED', 'expired');
      return null;
    },
  });
  const send = (path: string, query: string, headers = {}) =>
    fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    }).then((response) => response.text());
  await send('/graphql', '{ __typename }');
  await send('/graphql', '{ book { hits { total } } }');
  await send('/graphql', '{ nonsense }');
  await send('/network/graphql', '{ network { total } }');
  await send('/network/graphql', '{ network { total partial nodes { state } } }');
  await send('/graphql', '{ __typename }', { authorization: 'Bearer old' });
  const counted = async (name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
  t.deepEqual(await counted('tributary_graphql_operations_total'), [
    'tributary_graphql_operations_total{outcome="ok"} 1',
    'tributary_graphql_operations_total{outcome="ENGINE_TIMEOUT"} 1',
    'tributary_graphql_operations_total{outcome="GRAPHQL_VALIDATION_FAILED"} 1',
    'tributary_graphql_operations_total{outcome="partial"} 2',
  ]);
  const limits = { ofCaller: 0, ofAll: 0 };
  const gate = new Gate({ short: 1, long: 1, longCost: 1 }, new Usage(), limits);
  const library = libraryEngine();
  const busy = await runApp(t, { metrics, gate, engine: { ...library, ...pricedEngine(library) } });
  t.is((await busy.query('/graphql', '{ book { hits { total } } }')).status, 503);
  t.deepEqual(await counted('tributary_http_refusals_total'), [
    'tributary_http_refusals_total{reason="token"} 1',
    'tributary_http_refusals_total{reason="busy"} 1',
  ]);
});

test('the numbers of gauges are read whenever metrics are', async (t) => {
  const metrics = openMetrics();
  let now = 1;
  metrics.gauge('tributary_one', 'One.', () => [[now]]);
  metrics.gauge(
    'tributary_each',
    'Each.',
    async () => [
      [now, 'a'],
      [2 * now, 'b'],
    ],
    'of',
  );
  const read = async () =>
    (await metrics.text()).split('\n').filter((line) => /^tributary_(one|each)/.test(line));
  t.deepEqual(await read(), ['tributary_one 1', 'tributary_each{of="a"} 1', 'tributary_each{of="b"} 2']);
  now = 3;
  t.deepEqual(await read(), ['tributary_one 3', 'tributary_each{of="a"} 3', 'tributary_each{of="b"} 6']);
});
