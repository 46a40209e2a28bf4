import type { ExecutionContext } from 'ava';
import test from 'ava';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { SearchFn } from '../../src/search/query.ts';
import type { Row } from './collection.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { serveEstablished } from './established-node.ts';
import { catalogueOf, serveCatalogue } from './remote-server.ts';
import { ask, available, testNetwork, type TestNode } from '../builders.ts';

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

const opened = async (
  t: ExecutionContext,
  nodes: readonly TestNode[],
  searches: Readonly<Record<string, SearchFn>>,
) => {
  const network = await testNetwork(t, nodes, {
    network: {},
    byId: (id) => available(catalogueOf(id, fields, searches[id]!)),
  });
  return async (source: string) => {
    type Data = { readonly network: Record<string, Record<string, unknown>> } | null;
    const { data, errors, warnings } = await ask<Data>(network, `{ network ${source} }`);
    return { data: data?.network, errors: errors?.map(({ message }) => message), warnings };
  };
};

const locals = (...ids: readonly string[]): readonly TestNode[] =>
  ids.map((nodeId) => ({ nodeId, catalogue: nodeId }));

/** A search that says of its counts whether they are exact. */
const withCounts =
  (search: SearchFn, exact: boolean): SearchFn =>
  async (query, context) => {
    const answer = await search(query, context);
    const facets = answer.facets.map((facet) =>
      facet.kind === 'cardinality' && facet.value !== null ? { ...facet, value: facet.value, exact } : facet,
    );
    return { ...answer, facets };
  };

/** Notes what a node is asked for, as fields and measures. */
const noting =
  (search: SearchFn, noted: (readonly string[])[]): SearchFn =>
  (query, context) => {
    noted.push(
      query.facets.map(({ field, measure }) =>
        measure.kind === 'terms' ? `${field} terms ${measure.max}` : `${field} ${measure.kind}`,
      ),
    );
    return search(query, context);
  };

const counted = (field: string): string =>
  `{ aggregations { ${field} { cardinality cardinality_bounds { lower upper exact } } } }`;

test('values that several nodes list count once', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 1_000)), b: searchOf(rowsOf(500, 1_500)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const { data, warnings } = await runQuery(counted('name'));
  t.deepEqual(data!['aggregations'], {
    name: { cardinality: 1_500, cardinality_bounds: { lower: 1_500, upper: 1_500, exact: true } },
  });
  t.deepEqual(warnings, []);
});

test('where a list is not whole, the number is between that of the largest node and the sum', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 2_000)), b: searchOf(rowsOf(1_500, 5_000)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const { data, warnings } = await runQuery(counted('name'));
  t.deepEqual(data!['aggregations'], {
    name: { cardinality: null, cardinality_bounds: { lower: 3_500, upper: 5_500, exact: false } },
  });
  t.deepEqual(warnings, ['the cardinality of "name" has bounds only: its nodes may share values']);
});

test('the number of the only node with values is exact, however many they are', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 5_000)), b: searchOf([]) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  for (const field of ['name', 'size']) {
    const { data, warnings } = await runQuery(counted(field));
    t.deepEqual(data!['aggregations'], {
      [field]: { cardinality: 5_000, cardinality_bounds: { lower: 5_000, upper: 5_000, exact: true } },
    });
    t.deepEqual(warnings, []);
  }
});

test('a list that is requested too is made long enough to count its values', async (t) => {
  const [a, b]: (readonly string[])[][] = [[], []];
  const searches = {
    a: noting(searchOf(rowsOf(0, 900)), a!),
    b: noting(searchOf(rowsOf(300, 1_200)), b!),
  };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const list = 'buckets(max: 2) { key doc_count upper_bound } bucket_count bucket_count_exact';
  const { data } = await runQuery(`{ aggregations { name { ${list} cardinality } } }`);
  t.like(data!['aggregations']!['name'], {
    bucket_count: 1_200,
    bucket_count_exact: true,
    cardinality: 1_200,
  });
  t.is((data!['aggregations']!['name'] as { buckets: unknown[] }).buckets.length, 2);
  await runQuery(counted('name'));
  await runQuery(counted('weight'));
  t.deepEqual(a, [
    ['name terms 1510', 'name cardinality'],
    ['name cardinality', 'name terms 1510'],
    ['weight cardinality'],
  ]);
  t.deepEqual(b, a);
});

