import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { CatalogueQuery, FacetMeasure, SearchFn } from '../../src/search/query.ts';
import { fieldsOf, searchOf, type Row } from './collection.ts';
import { catalogueOf, serveCatalogue } from './remote-server.ts';
import { ask, available, testNetwork, type TestNode } from '../builders.ts';

// what nodes are asked a second time so that the counts shown are exact, and what is shown where they do not answer

const fields = fieldsOf({ id: 'keyword', genus: 'keyword', soil: 'keyword', open: 'boolean' });

/** As many records of each genus, all of the same soil. */
const rowsOf = (prefix: string, counts: Readonly<Record<string, number>>): readonly Row[] =>
  Object.entries(counts).flatMap(([genus, count]) =>
    Array.from({ length: count }, (_, at) => ({ id: `${prefix}-${genus}-${at}`, genus, soil: 'clay' })),
  );

/** Many genera with two records each, none of them among the others. */
const common = (prefix: string, count = 20): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 2]));

const opened = async (
  t: ExecutionContext,
  nodes: readonly TestNode[],
  searches: Readonly<Record<string, SearchFn>>,
) => {
  const network = await testNetwork(t, nodes, {
    network: {},
    byId: (id) => available(catalogueOf(id, fields, searches[id]!)),
  });
  return async (source: string, variables: Record<string, unknown> = {}) => {
    const query = `query($filters: JSON) { network(filters: $filters) ${source} }`;
    const { data, errors, warnings } = await ask<{ network: Record<string, never> }>(
      network,
      query,
      variables,
    );
    if (errors) throw new Error(errors[0]!.message);
    return { network: data.network, warnings };
  };
};

const measureText = (field: string, measure: FacetMeasure): string => {
  if (measure.kind === 'terms') return `${field} ${measure.max}`;
  if (measure.kind !== 'groups') return `${field} ${measure.kind}`;
  return `${field} ${measure.sets.map(({ key, values }) => `${key}=${values?.join('|')}`).join(' ')}`;
};

/** Notes what a node is asked for. */
const noting =
  (search: SearchFn, noted: (readonly string[])[]): SearchFn =>
  (query, context) => {
    noted.push(query.facets.map(({ field, measure }) => measureText(field, measure)));
    return search(query, context);
  };

const locals = (...ids: readonly string[]): readonly TestNode[] =>
  ids.map((nodeId) => ({ nodeId, catalogue: nodeId }));

const genus = (max: number): string =>
  `{ aggregations { genus { buckets(max: ${max}) { key doc_count upper_bound exact nodes { nodeId doc_count } } } } }`;

test('nodes that cut their lists are asked for the values shown that they did not list, and no others', async (t) => {
  const [north, south, west]: (readonly string[])[][] = [[], [], []];
  const searches = {
    north: noting(searchOf(rowsOf('n', { Acer: 9, Tilia: 8, ...common('n') })), north!),
    south: noting(searchOf(rowsOf('s', { Tilia: 4, Acer: 1, ...common('s') })), south!),
    west: noting(searchOf(rowsOf('w', { Acer: 1 })), west!),
  };
  const runQuery = await opened(t, locals('north', 'south', 'west'), searches);
  const { network, warnings } = await runQuery(genus(2));
  t.deepEqual(network['aggregations'], {
    genus: {
      buckets: [
        // below the cut of the south
        {
          ...{ key: 'Tilia', doc_count: 12, upper_bound: 12, exact: true },
          nodes: [
            { nodeId: 'north', doc_count: 8 },
            { nodeId: 'south', doc_count: 4 },
          ],
        },
        {
          ...{ key: 'Acer', doc_count: 11, upper_bound: 11, exact: true },
          nodes: [
            { nodeId: 'north', doc_count: 9 },
            { nodeId: 'south', doc_count: 1 },
            { nodeId: 'west', doc_count: 1 },
          ],
        },
      ],
    },
  } as never);
  t.deepEqual(warnings, []);
  t.deepEqual([north, south, west], [[['genus 13']], [['genus 13'], ['genus Acer=Acer']], [['genus 13']]]);
});

test('the order is that of the exact counts', async (t) => {
  const searches = {
    a: searchOf(rowsOf('a', { Acer: 9, Tilia: 8, ...common('a') })),
    b: searchOf(
      rowsOf('b', {
        Tilia: 1,
        ...Object.fromEntries(Object.keys(common('b', 60)).map((key) => [key, 3])),
        Salix: 7,
      }),
    ),
    c: searchOf(rowsOf('c', { Tilia: 1, ...common('c') })),
  };
  const runQuery = await opened(t, locals('a', 'b', 'c'), searches);
  const shown = '{ aggregations { genus { unlisted_upper_bound buckets(max: 2) { key doc_count exact } } } }';
  const { network } = await runQuery(shown);
  t.deepEqual(network['aggregations'], {
    genus: {
      unlisted_upper_bound: 11,
      buckets: [
        { key: 'Tilia', doc_count: 10, exact: true },
        { key: 'Acer', doc_count: 9, exact: true },
      ],
    },
  } as never);
});

