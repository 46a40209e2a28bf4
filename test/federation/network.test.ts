import type { ExecutionContext } from 'ava';
import test from 'ava';
import { graphql } from 'graphql';
import { openNetwork } from '../../src/federation/network.ts';
import { readNodes } from '../../src/federation/nodes.ts';
import type { CatalogueState } from '../../src/local/catalogue.ts';
import type { Row } from './collection.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { callerOf } from './node-fixtures.ts';
import { catalogueOf, deadUrl, serveCatalogue } from './remote-server.ts';

const parkFields = fieldsOf({
  id: 'keyword',
  genus: 'keyword',
  height: 'long',
  planted: 'date',
  gone: 'boolean',
});
const parkTrees: readonly Row[] = [
  { id: 'p1', genus: 'Acer', height: 12, planted: '2001-01-01', gone: false },
  { id: 'p2', genus: 'Acer', height: 7 },
  { id: 'p3', genus: 'Tilia', height: 21 },
  { id: 'p4', height: 3 },
];
const cityFields = fieldsOf({ id: 'keyword', 'taxon-name': 'keyword', height: 'double', gone: 'boolean' });
const cityTrees: readonly Row[] = [
  { id: 'c1', 'taxon-name': 'maple', height: 9.5 },
  { id: 'c2', 'taxon-name': 'Tilia', height: 30 },
];

/** A local park, a city next door with names of its own, and a node that is not there. */
const openTrees = async (t: ExecutionContext, city: object = {}, network: object = {}) => {
  const remote = await serveCatalogue('tree', cityFields, searchOf(cityTrees));
  const config = readNodes(
    {
      network,
      defaults: { discoveryTimeoutMs: 800 },
      nodes: [
        { nodeId: 'park', displayName: 'Park', catalogue: 'park' },
        {
          nodeId: 'city', displayName: 'City', documentType: 'tree', graphqlUrl: remote.url, discoveryTimeoutMs: 5000,
          fields: { genus: 'taxon-name' }, values: { genus: { maple: 'Acer' } }, ...city,
        },
        { nodeId: 'gone', displayName: 'Gone', documentType: 'tree', graphqlUrl: await deadUrl() },
      ],
    },
    'nodes.json',
  ); // prettier-ignore
  const catalogue = catalogueOf('park', parkFields, searchOf(parkTrees));
  const states = new Map<string, CatalogueState>([
    ['park', { status: 'available', config: catalogue.config, catalogue }],
  ]);
  const opened = openNetwork(config, (id) => states.get(id), { secret: () => 'token-1' });
  t.teardown(async () => {
    await opened.close();
    await remote.close();
  });
  await opened.ready;
  const warnings: string[] = [];
  const ask = async (source: string, variableValues: Record<string, unknown> = {}, headers = {}) => {
    const contextValue = callerOf(warnings, headers);
    const result = await graphql({ schema: opened.schema(), source, variableValues, contextValue });
    // plain objects, as they go over the wire
    const plain: unknown = JSON.parse(JSON.stringify(result));
    return plain as { data: { network: Record<string, unknown> } | null; errors?: { message: string }[] };
  };
  return { opened, remote, states, ask, warnings };
};

test('merges buckets, stats, nodes and totals of local, remote and dead nodes in one request a node', async (t) => {
  const { ask, remote } = await openTrees(t);
  const { data, errors } = await ask(`{ network {
    total partial
    nodes { nodeId name hits status errors state code uncoveredFields }
    aggregations {
      genus { bucket_count bucket_count_exact buckets { key doc_count exact nodes { nodeId doc_count } } coverage { nodeId state docs } }
      height { stats { count min max sum avg } histogram(interval: 10) { buckets { key doc_count } } range(ranges: [{to: 10}, {from: 10}]) { buckets { key doc_count } } }
      planted { stats { count } coverage { nodeId state } }
    }
  } }`); // prettier-ignore
  t.is(errors, undefined);
  t.deepEqual(data?.network, {
    total: 6,
    partial: true,
    nodes: [
      { nodeId: 'city', name: 'City', hits: 2, status: 'OK', errors: '', state: 'ok', code: null, uncoveredFields: ['planted'] },
      {
        nodeId: 'gone', name: 'Gone', hits: 0, status: 'ERROR', errors: 'discovery failed: connection refused',
        state: 'discoveryFailed', code: 'NODE_DISCOVERY_FAILED', uncoveredFields: [],
      },
      { nodeId: 'park', name: 'Park', hits: 4, status: 'OK', errors: '', state: 'ok', code: null, uncoveredFields: [] },
    ],
    aggregations: {
      genus: {
        bucket_count: 3,
        bucket_count_exact: true,
        buckets: [
          { key: 'Acer', doc_count: 3, exact: true, nodes: [{ nodeId: 'city', doc_count: 1 }, { nodeId: 'park', doc_count: 2 }] },
          { key: 'Tilia', doc_count: 2, exact: true, nodes: [{ nodeId: 'city', doc_count: 1 }, { nodeId: 'park', doc_count: 1 }] },
          { key: '__missing__', doc_count: 1, exact: true, nodes: [{ nodeId: 'park', doc_count: 1 }] },
        ],
        coverage: [
          { nodeId: 'city', state: 'answered', docs: 2 },
          { nodeId: 'gone', state: 'failed', docs: null },
          { nodeId: 'park', state: 'answered', docs: 4 },
        ],
      },
      height: {
        stats: { count: 6, min: 3, max: 30, sum: 82.5, avg: 13.75 },
        histogram: { buckets: [{ key: '0', doc_count: 3 }, { key: '10', doc_count: 1 }, { key: '20', doc_count: 1 }, { key: '30', doc_count: 1 }] },
        range: { buckets: [{ key: '*-10.0', doc_count: 3 }, { key: '10.0-*', doc_count: 3 }] },
      },
      planted: {
        stats: { count: 1 },
        coverage: [
          { nodeId: 'city', state: 'notCovered' },
          { nodeId: 'gone', state: 'failed' },
          { nodeId: 'park', state: 'answered' },
        ],
      },
    },
  }); // prettier-ignore
  t.is(remote.queries.length, 1);
});

