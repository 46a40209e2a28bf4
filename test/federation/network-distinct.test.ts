import type { ExecutionContext } from 'ava';
import test from 'ava';
import { FilterObjectFields, wrapSchema } from '@graphql-tools/wrap';
import { graphql } from 'graphql';
import { openNetwork } from '../../src/federation/network.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { TributaryError } from '../../src/errors/errors.ts';
import type { Row } from './collection.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { contextOf } from './node-fixtures.ts';
import { serveEstablished } from './established-node.ts';
import { catalogueOf, serveCatalogue, serveSchema } from './remote-server.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';

const types = { id: 'keyword', name: 'keyword', size: 'long', weight: 'double', at: 'date' };
const fields = fieldsOf(types);

const rowsOf = (from: number, to: number): readonly Row[] =>
  Array.from({ length: to - from }, (_, at) => ({
    id: `r${from + at}`,
    name: `n${from + at}`,
    size: from + at,
    weight: (from + at) / 8,
    at: `${2000 + (at % 20)}`,
  }));

interface Node {
  readonly nodeId: string;
  readonly [key: string]: unknown;
}

const opened = async (
  t: ExecutionContext,
  nodes: readonly Node[],
  searches: Readonly<Record<string, SearchFn>>,
) => {
  const defaults = { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 };
  const network = openNetwork(readNodes({ network: {}, defaults, nodes }, 'nodes.json'), (id) => {
    const catalogue = catalogueOf(id, fields, searches[id]!);
    return { status: 'available', config: catalogue.config, catalogue };
  });
  t.teardown(() => network.close());
  await network.ready;
  return async (source: string) => {
    const warnings: string[] = [];
    const { data, errors } = await graphql({
      schema: network.ownSchema(),
      source: `{ network ${source} }`,
      contextValue: contextOf(warnings),
    });
    const found = JSON.parse(JSON.stringify(data?.['network'] ?? null)) as Record<
      string,
      Record<string, unknown>
    > | null;
    return { data: found, errors: errors?.map(({ message }) => message), warnings };
  };
};

const locals = (...ids: readonly string[]): readonly Node[] =>
  ids.map((nodeId) => ({ nodeId, catalogue: nodeId }));

/** A search that says of its counts whether they are exact. */
const withCounts =
  (search: SearchFn, exact: boolean): SearchFn =>
  async (query, context) => {
    const answer = await search(query, context);
    const facets = answer.facets.map((facet) => (facet.kind === 'cardinality' ? { ...facet, exact } : facet));
    return { ...answer, facets };
  };

const counted = (field: string): string =>
  `{ aggregations { ${field} { cardinality cardinality_bounds { lower upper exact } } } }`;

test('values that several nodes have count once, however many they are', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 3_000)), b: searchOf(rowsOf(1_000, 6_000)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  for (const field of ['name', 'size']) {
    const { data, warnings } = await runQuery(counted(field));
    t.deepEqual(data!['aggregations'], {
      [field]: { cardinality: 6_000, cardinality_bounds: { lower: 6_000, upper: 6_000, exact: true } },
    });
    t.deepEqual(warnings, []);
  }
});

test('beyond 8 192 values the number is an estimate, and its bounds say how good a one', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 20_000)), b: searchOf(rowsOf(10_000, 30_000)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const { data, warnings } = await runQuery(counted('name'));
  const found = data!['aggregations']!['name'] as {
    cardinality: number;
    cardinality_bounds: { lower: number; upper: number; exact: boolean };
  };
  const { lower, upper, exact } = found.cardinality_bounds;
  t.false(exact);
  t.true(20_000 <= lower && lower < found.cardinality && found.cardinality < upper && upper <= 40_000);
  t.true(lower < 30_000 && 30_000 < upper && upper - lower < 6_000, JSON.stringify(found));
  t.deepEqual(warnings, []);
});

test('a node that can give samples is not queried for a list of its values', async (t) => {
  const requested: (readonly string[])[] = [];
  const seen =
    (search: SearchFn): SearchFn =>
    (query, context) => {
      requested.push(query.facets.map(({ field, measure }) => `${field} ${measure.kind}`));
      return search(query, context);
    };
  const runQuery = await opened(t, locals('a'), { a: seen(searchOf(rowsOf(0, 30))) });
  await runQuery(counted('name'));
  await runQuery(counted('weight'));
  t.deepEqual(requested, [['name cardinality', 'name distinct_sample'], ['weight cardinality']]);
});

test('dates and fractions have bounds only, and the answer says so', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 30)), b: searchOf(rowsOf(20, 60)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const { data, warnings } = await runQuery(counted('weight'));
  t.deepEqual(data!['aggregations'], {
    weight: { cardinality: null, cardinality_bounds: { lower: 40, upper: 70, exact: false } },
  });
  t.deepEqual(warnings, [
    'the cardinality of "weight" has bounds only: nodes "a", "b" give no sample of their values',
  ]);
});