test('one request asks a remote node for the values of all facets, under the filters of each', async (t) => {
  const counts = { Acer: 3, ...common('s') };
  const remote = await serveCatalogue('tree', fields, searchOf(rowsOf('s', counts)));
  t.teardown(() => remote.close());
  const nodes = [
    { nodeId: 'south', documentType: 'tree', graphqlUrl: remote.url },
    { nodeId: 'north', catalogue: 'north' },
  ];
  const north = rowsOf('n', { Tilia: 8, Salix: 5, ...common('n') });
  const soils = north.map((row, at) => ({ ...row, soil: at < 2 ? 'clay' : 'sand' }));
  const runQuery = await opened(t, nodes, { north: searchOf(soils) });
  const two = 'first: buckets(max: 1) { key exact } buckets(max: 2) { key exact }';
  const filters = { op: 'in', content: { fieldName: 'soil', value: ['clay', 'sand'] } };
  const { network } = await runQuery(
    `{ aggregations { genus { ${two} } id { buckets(max: 1) { doc_count exact } } } }`,
    { filters },
  );
  t.deepEqual(network['aggregations'], {
    genus: {
      first: [{ key: 'Tilia', exact: true }],
      buckets: [
        { key: 'Tilia', exact: true },
        { key: 'Salix', exact: true },
      ],
    },
    id: { buckets: [{ doc_count: 1, exact: true }] },
  } as never);
  const [first, second, ...others] = remote.queries;
  t.deepEqual(others, []);
  t.deepEqual(second!.variables, first!.variables);
  const groups = /(\w+) \{ groups\(sets: "[^)]*\) \{ buckets \{ key doc_count \} \} \}/g;
  t.deepEqual(
    [...second!.query.matchAll(groups)].map(([, name]) => name),
    ['genus', 'id'],
  );
});

/** It lists values, and does not count given ones. */
const failing =
  (search: SearchFn, fail: (query: CatalogueQuery) => ReturnType<SearchFn>): SearchFn =>
  (query, context) =>
    query.facets.some(({ measure }) => measure.kind === 'groups') ? fail(query) : search(query, context);

const south = searchOf(rowsOf('s', { Acer: 1, ...common('s') }));
const north = searchOf(rowsOf('n', { Acer: 9, ...common('n') }));

test('where a node does not answer a second time, the bounds stay, and a warning names it', async (t) => {
  const refused = failing(south, () => Promise.reject(new TributaryError('NODE_REFUSED', 'too busy')));
  const runQuery = await opened(t, locals('north', 'south'), { north, south: refused });
  const { network, warnings } = await runQuery(`{ partial nodes { state } ${genus(1).slice(1)}`);
  const nodes = [{ nodeId: 'north', doc_count: 9 }];
  t.deepEqual(network, {
    partial: false,
    nodes: [{ state: 'ok' }, { state: 'ok' }],
    aggregations: {
      genus: { buckets: [{ key: 'Acer', doc_count: 9, upper_bound: 11, exact: false, nodes }] },
    },
  } as never);
  t.deepEqual(warnings, ['node "south" did not count the values shown, some have bounds only: too busy']);
});

test('a node that hangs the second time is waited for as long as the first request left', async (t) => {
  const hanging = failing(south, () => new Promise(() => undefined));
  const nodes = [
    { nodeId: 'north', catalogue: 'north', timeoutMs: 300 },
    { nodeId: 'south', catalogue: 'south', timeoutMs: 300 },
  ];
  const runQuery = await opened(t, nodes, { north, south: hanging });
  const { network, warnings } = await runQuery(genus(1));
  t.like((network['aggregations']!['genus'] as { buckets: unknown[] }).buckets[0], {
    doc_count: 9,
    upper_bound: 11,
  });
  t.is(warnings.length, 1);
  t.regex(
    warnings[0]!,
    /^node "south" did not count the values shown, some have bounds only: did not answer within \d+ ms$/,
  );
});

test('a node that hangs the first time leaves the others time for the second', async (t) => {
  const nodes = ['north', 'south', 'west'].map((nodeId) => ({ nodeId, catalogue: nodeId, timeoutMs: 300 }));
  const later =
    (search: SearchFn): SearchFn =>
    async (query, context) => {
      await sleep(30);
      return search(query, context);
    };
  const west = (): Promise<never> => new Promise(() => undefined);
  const searches = { north: later(north), south: later(south), west };
  const runQuery = await opened(t, nodes, searches);
  const { network, warnings } = await runQuery(`{ partial ${genus(1).slice(1)}`);
  t.like(network, { partial: true });
  const [first] = (network['aggregations']!['genus'] as { buckets: unknown[] }).buckets;
  t.like(first, { doc_count: 10, exact: true });
  t.deepEqual(warnings, []);
});

test('values of a node that show as one are counted together', async (t) => {
  const rows = [
    { id: '1', genus: 'maple' },
    { id: '2', genus: 'maple' },
    { id: '3', genus: 'Ahorn' },
  ];
  const values = { genus: { maple: 'Acer', Ahorn: 'Acer' } };
  const asked: (readonly string[])[] = [];
  const runQuery = await opened(t, [{ nodeId: 'a', catalogue: 'a', values }], {
    a: noting(searchOf(rows), asked),
  });
  const { network } = await runQuery('{ aggregations { genus { buckets { key doc_count exact } } } }');
  t.deepEqual(network['aggregations'], {
    genus: { buckets: [{ key: 'Acer', doc_count: 3, exact: true }] },
  } as never);
  t.deepEqual(asked, [['genus null'], ['genus Acer=maple|Ahorn|Acer']]);
});

test('lists that are not shown are not asked for again', async (t) => {
  const asked: (readonly string[])[] = [];
  const big = searchOf(
    rowsOf('b', Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`g${at}`, 1]))),
  );
  const runQuery = await opened(t, locals('a', 'b'), { a: noting(south, asked), b: noting(big, asked) });
  await runQuery('{ aggregations { genus { cardinality cardinality_bounds { lower } } } }');
  t.deepEqual(asked.length, 2);
});
