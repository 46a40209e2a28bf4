import type { ExecutionContext } from 'ava';
import test from 'ava';
import { graphql, print } from 'graphql';
import { openNetwork } from '../../src/federation/network.ts';
import { readNetworkJson } from '../../src/federation/config/network-json.ts';
import type { NodeConfig } from '../../src/federation/config/nodes.ts';
import type { CatalogueState } from '../../src/search/catalogue.ts';
import type { EstablishedAnswers } from './established-node.ts';
import { serveEstablished } from './established-node.ts';
import { refuse } from './established/limits.ts';
import { contextOf } from './node-fixtures.ts';
import { available, testCatalogue } from '../builders.ts';

// our network in front of an established server, as a network.json of the established form names it

const properties = {
  id: { type: 'keyword' },
  painter: { properties: { full_name: { type: 'keyword' } } },
  'is-listed': { type: 'boolean' },
  height_m: { type: 'double' },
  painted_on: { type: 'date' },
  layers: { type: 'nested', properties: { pigment: { type: 'keyword' } } },
};

const ownDocuments = [
  {
    id: 'w1',
    painter: { full_name: 'Ana Rue' },
    'is-listed': true,
    height_m: 4,
    painted_on: '2001-05-01',
    layers: [{ pigment: 'ochre' }],
  },
  { id: 'w2', height_m: 2.5, layers: [{ pigment: 'ochre' }, { pigment: 'umber' }] },
];

const localState = async (): Promise<CatalogueState> =>
  available(await testCatalogue({ documentType: 'mural', properties, documents: ownDocuments }));

/** With time enough on a busy machine. */
const patient = (node: NodeConfig): NodeConfig => {
  const { source } = node;
  const waits = source.kind === 'remote' ? { ...source, discoveryTimeoutMs: 60_000 } : source;
  return { ...node, timeoutMs: 60_000, source: waits };
};

const openMurals = async (t: ExecutionContext, answers: EstablishedAnswers) => {
  const remote = await serveEstablished(answers);
  const file = {
    network: {
      localNode: { displayName: 'Old town', nodeId: 'old-town' },
      remoteNodes: [
        { displayName: 'Harbour', documentType: 'mural', graphqlUrl: remote.url, nodeId: 'harbour' },
      ],
      remoteRequests: { headers: ['X-Api-Key'] },
    },
  };
  const state = await localState();
  const config = readNetworkJson(file, 'network.json', 'murals');
  const network = openNetwork({ ...config, nodes: config.nodes.map(patient) }, () => state);
  t.teardown(async () => {
    await network.close();
    await remote.close();
  });
  await network.ready;
  const warnings: string[] = [];
  const runQuery = async (source: string, variableValues: Record<string, unknown> = {}) => {
    const contextValue = contextOf(warnings, { 'x-api-key': 'k-7', cookie: 'secret' });
    const result = await graphql({ schema: network.schema(), source, variableValues, contextValue });
    t.deepEqual(result.errors, undefined);
    return (JSON.parse(JSON.stringify(result.data)) as { network: Record<string, unknown> }).network;
  };
  return { network, remote, runQuery, warnings };
};

/** Its answers over three murals; `__missing__` stands among the buckets, numbers are floats. */
const aggregations = () => ({
  painter__full_name: {
    bucket_count: 3,
    buckets: () => [
      { key: 'Ana Rue', doc_count: 1 },
      { key: 'Ben Ost', doc_count: 1 },
      { key: '__missing__', doc_count: 1 },
    ],
    cardinality: () => 2,
  },
  is_listed: {
    bucket_count: 2,
    buckets: () => [
      { key: '1', key_as_string: 'true', doc_count: 2 },
      { key: '__missing__', key_as_string: null, doc_count: 1 },
    ],
    cardinality: () => 1,
  },
  layers__pigment: { bucket_count: 1, buckets: () => [{ key: 'umber', doc_count: 2 }], cardinality: () => 1 },
  height_m: {
    stats: { min: 1, max: 10, avg: 5, sum: 15, count: 3 },
    histogram: () => ({
      bucket_count: null,
      buckets: () => [
        { key: '0.0', doc_count: 2 },
        { key: '10.0', doc_count: 1 },
      ],
    }),
    range: () => ({
      buckets: () => [
        { key: 'low', doc_count: 1 },
        { key: 'high', doc_count: 2 },
      ],
    }),
  },
});

