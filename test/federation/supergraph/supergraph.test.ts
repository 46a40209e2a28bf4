import type { ExecutionContext } from 'ava';
import test from 'ava';
import { buildSchema, graphql, introspectionFromSchema } from 'graphql';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import { buildSupergraph } from '../../../src/federation/supergraph/supergraph.ts';
import { networkField, networkSchema } from '../../../src/federation/schema/schema.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { contextOf, nodeView } from '../node-fixtures.ts';
import { catalogueOf, deadUrl, serveCatalogue } from '../remote-server.ts';
import { testNetwork } from '../../builders.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword', fruits: 'nested', 'fruits.colour': 'keyword' });

const openBoth = async (t: ExecutionContext, city: object = {}) => {
  const remote = await serveCatalogue('tree', fields, searchOf([{ id: 'c1', genus: 'Acer' }]));
  const catalogue = catalogueOf('tree', fields, searchOf([{ id: 'p1', genus: 'Tilia' }]));
  const network = await testNetwork(
    t,
    [
      { nodeId: 'park', catalogue },
      { nodeId: 'city-trees', remote, headers: ['x-team'], ...city },
      { nodeId: 'gone', graphqlUrl: await deadUrl(), discoveryTimeoutMs: 100 },
    ],
    { network: { documentType: 'tree' } },
  );
  const send = async (source: string, variableValues: Record<string, unknown> = {}) => {
    const contextValue = contextOf([], { 'x-team': 'green', cookie: 'secret' });
    const result = await graphql({ schema: network.schema(), source, contextValue, variableValues });
    return JSON.parse(JSON.stringify(result)) as {
      data: Record<string, unknown> | null;
      errors?: readonly { message: string }[];
    };
  };
  return { network, remote, send };
};

const trees = 'tree { __typename hits(first: 1) { total edges { node { id genus } } } }';

/** Those of every catalogue, the document type among them, and the merged field. */
const ownFields = ['node', 'viewer', 'query', 'hasValidConfig', 'tree', 'sets', 'network'];

test('each healthy node has its own schema under its id, beside the merged field', async (t) => {
  const { send, network } = await openBoth(t);
  t.deepEqual(Object.keys(network.schema().getQueryType()!.getFields()), [
    ...ownFields,
    'park',
    'city_trees',
  ]);
  const { data, errors } = await send(
    `{ park { ${trees} } city_trees { alias: ${trees} } network { total } }`,
  );
  t.is(errors, undefined);
  const tree = (prefix: string, id: string, genus: string) => ({
    __typename: `${prefix}_tree`,
    hits: { total: 1, edges: [{ node: { id, genus } }] },
  });
  t.deepEqual(data, {
    park: { tree: tree('park', 'p1', 'Tilia') },
    city_trees: { alias: tree('city_trees', 'c1', 'Acer') },
    network: { total: 2 },
  });
});

test('a node that breaks down nulls its own part only, and its words stay there', async (t) => {
  const { send, remote } = await openBoth(t);
  const seen: unknown[] = [];
  remote.fault = ({ headers }, response) => {
    seen.push(headers['x-team'], headers.cookie);
    response.end('{"data":null,"errors":[{"message":"at /srv/secret.ts:1:1"}]}');
    return true;
  };
  const { data, errors } = await send(`{ park { ${trees} } city_trees { ${trees} } }`);
  t.like(data, { park: { tree: { hits: { total: 1 } } }, city_trees: { tree: null } });
  t.deepEqual(
    errors?.map(({ message }) => message),
    ['answered with GraphQL errors'],
  );
  t.deepEqual(seen, ['green', undefined]);
});

test('one JSON variable fits the network and every node', async (t) => {
  const { send } = await openBoth(t);
  const filtered = 'tree { hits(filters: $filters) { total } }';
  const { data, errors } = await send(
    `query ($filters: JSON) { park { ${filtered} } city_trees { ${filtered} } network(filters: $filters) { total } }`,
    { filters: { op: 'and', content: [{ op: 'in', content: { fieldName: 'genus', value: ['Acer'] } }] } },
  );
  t.is(errors, undefined);
  t.deepEqual(data, {
    park: { tree: { hits: { total: 0 } } },
    city_trees: { tree: { hits: { total: 1 } } },
    network: { total: 1 },
  });
});

test('so does one variable for sorting', async (t) => {
  const { send } = await openBoth(t);
  const sorted = 'tree { hits(sort: $sort, first: 1) { edges { node { id } } } }';
  const { data, errors } = await send(
    `query ($sort: [Sort]) { park { ${sorted} } city_trees { ${sorted} } network { hits(sort: $sort) { edges { node { id } } } } }`,
    { sort: [{ fieldName: 'genus', order: 'desc', missing: 'last' }] },
  );
  t.is(errors, undefined);
  t.like(data, {
    park: { tree: { hits: { edges: [{ node: { id: 'p1' } }] } } },
    city_trees: { tree: { hits: { edges: [{ node: { id: 'c1' } }] } } },
    network: { hits: { edges: [{ node: { id: 'p1' } }, { node: { id: 'c1' } }] } },
  });
});