test('pages hits of all nodes by cursor, in the names and values of the network', async (t) => {
  const { ask } = await openTrees(t);
  const page = `query($after: JSON) { network(nodesFilter: ["park", "city"]) { partial hits(first: 4, sort: [{fieldName: "height", order: desc}], searchAfter: $after) {
    total edges { searchAfter nodeId node { id genus height planted } } } } }`;
  type Page = { partial: boolean; hits: { total: number; edges: { searchAfter: string; nodeId: string; node: object }[] } };
  const first = (await ask(page)).data?.network as unknown as Page;
  const after = first.hits.edges.at(-1)!.searchAfter;
  const second = (await ask(page, { after })).data?.network as unknown as Page;
  t.is(first.partial, false);
  t.is(first.hits.total, 6);
  t.deepEqual(
    [...first.hits.edges, ...second.hits.edges].map(({ nodeId, node }) => ({ nodeId, ...node })),
    [
      { nodeId: 'city', id: 'c2', genus: 'Tilia', height: 30, planted: null },
      { nodeId: 'park', id: 'p3', genus: 'Tilia', height: 21, planted: null },
      { nodeId: 'park', id: 'p1', genus: 'Acer', height: 12, planted: '2001-01-01' },
      { nodeId: 'city', id: 'c1', genus: 'Acer', height: 9.5, planted: null },
      { nodeId: 'park', id: 'p2', genus: 'Acer', height: 7, planted: null },
      { nodeId: 'park', id: 'p4', genus: null, height: 3, planted: null },
    ],
  );
  const { errors } = await ask(`query($after: JSON) { network { hits(searchAfter: $after) { edges { nodeId } } } }`, { after });
  t.regex(errors?.[0]?.message ?? '', /made for other nodes or another sort/);
}); // prettier-ignore

test('numbers and dates have a cardinality with bounds and a coverage too', async (t) => {
  const { ask, remote } = await openTrees(t);
  const { data, errors } = await ask(`{ network { aggregations {
    height { cardinality cardinality_bounds { lower upper exact } coverage { nodeId state } }
    planted { cardinality_bounds { lower upper exact } coverage { nodeId state } }
  } } }`);
  t.is(errors, undefined);
  t.deepEqual(data?.network['aggregations'], {
    height: {
      cardinality: 4,
      cardinality_bounds: { lower: 4, upper: 6, exact: false },
      coverage: [
        { nodeId: 'city', state: 'answered' },
        { nodeId: 'gone', state: 'failed' },
        { nodeId: 'park', state: 'answered' },
      ],
    },
    planted: {
      cardinality_bounds: { lower: 1, upper: 1, exact: true },
      coverage: [
        { nodeId: 'city', state: 'notCovered' },
        { nodeId: 'gone', state: 'failed' },
        { nodeId: 'park', state: 'answered' },
      ],
    },
  });
  t.is(remote.queries.length, 1);
});

test('a nodesFilter of nothing but nulls names no node, rather than all', async (t) => {
  const { ask } = await openTrees(t);
  const { data } = await ask('{ network(nodesFilter: [null]) { total partial nodes { state } } }');
  t.deepEqual(data?.network, {
    total: null,
    partial: false,
    nodes: [{ state: 'excluded' }, { state: 'excluded' }, { state: 'excluded' }],
  });
});