test('values are counted as the network shows them', async (t) => {
  const nodes = [
    { nodeId: 'a', catalogue: 'a', values: { name: { n1: 'one', n2: 'one', 'n"3': 'n7' } } },
    { nodeId: 'b', catalogue: 'b' },
  ];
  const b: readonly Row[] = ['one', 'n4'].map((name) => ({ id: name, name }));
  const a: readonly Row[] = ['n1', 'n2', 'n"3', 'n4', 'n5'].map((name) => ({ id: name, name }));
  const runQuery = await opened(t, nodes, { a: searchOf(a), b: searchOf(b) });
  const { data } = await runQuery(counted('name'));
  t.deepEqual(data!['aggregations'], {
    name: { cardinality: 4, cardinality_bounds: { lower: 4, upper: 4, exact: true } },
  });
});

test('a remote node is queried by name for a sample, in the values of the network', async (t) => {
  const remote = await serveCatalogue('stone', fields, searchOf(rowsOf(500, 1_500)));
  t.teardown(remote.close);
  const values = { name: { n500: 'n1', n501: 'Côlon "x"' } };
  const nodes = [
    { nodeId: 'a', catalogue: 'a' },
    { nodeId: 'b', graphqlUrl: remote.url, documentType: 'stone', values },
  ];
  const runQuery = await opened(t, nodes, { a: searchOf(rowsOf(0, 1_000)) });
  const { data, warnings } = await runQuery(counted('name'));
  // n500 is n1 there, which is known; n501 is new; both are at the other node too
  t.deepEqual(data!['aggregations'], {
    name: { cardinality: 1_501, cardinality_bounds: { lower: 1_501, upper: 1_501, exact: true } },
  });
  t.deepEqual(warnings, []);
  const [requested] = /distinct_sample[^}]*/.exec(remote.queries[0]!.query)!;
  t.is(requested.trim(), 'distinct_sample(values: [["n500","n1"],["n501","Côlon \\"x\\""]])');
  t.false(remote.queries[0]!.query.includes('buckets'));
});

test("a remote node's own number of fractions and dates stays exact", async (t) => {
  const exactly = withCounts(searchOf(rowsOf(0, 60)), true);
  const remote = await serveCatalogue('stone', fields, exactly);
  t.teardown(remote.close);
  const node = { nodeId: 'b', graphqlUrl: remote.url, documentType: 'stone' };
  const runQuery = await opened(t, [node], {});
  for (const [field, cardinality] of [
    ['weight', 60],
    ['at', 20],
  ] as const) {
    const { data, warnings } = await runQuery(counted(field));
    const bounds = { lower: cardinality, upper: cardinality, exact: true };
    t.deepEqual(data!['aggregations'], { [field]: { cardinality, cardinality_bounds: bounds } });
    t.deepEqual(warnings, []);
  }
  const numbers = await runQuery('{ aggregations { weight { cardinality } } }');
  t.deepEqual(numbers.data!['aggregations'], { weight: { cardinality: 60 } });
  const both = await opened(t, [node, { nodeId: 'a', catalogue: 'a' }], {
    a: withCounts(searchOf([]), true),
  });
  const { data } = await both(counted('weight'));
  const bounds = { lower: 60, upper: 60, exact: true };
  t.deepEqual(data!['aggregations'], { weight: { cardinality: 60, cardinality_bounds: bounds } });
});

test("a remote node's number that is not exact there is not exact here", async (t) => {
  const remote = await serveCatalogue('stone', fields, withCounts(searchOf(rowsOf(0, 60)), false));
  t.teardown(remote.close);
  const runQuery = await opened(t, [{ nodeId: 'b', graphqlUrl: remote.url, documentType: 'stone' }], {});
  const { data } = await runQuery(counted('weight'));
  t.deepEqual(data!['aggregations'], {
    weight: { cardinality: 60, cardinality_bounds: { lower: 60, upper: 60, exact: false } },
  });
});

test('an older node without samples is queried for its list, which serves as one', async (t) => {
  const schema = wrapSchema({
    schema: buildCatalogueSchema(catalogueOf('stone', fields, searchOf(rowsOf(500, 1_200)))),
    transforms: [new FilterObjectFields((_type, name) => name !== 'distinct_sample')],
  });
  const remote = await serveSchema(schema);
  t.teardown(remote.close);
  const nodes = [
    { nodeId: 'a', catalogue: 'a' },
    { nodeId: 'b', graphqlUrl: remote.url, documentType: 'stone' },
  ];
  const runQuery = await opened(t, nodes, { a: searchOf(rowsOf(0, 1_000)) });
  const whole = await runQuery(counted('name'));
  t.deepEqual(whole.data!['aggregations'], {
    name: { cardinality: 1_200, cardinality_bounds: { lower: 1_200, upper: 1_200, exact: true } },
  });
  const numbers = await runQuery(counted('size'));
  t.deepEqual(numbers.data!['aggregations'], {
    size: { cardinality: null, cardinality_bounds: { lower: 1_000, upper: 1_700, exact: false } },
  });
  t.deepEqual(numbers.warnings, [
    'the cardinality of "size" has bounds only: node "b" gives no sample of its values',
  ]);
  const overlap = await runQuery('{ overlap(fieldName: "name") { nodes nodesWithoutSample pairs { a } } }');
  t.deepEqual(overlap.data!['overlap'], { nodes: ['a'], nodesWithoutSample: ['b'], pairs: [] });
});