test('its calls count, and open the circuit of a node that is gone for both', async (t) => {
  const { send, remote, network } = await openBoth(t);
  await remote.close();
  for (let round = 0; round < 3; round += 1) await send(`{ city_trees { ${trees} } }`);
  const { data, errors } = await send(
    `{ city_trees { ${trees} } network { nodes { nodeId state } } park { ${trees} } }`,
  );
  t.like(data, {
    city_trees: { tree: null },
    park: { tree: { hits: { total: 1 } } },
    network: {
      nodes: [{ nodeId: 'city-trees', state: 'circuitOpen' }, { nodeId: 'gone' }, { nodeId: 'park' }],
    },
  });
  t.regex(errors?.[0]?.message ?? '', /not queried for now after repeated failures/);
  t.like(network.state().nodes[1], { state: 'circuitOpen', circuit: 'open', requests: 3, failures: 3 });
});

test('a node that never answers costs its deadline, in the supergraph too', async (t) => {
  const { send, remote } = await openBoth(t, { timeoutMs: 150 });
  remote.fault = () => true;
  const { data, errors } = await send(`{ city_trees { ${trees} } park { ${trees} } }`);
  t.like(data, { city_trees: { tree: null }, park: { tree: { hits: { total: 1 } } } });
  t.deepEqual(
    errors?.map(({ message }) => message),
    ['did not answer within 150 ms'],
  );
});

test('a node whose types would take the names of another has no root field; the others keep theirs', async (t) => {
  const schema = (text: string): NodeView['status'] => ({
    kind: 'up',
    fields: new Map(),
    aggregates: () => false,
    search: () => Promise.reject(new Error('not queried')),
    schema: { schema: () => buildSchema(text), execute: null },
  });
  const view = (nodeId: string, text: string): NodeView => ({
    ...nodeView(nodeId, new Map()),
    status: schema(text),
  });
  const { schema: whole, warnings } = buildSupergraph(
    networkSchema(networkField(fields, () => null)),
    [
      view('a', 'type Query { x: b_X } type b_X { y: Int }'),
      view('a_b', 'type Query { x: X } type X { y: Int }'),
      view('c', 'type Query { x: X } type X { y: Int }'),
    ],
    { displayName: 'network', key: 'own' },
  );
  t.deepEqual(Object.keys(whole.getQueryType()!.getFields()), ['network', 'a', 'c']);
  t.deepEqual(warnings, [
    'node "a_b" has no root field of its own here: its type name a_b_X is taken by another node',
  ]);
});

test('a node with a huge schema answers in the network, without its own root field', async (t) => {
  const remote = await serveCatalogue('tree', fields, searchOf([{ id: 'c1', genus: 'Acer' }]));
  const { __schema } = introspectionFromSchema(
    buildCatalogueSchema(catalogueOf('tree', fields, searchOf([]))),
  );
  const scalars = Array.from({ length: 10_000 }, (_, at) => ({ kind: 'SCALAR', name: `S${at}` }));
  const types = [...__schema.types, ...scalars];
  remote.fault = ({ query }, response) => {
    if (!query.includes('queryType')) return false;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { __schema: { ...__schema, types } } }));
    return true;
  };
  const network = await testNetwork(t, [{ nodeId: 'city', remote, documentType: 'tree' }]);
  const schema = network.schema();
  t.deepEqual(Object.keys(schema.getQueryType()!.getFields()), ownFields);
  t.deepEqual(network.state().nodes[0]!.warnings, [
    `its schema has ${types.length} types, more than 10000: it has no root field of its own here`,
  ]);
  const source = '{ network { total aggregations { genus { buckets { key } } } } }';
  const { data } = await graphql({ schema, source, contextValue: contextOf([]) });
  t.deepEqual(JSON.parse(JSON.stringify(data)), {
    network: { total: 1, aggregations: { genus: { buckets: [{ key: 'Acer' }] } } },
  });
});

test('a node with the name of a root field is part of the network without one, which is reported before the first query', async (t) => {
  const catalogue = catalogueOf('tree', fields, searchOf([{ id: 'p1', genus: 'Tilia' }]));
  const nodes = ['tree', 'sets', 'park'].map((nodeId) => ({ nodeId, catalogue }));
  const network = await testNetwork(t, nodes, { network: { documentType: 'tree' } });
  const noRootFields = [
    'node "tree" has no root field of its own here: tree is a root field of the network',
    'node "sets" has no root field of its own here: sets is a root field of the network',
  ];
  t.deepEqual(network.state().warnings, noRootFields);
  const source = '{ tree { hits { total } } park { tree { hits { total } } } }';
  const { data } = await graphql({ schema: network.schema(), source, contextValue: contextOf() });
  const expected = { tree: { hits: { total: 3 } }, park: { tree: { hits: { total: 1 } } } };
  t.deepEqual(JSON.parse(JSON.stringify(data)), expected);
  t.deepEqual(network.state().warnings, noRootFields);
});