test('a request that many callers wait for fails once, and three of those open the circuit', async (t) => {
  const { ask, remote, opened } = await openTrees(t);
  remote.fault = (_request, response) => {
    response.destroy();
    return true;
  };
  const city = () => opened.state().nodes[1]!;
  const all = (round: number) =>
    Promise.all(
      Array.from({ length: 5 }, () => ask(`{ network { hits(first: ${round}) { edges { nodeId } } } }`)),
    );
  await all(1);
  t.like(city(), { state: 'failing', circuit: 'closed', requests: 5, failures: 5 });
  await all(2);
  t.is(city().circuit, 'closed');
  await all(3);
  t.like(city(), { state: 'circuitOpen', circuit: 'open', lastErrorCode: 'NODE_UNREACHABLE' });
  t.is(remote.queries.length, 3);
});

test('deadlines open the circuit too', async (t) => {
  const { ask, remote, opened } = await openTrees(t, { timeoutMs: 60 });
  remote.fault = () => true;
  for (let round = 1; round <= 3; round += 1) await ask('{ network { total } }');
  const { data } = await ask('{ network { nodes { nodeId state } } }');
  t.like((data?.network['nodes'] as unknown[])[0], { nodeId: 'city', state: 'circuitOpen' });
  t.like(opened.state().nodes[1], {
    state: 'circuitOpen',
    requests: 3,
    failures: 3,
    lastErrorCode: 'NODE_TIMEOUT',
  });
});

test('filters reach each node in its own names and values, and not where they cannot match', async (t) => {
  const { ask, remote } = await openTrees(t);
  const query = `query($filters: JSON) { network(filters: $filters) { nodes { nodeId hits uncoveredFields } } }`;
  const filters = { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } };
  const { data } = await ask(query, { filters });
  t.deepEqual(data?.network['nodes'], [
    { nodeId: 'city', hits: 1, uncoveredFields: [] },
    { nodeId: 'gone', hits: 0, uncoveredFields: [] },
    { nodeId: 'park', hits: 2, uncoveredFields: [] },
  ]);
  t.deepEqual(remote.queries[0]?.variables['filters'], {
    op: 'in',
    content: { fieldName: 'taxon-name', value: ['maple', 'Acer'] },
  });
  await ask(query, { filters: { op: 'in', content: { fieldName: 'planted', value: ['2001-01-01'] } } });
  t.is(remote.queries.length, 1);
});

test('max is applied after merging, and nodesFilter leaves nodes out without calling them ok', async (t) => {
  const { ask, warnings } = await openTrees(t);
  const { data } = await ask(`{ network(nodesFilter: ["park", "nowhere"]) {
    nodes { nodeId status state hits } aggregations { genus { bucket_count buckets(max: 1) { key doc_count } } } } }`);
  t.deepEqual(data?.network, {
    nodes: [
      { nodeId: 'city', status: null, state: 'excluded', hits: null },
      { nodeId: 'gone', status: null, state: 'excluded', hits: null },
      { nodeId: 'park', status: 'OK', state: 'ok', hits: 4 },
    ],
    aggregations: {
      genus: { bucket_count: 3, buckets: [{ key: 'Acer', doc_count: 2 }, { key: '__missing__', doc_count: 1 }] },
    },
  }); // prettier-ignore
  t.deepEqual(warnings, ['nodesFilter names "nowhere", which is no node of this network']);
});

test('sends the credential, and of the caller only the headers that the node may see', async (t) => {
  const city = { headers: ['X-Team'], credential: { header: 'Authorization', env: 'CITY_TOKEN' } };
  const { ask, remote } = await openTrees(t, city);
  await ask('{ network { total } }', {}, { 'x-team': 'green', cookie: 'secret' });
  const { headers } = remote.queries[0]!;
  t.is(headers['x-team'], 'green');
  t.is(headers.authorization, 'token-1');
  t.is(headers.cookie, undefined);
});

test('a required node that fails fails the query', async (t) => {
  const { ask, remote } = await openTrees(t, { required: true });
  t.is((await ask('{ network { total } }')).errors, undefined);
  remote.fault = (_request, response) => {
    response.writeHead(500).end('boom at /srv/secret.ts');
    return true;
  };
  const { data, errors } = await ask('{ network { total } }');
  t.is(data?.network ?? null, null);
  t.is(errors?.[0]?.message, 'node "city" is required and failed: answered HTTP 500');
});