const murals = [
  {
    searchAfter: [1, 'm2'],
    node: { id: 'm2', height_m: 1, is_listed: true, painted_on: null, painter: null },
  },
  {
    searchAfter: [4, 'm1'],
    node: {
      id: 'm1',
      height_m: 4,
      is_listed: true,
      painted_on: '2001-05-01',
      painter: { full_name: 'Ana Rue' },
    },
  },
  {
    searchAfter: [10, 'm3'],
    node: { id: 'm3', height_m: 10, is_listed: null, painted_on: null, painter: { full_name: 'Ben Ost' } },
  },
];

test('its facets of all kinds are merged with ours, and what it approximates is never called exact', async (t) => {
  const { runQuery, remote } = await openMurals(t, { hits: () => ({ total: 3 }), aggregations });
  const filters = { op: 'in', content: { fieldName: 'is-listed', value: [true, '__missing__'] } };
  const network = await runQuery(
    `query($filters: JSON) { network(filters: $filters, aggregations_filter_themselves: false) {
      total partial nodes { nodeId name hits status errors state }
      aggregations {
        painter__full_name { bucket_count buckets { key doc_count } cardinality cardinality_bounds { lower upper exact } }
        is_listed { buckets { key key_as_string doc_count } cardinality_bounds { exact } }
        height_m { stats { min max avg sum count } histogram(interval: 5) { buckets { key doc_count } }
          range(ranges: [{ to: 3, key: "low" }, { from: 3, key: "high" }]) { buckets { key doc_count } } }
      }
    } }`,
    { filters },
  );
  t.deepEqual(network, {
    total: 5,
    partial: false,
    nodes: [
      { nodeId: 'harbour', name: 'Harbour', hits: 3, status: 'OK', errors: '', state: 'ok' },
      { nodeId: 'old-town', name: 'Old town', hits: 2, status: 'OK', errors: '', state: 'ok' },
    ],
    aggregations: {
      painter__full_name: {
        bucket_count: 3,
        buckets: [
          { key: 'Ana Rue', doc_count: 2 },
          { key: 'Ben Ost', doc_count: 1 },
          { key: '__missing__', doc_count: 2 },
        ],
        cardinality: 2,
        cardinality_bounds: { lower: 2, upper: 2, exact: true },
      },
      is_listed: {
        buckets: [
          { key: '1', key_as_string: 'true', doc_count: 3 },
          { key: '__missing__', key_as_string: null, doc_count: 2 },
        ],
        cardinality_bounds: { exact: true },
      },
      height_m: {
        stats: { min: 1, max: 10, avg: 4.3, sum: 21.5, count: 5 },
        histogram: {
          buckets: [
            { key: '0', doc_count: 4 },
            { key: '5', doc_count: 0 },
            { key: '10', doc_count: 1 },
          ],
        },
        range: {
          buckets: [
            { key: 'low', doc_count: 2 },
            { key: 'high', doc_count: 3 },
          ],
        },
      },
    },
  });
  t.is(remote.queries.length, 1, 'one request');
  const [{ variables, headers }] = remote.queries as [(typeof remote.queries)[number]];
  t.deepEqual(variables['filters'], {
    op: 'and',
    content: [{ op: 'in', content: { fieldName: 'is-listed', value: [true, '__missing__'] } }],
  });
  t.is(headers['x-api-key'], 'k-7');
  t.is(headers.cookie, undefined);
});

const page = `query($after: JSON) { network { hits(first: 3, sort: [{ fieldName: "height_m" }], searchAfter: $after) {
  total edges { nodeId searchAfter node { id height_m is_listed painted_on painter__full_name layers__pigment } } } } }`;

interface Hits {
  readonly total: number;
  readonly edges: readonly {
    readonly nodeId: string;
    readonly searchAfter: unknown;
    readonly node: object;
  }[];
}

