import type { ExecutionContext } from 'ava';
import test from 'ava';
import { openNetwork } from '../../../../src/federation/network.ts';
import { readNodes } from '../../../../src/federation/config/read-nodes.ts';
import { readNetworkJson } from '../../../../src/federation/config/network-json.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf, deadUrl } from '../../../federation/remote-server.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { read, runApp, type AppOptions } from '../running-app.ts';
import { testNetwork } from '../../../builders.ts';

const fields = {
  east: fieldsOf({ id: 'keyword', genus: 'keyword', height: 'long' }),
  west: fieldsOf({ id: 'keyword', taxon: 'keyword', height: 'keyword' }),
};

/** Two local nodes that do not agree on a field, and one that is not there, whose address stays private. */
const openTrees = async (t: ExecutionContext) => {
  const gone = new URL(await deadUrl());
  const catalogueIn = (half: keyof typeof fields) =>
    catalogueOf(half, fields[half], searchOf([{ id: `${half}1` }]));
  const nodes = [
    { nodeId: 'east', displayName: 'East', catalogue: catalogueIn('east') },
    {
      nodeId: 'west',
      displayName: 'West "<script>alert(1)</script>"',
      catalogue: catalogueIn('west'),
      fields: { genus: 'taxon' },
    },
    {
      nodeId: 'gone',
      graphqlUrl: `${gone.href}?key=hidden-key`,
      documentType: 'tree',
      credential: { header: 'authorization', env: 'GONE_TOKEN' },
    },
  ];
  const network = await testNetwork(t, nodes, {
    network: { displayName: 'Trees & <b>shrubs</b>' },
    defaults: { discoveryTimeoutMs: 1_500, timeoutMs: 60_000 },
    secret: () => 'hidden-token',
  });
  return { network, gone };
};

const twoCatalogues = [bookConfig(), bookConfig({ catalogueId: 'maps', documentType: 'map' })];

test('GET /network has what people are shown of an institution: of nodes.json, else of its catalogue here', async (t) => {
  const place = { name: 'Kew', latitude: 51.5, longitude: -0.3 };
  const config = bookConfig({ about: { contact: { name: 'Desk' }, place } });
  const nodes = [
    { nodeId: 'own', catalogue: config.catalogueId },
    { nodeId: 'named', catalogue: config.catalogueId, about: { description: 'Another' } },
    { nodeId: 'unknown', catalogue: 'elsewhere' },
  ];
  const network = await testNetwork(t, nodes);
  const app = await runApp(t, { network, catalogues: [config] });
  const { body } = await read(app.get('/network'));
  t.deepEqual(
    (body['nodes'] as { about?: object }[]).map(({ about }) => about),
    [
      { ...(config.description && { description: config.description }), contact: { name: 'Desk' }, place },
      { description: 'Another', contact: { name: 'Desk' }, place },
      undefined,
    ],
  );
});

test('GET /network reports the state of each node, why and since when, and its coverage of each field', async (t) => {
  const { network, gone } = await openTrees(t);
  const app = await runApp(t, { network });
  await app.query('/network/graphql', '{ network { total } }');
  const response = await app.get('/network');
  t.regex(response.headers.get('content-type')!, /^application\/json/);
  t.is(response.headers.get('cache-control'), 'no-store');
  const text = await response.text();
  for (const secret of ['hidden', gone.host, gone.port, 'authorization'])
    t.false(text.includes(secret), secret);
  const body = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  t.like(body, { name: 'Trees & <b>shrubs</b>', ready: true, partial: true });
  t.like(body['nodes']![0], {
    nodeId: 'east',
    name: 'East',
    kind: 'local',
    state: 'ok',
    lastError: null,
    requests: 1,
    failures: 0,
    circuit: null,
  });
  t.like(body['nodes']![0]!['latencyMs'], { calls: 1 });
  t.regex(String(body['nodes']![0]!['lastAnswer']), /^\d{4}-\d\d-\d\dT/);
  t.like(body['nodes']![2], {
    nodeId: 'gone',
    kind: 'remote',
    state: 'discoveryFailed',
    rediscoverMs: null,
    requests: 0,
    latencyMs: null,
    circuit: 'closed',
    discovery: null,
  });
  t.like(body['nodes']![2]!['lastError'], {
    code: 'NODE_DISCOVERY_FAILED',
    reason: 'discovery failed: connection refused',
  });
  t.regex(String(body['nodes']![2]!['since']), /^\d{4}-\d\d-\d\dT/);
  const unknown = { nodeId: 'gone', state: 'unknown' };
  t.like(body['fields'], [
    {
      path: 'id',
      nodes: [{ nodeId: 'east', state: 'covered' }, { nodeId: 'west', state: 'covered' }, unknown],
    },
    {
      path: 'genus',
      name: 'genus',
      type: 'keyword',
      isArray: false,
      nodes: [
        { state: 'covered', path: 'genus' },
        { state: 'covered', path: 'taxon', type: 'keyword' },
        unknown,
      ],
    },
    {
      path: 'height',
      type: 'long',
      nodes: [
        { state: 'covered' },
        {
          state: 'conflict',
          type: 'keyword',
          reason: 'keyword there is not compatible with long of node "east"',
        },
        unknown,
      ],
    },
  ]);
});