test('a local catalogue that fails is an errored node, and is back when it recovers', async (t) => {
  const { ask, states, opened } = await openTrees(t);
  const up = states.get('park')!;
  states.delete('park');
  const query = '{ network { nodes { nodeId state errors hits } } }';
  const park = async () =>
    ((await ask(query)).data?.network['nodes'] as { nodeId: string }[]).find(
      ({ nodeId }) => nodeId === 'park',
    );
  t.deepEqual(await park(), {
    nodeId: 'park',
    state: 'unreachable',
    errors: 'this server has no catalogue "park"',
    hits: 0,
  });
  t.is(opened.state().nodes[0]?.state, 'unavailable');
  states.set('park', up);
  t.like(await park(), { state: 'ok', hits: 4 });
});

test('state tells what became of each node and why', async (t) => {
  const { opened } = await openTrees(t);
  const { ready, nodes } = opened.state();
  t.true(ready);
  t.deepEqual(
    nodes.map(({ nodeId, kind, state, lastError }) => ({ nodeId, kind, state, lastError })),
    [
      { nodeId: 'park', kind: 'local', state: 'ok', lastError: null },
      { nodeId: 'city', kind: 'remote', state: 'ok', lastError: null },
      { nodeId: 'gone', kind: 'remote', state: 'discoveryFailed', lastError: 'discovery failed: connection refused' },
    ],
  ); // prettier-ignore
});

test('declared fields are in the schema though no node that is up has them', async (t) => {
  const { ask } = await openTrees(t, {}, { fields: { owner: 'keyword' } });
  const { data, errors } = await ask('{ network { aggregations { owner { buckets { key } } } hits { edges { node { owner } } } } }');
  t.is(errors, undefined);
  t.deepEqual(data?.network['aggregations'], { owner: { buckets: [] } });
}); // prettier-ignore

test('a malformed filter is refused for the whole network', async (t) => {
  const { ask } = await openTrees(t);
  const filters = { op: 'in', content: { fieldName: 'genus', value: null } };
  const { data, errors } = await ask('query($filters: JSON) { network(filters: $filters) { total } }', {
    filters,
  });
  t.is(data?.network, null as never);
  t.is(errors?.length, 1);
});

test('pages and sorts that mean nothing are refused with what would be right', async (t) => {
  const { ask } = await openTrees(t);
  const message = async (hits: string): Promise<string> =>
    (await ask(`{ network { ${hits} } }`)).errors?.[0]?.message ?? 'accepted';
  t.regex(await message('hits(offset: 9999, first: 2) { total }'), /reach to 10000 at most; go on with searchAfter/);
  t.regex(await message('hits(first: -1) { total }'), /first must be 0 or more, not -1/);
  t.regex(await message('hits(sort: [{fieldName: "nope"}]) { total }'), /cannot sort by "nope"/);
  t.regex(await message('hits(sort: [{fieldName: "genus"}]) { total }'), /node "city" translates its values/);
  t.regex(await message('a: hits(first: 1) { total } b: hits(first: 2) { total }'), /one page of hits/);
  t.regex(await message('aggregations { height { histogram(interval: 0) { bucket_count } } }'), /interval must be above 0/);
  t.regex(await message('aggregations { genus { buckets(max: -1) { key } } }'), /max must be 0 or more/);
}); // prettier-ignore

test('aliases, fragments and two selections of one field each get their own answer', async (t) => {
  const { ask } = await openTrees(t);
  const { data } = await ask(`
    query { network { some: aggregations { x: genus { ...Top } } more: aggregations { x: height { narrow: histogram(interval: 20) { n: buckets { k: key } } wide: histogram(interval: 100) { buckets { key } } } } } }
    fragment Top on NetworkAggregations { one: buckets(max: 1) { key } two: buckets(max: 2) { key doc_count } }`);
  t.deepEqual(data?.network, {
    some: {
      x: {
        one: [{ key: 'Acer' }, { key: '__missing__' }],
        two: [{ key: 'Acer', doc_count: 3 }, { key: 'Tilia', doc_count: 2 }, { key: '__missing__', doc_count: 1 }],
      },
    },
    more: { x: { narrow: { n: [{ k: '0' }, { k: '20' }] }, wide: { buckets: [{ key: '0' }] } } },
  });
}); // prettier-ignore

test('the matches of a node without the field are a bucket where an existing client expects it', async (t) => {
  const { ask } = await openTrees(t, { unavailableBucket: true, fields: {}, values: {} });
  const { data } = await ask('{ network { aggregations { genus { buckets { key doc_count } } } } }');
  t.deepEqual(data?.network['aggregations'], {
    genus: {
      buckets: [
        { key: 'Acer', doc_count: 2 },
        { key: '___aggregation_not_available___', doc_count: 2 },
        { key: 'Tilia', doc_count: 1 },
        { key: '__missing__', doc_count: 1 },
      ],
    },
  });
});