test('a node whose list was cut leaves bounds', async (t) => {
  const established = await serveEstablished({
    aggregations: () => ({
      painter__full_name: {
        buckets: Array.from({ length: 1_510 }, (_, at) => ({ key: `n${at}`, doc_count: 1 })),
        cardinality: 4_000,
      },
    }),
  });
  t.teardown(established.close);
  const fieldNames = { name: 'painter.full_name' };
  const nodes = [
    { nodeId: 'a', catalogue: 'a' },
    { nodeId: 'b', graphqlUrl: established.url, documentType: 'mural', fields: fieldNames },
  ];
  const runQuery = await opened(t, nodes, { a: searchOf(rowsOf(0, 1_000)) });
  const { data, warnings } = await runQuery(counted('name'));
  t.deepEqual(data!['aggregations'], {
    name: { cardinality: null, cardinality_bounds: { lower: 4_000, upper: 5_000, exact: false } },
  });
  t.true(
    warnings.includes('the cardinality of "name" has bounds only: node "b" gives no sample of its values'),
  );
});

test('overlaps are of the documents that match', async (t) => {
  const searches = {
    a: searchOf(rowsOf(0, 300)),
    b: searchOf(rowsOf(100, 400)),
    c: searchOf(rowsOf(900, 950)),
  };
  const runQuery = await opened(t, locals('a', 'b', 'c'), searches);
  const overlap =
    'overlap(fieldName: "name") { nodes nodesWithoutSample pairs { a b both { lower estimate upper } } }';
  const { data, warnings } = await runQuery(
    `{ ${overlap} numbers: overlap(fieldName: "size") { pairs { a b both { estimate } } } }`,
  );
  const none = { lower: null, estimate: null, upper: 0 };
  t.deepEqual(data!['overlap'], {
    nodes: ['a', 'b', 'c'],
    nodesWithoutSample: [],
    pairs: [
      { a: 'a', b: 'b', both: { lower: 200, estimate: 200, upper: 200 } },
      { a: 'a', b: 'c', both: none },
      { a: 'b', b: 'c', both: none },
    ],
  });
  t.deepEqual((data!['numbers']!['pairs'] as readonly object[])[0], {
    a: 'a',
    b: 'b',
    both: { estimate: 200 },
  });
  t.deepEqual(warnings, []);
  const names = JSON.stringify(rowsOf(150, 170).map(({ name }) => name));
  const filtered = await runQuery(
    `(filters: {op: "in", content: {fieldName: "id", value: ${names.replaceAll('n', 'r')}}}, nodesFilter: ["a", "b"]) { ${overlap} }`,
  );
  t.deepEqual(filtered.data!['overlap'], {
    nodes: ['a', 'b'],
    nodesWithoutSample: [],
    pairs: [{ a: 'a', b: 'b', both: { lower: 20, estimate: 20, upper: 20 } }],
  });
});

test('a node that does not answer is in no overlap', async (t) => {
  const searches = {
    a: searchOf(rowsOf(0, 300)),
    b: () => Promise.reject(new TributaryError('ENGINE_UNAVAILABLE', 'down')),
  };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const { data } = await runQuery(
    '{ partial overlap(fieldName: "name") { nodes nodesWithoutSample pairs { a } } }',
  );
  t.deepEqual(data!['overlap'], { nodes: ['a'], nodesWithoutSample: [], pairs: [] });
});

for (const [fieldName, message] of Object.entries({
  nowhere: 'overlap names the unknown field nowhere',
  at: 'field at of type date has no overlap; use a keyword or an integer field',
  weight: 'field weight of type double has no overlap; use a keyword or an integer field',
}))
  test(`an overlap that nobody can tell is refused: ${fieldName}`, async (t) => {
    const runQuery = await opened(t, locals('a'), { a: searchOf(rowsOf(0, 3)) });
    const { errors } = await runQuery(`{ overlap(fieldName: "${fieldName}") { nodes } }`);
    t.deepEqual(errors, [message]);
  });

test('samples of a network are a sample themselves', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 30)), b: searchOf(rowsOf(20, 60)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const one = await opened(t, locals('a'), { a: searchOf(rowsOf(0, 60)) });
  const source = '{ aggregations { name { distinct_sample } } }';
  const [of, whole] = await Promise.all([runQuery(source), one(source)]);
  t.deepEqual(of.data, whole.data);
});