test('a number of values of which none is shown is as exact as without the other', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 2_000)), b: searchOf(rowsOf(1_500, 5_000)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const { data } = await runQuery(
    '{ aggregations { name { bucket_count bucket_count_exact cardinality } } }',
  );
  t.deepEqual(data!['aggregations'], {
    name: { bucket_count: 5_000, bucket_count_exact: true, cardinality: 5_000 },
  });
});

test('a list with more than counts stays as short as it was requested', async (t) => {
  const requested: (readonly string[])[] = [];
  const searches = { a: noting(searchOf(rowsOf(0, 900)), requested), b: searchOf(rowsOf(300, 1_200)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  const { data } = await runQuery(
    '{ aggregations { name { buckets(max: 2) { key top_hits } cardinality cardinality_bounds { lower upper } } } }',
  );
  t.deepEqual(requested, [['name terms 13', 'name cardinality']]);
  t.like(data!['aggregations']!['name'], {
    cardinality: null,
    cardinality_bounds: { lower: 900, upper: 1_800 },
  });
});

test('numbers and dates that several nodes have are bounded only, and the answer says so', async (t) => {
  const searches = { a: searchOf(rowsOf(0, 30)), b: searchOf(rowsOf(20, 60)) };
  const runQuery = await opened(t, locals('a', 'b'), searches);
  for (const field of ['size', 'weight']) {
    const { data, warnings } = await runQuery(counted(field));
    t.deepEqual(data!['aggregations'], {
      [field]: { cardinality: null, cardinality_bounds: { lower: 40, upper: 70, exact: false } },
    });
    t.deepEqual(warnings, [`the cardinality of "${field}" has bounds only: its nodes may share values`]);
  }
});

test('a node that counts a field and cannot list it leaves bounds', async (t) => {
  const failing: SearchFn = async (query, context) => {
    const answer = await searchOf(rowsOf(0, 30))(query, context);
    const error = new TributaryError('BAD_USER_INPUT', 'too many values');
    const facets = answer.facets.map((facet) =>
      facet.kind === 'terms' ? ({ kind: 'failed', error } as const) : facet,
    );
    return { ...answer, facets };
  };
  const runQuery = await opened(t, locals('a', 'b'), { a: failing, b: searchOf(rowsOf(20, 60)) });
  const { data } = await runQuery(counted('name'));
  t.deepEqual(data!['aggregations'], {
    name: { cardinality: null, cardinality_bounds: { lower: 40, upper: 70, exact: false } },
  });
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

test('a remote node is queried for the list of its values, which are counted as the network shows them', async (t) => {
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
  t.regex(remote.queries[0]!.query, /buckets\(max: 1510\) \{ key doc_count upper_bound \}/);
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
    weight: { cardinality: 60, cardinality_bounds: { lower: 59, upper: 61, exact: false } },
  });
});

test('the bounds of a network that is a node are its bounds here', async (t) => {
  const bounded: SearchFn = async (query, context) => {
    const answer = await searchOf(rowsOf(0, 60))(query, context);
    const facets = answer.facets.map((facet) =>
      facet.kind === 'cardinality'
        ? ({ kind: 'cardinality', value: null, exact: false, bounds: { lower: 40, upper: 70 } } as const)
        : facet,
    );
    return { ...answer, facets };
  };
  const remote = await serveCatalogue('stone', fields, bounded);
  t.teardown(remote.close);
  const nodes = [
    { nodeId: 'b', graphqlUrl: remote.url, documentType: 'stone' },
    { nodeId: 'a', catalogue: 'a' },
  ];
  const runQuery = await opened(t, nodes, { a: searchOf(rowsOf(0, 30)) });
  const { data } = await runQuery(counted('weight'));
  t.deepEqual(data!['aggregations'], {
    weight: { cardinality: null, cardinality_bounds: { lower: 40, upper: 100, exact: false } },
  });
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
    name: { cardinality: null, cardinality_bounds: { lower: 3_960, upper: 5_040, exact: false } },
  });
  t.true(warnings.includes('the cardinality of "name" has bounds only: its nodes may share values'));
});