test('its hits stand among ours and are paged by cursor; what it cannot give is null, with the cure', async (t) => {
  const { runQuery, remote, warnings } = await openMurals(t, {
    hits: ({ searchAfter, first }) => {
      const after = searchAfter as readonly [number] | null;
      const rest = murals.filter(({ searchAfter: [height] }) => !after || (height as number) > after[0]);
      return { total: 3, edges: rest.slice(0, first as number) };
    },
  });
  const first = (await runQuery(page))['hits'] as Hits;
  const second = (await runQuery(page, { after: first.edges.at(-1)!.searchAfter }))['hits'] as Hits;
  t.is(first.total, 5);
  t.deepEqual(
    [...first.edges, ...second.edges].map(({ nodeId, node }) => ({ nodeId, ...node })),
    [
      {
        nodeId: 'harbour',
        id: 'm2',
        height_m: 1,
        is_listed: true,
        painted_on: null,
        painter__full_name: null,
        layers__pigment: null,
      },
      {
        nodeId: 'old-town',
        id: 'w2',
        height_m: 2.5,
        is_listed: null,
        painted_on: null,
        painter__full_name: null,
        layers__pigment: ['ochre', 'umber'],
      },
      {
        nodeId: 'harbour',
        id: 'm1',
        height_m: 4,
        is_listed: true,
        painted_on: '2001-05-01',
        painter__full_name: 'Ana Rue',
        layers__pigment: null,
      },
      {
        nodeId: 'old-town',
        id: 'w1',
        height_m: 4,
        is_listed: true,
        painted_on: '2001-05-01',
        painter__full_name: 'Ana Rue',
        layers__pigment: ['ochre'],
      },
      {
        nodeId: 'harbour',
        id: 'm3',
        height_m: 10,
        is_listed: null,
        painted_on: null,
        painter__full_name: 'Ben Ost',
        layers__pigment: null,
      },
    ],
  );
  t.deepEqual(remote.queries[0]?.variables['sort'], [
    { fieldName: 'height_m', order: 'asc', missing: 'first' },
    { fieldName: '_id', order: 'asc' },
  ]);
  t.true(warnings.some((warning) => /^node "harbour": "layers\.pigment" is null: .*_source/.test(warning)));
});

const nodesQuery = `{ network { total partial nodes { nodeId hits state code errors }
  aggregations { painter__full_name { buckets { key } coverage { nodeId state } } } } }`;

test('null for a total that must not be null costs its part only', async (t) => {
  const { runQuery } = await openMurals(t, { hits: () => ({ total: null }), aggregations });
  const network = await runQuery(nodesQuery);
  t.deepEqual(network, {
    total: 2,
    partial: true,
    nodes: [
      {
        nodeId: 'harbour',
        hits: 0,
        state: 'badResponse',
        code: 'NODE_BAD_RESPONSE',
        errors: 'answered with GraphQL errors',
      },
      { nodeId: 'old-town', hits: 2, state: 'ok', code: null, errors: '' },
    ],
    aggregations: {
      painter__full_name: {
        buckets: [{ key: 'Ana Rue' }, { key: '__missing__' }],
        coverage: [
          { nodeId: 'harbour', state: 'failed' },
          { nodeId: 'old-town', state: 'answered' },
        ],
      },
    },
  });
});

test('a facet that its engine cannot compute is not covered there, and left out of later queries', async (t) => {
  const { runQuery, remote } = await openMurals(t, {
    hits: () => ({ total: 3 }),
    aggregations: (_args, _context, { fieldNodes }) => {
      if (fieldNodes.some((node) => print(node).includes('painter__full_name')))
        throw new Error('fielddata is disabled on painter.full_name');
      return aggregations();
    },
  });
  const both = `{ network { total partial nodes { nodeId hits state errors uncoveredFields }
    aggregations { painter__full_name { buckets { key } coverage { nodeId state reason } }
      is_listed { bucket_count coverage { nodeId state reason } } } } }`;
  const network = await runQuery(both);
  t.like(network, {
    total: 5,
    partial: false,
    nodes: [
      { nodeId: 'harbour', hits: 3, state: 'ok', errors: '', uncoveredFields: ['painter.full_name'] },
      { nodeId: 'old-town', hits: 2, state: 'ok', errors: '', uncoveredFields: [] },
    ],
  });
  const reason = 'its search server does not compute this facet';
  t.like(network['aggregations'], {
    painter__full_name: {
      coverage: [
        { nodeId: 'harbour', state: 'notCovered', reason },
        { nodeId: 'old-town', state: 'answered', reason: null },
      ],
    },
    is_listed: { coverage: [{ nodeId: 'harbour', state: 'answered' }, { nodeId: 'old-town' }] },
  });
  const before = remote.queries.length;
  t.deepEqual(await runQuery(both), network);
  t.is(remote.queries.length, before + 1);
});

test('its refusal with HTTP 400 is a refusal', async (t) => {
  const { runQuery, remote } = await openMurals(t, {});
  remote.fault = (_request, response) => {
    refuse(response, 'Cannot query field "nope" on type "muralAggregations".');
    return true;
  };
  const nodes = (await runQuery(nodesQuery))['nodes'] as readonly object[];
  t.deepEqual(nodes[0], {
    nodeId: 'harbour',
    hits: 0,
    state: 'refused',
    code: 'NODE_REFUSED',
    errors:
      'answered with GraphQL errors (GRAPHQL_VALIDATION_FAILED); its schema or limits may have changed since discovery: it is discovered again within a minute',
  });
});