test('GET /network names files without their folders', async (t) => {
  const nodes = ['tree', 'shrub'].map((documentType) => ({
    nodeId: documentType,
    documentType,
    graphqlUrl: 'http://127.0.0.1:1/graphql',
  }));
  const network = openNetwork(readNodes({ nodes }, '/srv/hospital/nodes.json'), () => undefined);
  t.teardown(() => network.close());
  await network.ready;
  const app = await runApp(t, { network, catalogues: twoCatalogues });
  const { body } = await read(app.get('/network'));
  t.regex(JSON.stringify(body), /nodes\.json: the nodes have different document types/);
  t.notRegex(JSON.stringify(body), /hospital/);
});

test('GET /network reports single nodes on request', async (t) => {
  const { network } = await openTrees(t);
  const app = await runApp(t, { network });
  const body = (await (await app.get('/network?node=gone&node=east')).json()) as Record<string, object[]>;
  t.like(body['nodes'], [{ nodeId: 'east' }, { nodeId: 'gone' }]);
  t.like(body['fields']![0], { path: 'id', nodes: [{ nodeId: 'east' }, { nodeId: 'gone' }] });
  t.is((await app.get('/network?node=north')).status, 400);
});

test('GET /network reports fields briefly on request', async (t) => {
  const { network } = await openTrees(t);
  const app = await runApp(t, { network });
  const body = (await (await app.get('/network?node=east&fields=brief')).json()) as Record<string, object[]>;
  t.like(body['nodes'], [{ nodeId: 'east', state: 'ok' }]);
  t.deepEqual(body['fields']![0], {
    path: 'id',
    type: 'keyword',
    nodes: [{ nodeId: 'east', state: 'covered' }],
  });
  t.is((await app.get('/network?fields=all')).status, 400);
});

test('discovery in progress is reported', async (t) => {
  const { network } = await openTrees(t);
  const held = { ...network, state: () => ({ ...network.state(), ready: false }) };
  const app = await runApp(t, { network: held });
  t.like(await read(app.get('/network')), { status: 200, body: { ready: false, partial: false } });
});

test('a catalogue with its own network has it at its own path, the others have none', async (t) => {
  const own = openNetwork(
    readNetworkJson({ network: { localNode: { nodeId: 'here' } } }, 'network.json', 'maps'),
    () => undefined,
  );
  t.teardown(() => own.close());
  const catalogueNetworks = new Map([['maps', own]]);
  const app = await runApp(t, { catalogues: twoCatalogues, catalogueNetworks });
  for (const path of ['/maps/network', '/MAP/network'])
    t.like(await read(app.get(path)), {
      status: 200,
      body: { nodes: [{ nodeId: 'here', state: 'unavailable' }] },
    });
  for (const path of ['/network', `/${bookConfig().catalogueId}/network`, '/elsewhere/network'])
    t.is((await app.get(path)).status, 404, path);
  const only = await runApp(t, { catalogues: twoCatalogues.slice(1), catalogueNetworks });
  t.like(await read(only.get('/network')), { body: { nodes: [{ nodeId: 'here' }] } });
});

test('it takes no path of another route', async (t) => {
  const { network } = await openTrees(t);
  const app = await runApp(t, { network, catalogueNetworks: new Map([['introspection', network]]) });
  t.like(await read(app.get('/introspection/network')), { status: 404 });
  t.is((await app.query('/graphql/network', '{ __typename }')).status, 200);
  t.is((await fetch(`${app.url}/network`, { method: 'POST' })).status, 404);
});

test('where queries take a token, so does it', async (t) => {
  const { network } = await openTrees(t);
  const accessFilter: AppOptions['accessFilter'] = (context) => {
    const token = context.get('authorization');
    if (token === '') throw new TributaryError('UNAUTHENTICATED', 'a bearer token is needed');
    if (token !== 'Bearer reader') throw new TributaryError('FORBIDDEN', 'no rule lets this caller in');
    return null;
  };
  const app = await runApp(t, { network, accessFilter: accessFilter! });
  const refused = await app.get('/network');
  t.is(refused.status, 401);
  t.is(refused.headers.get('www-authenticate'), 'Bearer');
  t.is(refused.headers.get('cache-control'), 'no-store');
  t.deepEqual(await refused.json(), {
    error: { code: 'UNAUTHENTICATED', message: 'a bearer token is needed' },
  });
  t.is((await app.get('/network', { authorization: 'Bearer other' })).status, 403);
  t.is((await app.get('/network', { authorization: 'Bearer reader' })).status, 200);
});

test('until a network is open only queries of it wait', async (t) => {
  const { network } = await openTrees(t);
  const held = {
    ...network,
    opened: new Promise<void>(() => undefined),
    isOpen: () => false,
    state: () => ({ ...network.state(), ready: false }),
  };
  const app = await runApp(t, { network: held });
  const waiting = app.query('/graphql', '{ network { total } }').then(
    () => 'answered',
    () => 'answered',
  );
  for (const query of [
    '{ network: book { hits { total } } }',
    'query network { book { hits { total } } } # network',
  ])
    t.is((await app.query('/graphql', query)).status, 200, query);
  t.is(await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve, 'waiting'))]), 'waiting');
});
