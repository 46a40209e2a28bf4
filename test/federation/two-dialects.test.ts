import test, { type ExecutionContext } from 'ava';
import { graphql } from 'graphql';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { serveEstablishedServer } from './established/established-server.ts';
import { contextOf } from './node-fixtures.ts';
import { serveSchema, type RemoteServer } from './remote-server.ts';
import { testCatalogue, testNetwork } from '../builders.ts';

// the same documents at nodes of both kinds, queried at once: each loses what it lacks, and nothing else

const properties = {
  id: { type: 'keyword' },
  painter: { type: 'keyword' },
  storeys: { type: 'integer' },
  painted: { type: 'date' },
};
const documents: Readonly<Record<string, JsonObject>> = {
  k1: { id: 'm1', painter: 'Ana Rue', storeys: 1, painted: '2001-05-01T00:00:00.000Z' },
  k2: { id: 'm2', painter: 'Ana Rue', storeys: 1, painted: '2001-06-01T00:00:00.000Z' },
  k3: { id: 'm3', painter: 'Ben Ost', storeys: 1 },
};
const documentType = 'mural';
const kinds = ['current', 'established'] as const;

const serve = async (): Promise<Record<(typeof kinds)[number], RemoteServer>> => {
  const served = {
    current: await serveSchema(
      buildCatalogueSchema(await testCatalogue({ documentType, properties, documents })),
    ),
    established: await serveEstablishedServer({ documentType, properties, documents }),
  };
  return served;
};

const open = async (t: ExecutionContext) => {
  const served = await serve();
  const nodes = kinds.map((nodeId) => ({ nodeId, documentType, remote: served[nodeId] }));
  const network = await testNetwork(t, nodes);
  const runQuery = async (source: string, variableValues: Record<string, unknown> = {}) => {
    const warnings: string[] = [];
    const schema = network.schema();
    const result = await graphql({ schema, source, variableValues, contextValue: contextOf(warnings) });
    t.is(result.errors, undefined);
    const { network: answer } = JSON.parse(JSON.stringify(result.data)) as { network: unknown };
    return { answer, warnings };
  };
  return { served, runQuery };
};

const nodesWith = (uncovered: Partial<Record<(typeof kinds)[number], readonly string[]>> = {}) =>
  kinds.map((nodeId) => ({ nodeId, state: 'ok', hits: 3, uncoveredFields: uncovered[nodeId] ?? [] }));

const painters = [
  { key: 'Ana Rue', doc_count: 4 },
  { key: 'Ben Ost', doc_count: 2 },
];
const coverageOf = (...lacking: readonly string[]) =>
  kinds.map((nodeId) => ({ nodeId, state: lacking.includes(nodeId) ? 'notCovered' : 'answered' }));

test('hits, counts, bounds and a wait are those of both, whatever each was sent', async (t) => {
  const { runQuery, served } = await open(t);
  const { answer, warnings } = await runQuery(`{ network(waitFor: { share: 1, ms: 60000 }) {
    total partial nodes { nodeId state hits uncoveredFields }
    hits(first: 9, sort: [{ fieldName: "id" }]) { total edges { node { id } } }
    aggregations { painter { buckets { key doc_count upper_bound } cardinality coverage { nodeId state } }
      storeys { stats { count sum } } } } }`);
  t.deepEqual(warnings, []);
  t.deepEqual(answer, {
    total: 6,
    partial: false,
    nodes: nodesWith(),
    hits: { total: 6, edges: ['m1', 'm2', 'm3'].flatMap((id) => kinds.map(() => ({ node: { id } }))) },
    aggregations: {
      painter: {
        buckets: painters.map((bucket) => ({ ...bucket, upper_bound: bucket.doc_count })),
        cardinality: 2,
        coverage: coverageOf(),
      },
      storeys: { stats: { count: 6, sum: 6 } },
    },
  });
  for (const { query } of served.established.queries) t.notRegex(query, /waitFor|upper_bound/);
});

test('a histogram of dates is that of both, percentiles are those of the node that has them', async (t) => {
  const { runQuery } = await open(t);
  const { answer } =
    await runQuery(`{ network { total partial nodes { nodeId state hits uncoveredFields } aggregations {
    painter { buckets { key doc_count } coverage { nodeId state } }
    painted { date_histogram(interval: "year") { buckets { doc_count } } coverage { nodeId state } }
    storeys { percentiles(percents: [50]) { lower upper } coverage { nodeId state } } } } }`);
  t.deepEqual(answer, {
    total: 6,
    partial: false,
    nodes: nodesWith({ established: ['storeys'] }),
    aggregations: {
      painter: { buckets: painters, coverage: coverageOf() },
      painted: {
        date_histogram: { buckets: [{ doc_count: 4 }] },
        coverage: coverageOf(),
      },
      storeys: { percentiles: [{ lower: 1, upper: 1.0202 }], coverage: coverageOf('established') },
    },
  });
});

test('ranges with fractions, dates and large ends are those of the nodes that take them', async (t) => {
  const { runQuery } = await open(t);
  const ranges = async (field: string, list: string) => {
    const selection = `range(ranges: [${list}]) { buckets { doc_count } } coverage { nodeId state }`;
    const { answer } = await runQuery(`{ network { aggregations { ${field} { ${selection} } } } }`);
    return (answer as { aggregations: Record<string, unknown> }).aggregations[field];
  };
  const all = { range: { buckets: [{ doc_count: 6 }] }, coverage: coverageOf() };
  t.deepEqual(await ranges('storeys', '{ from: 1, to: 5 }'), all);
  const some = (count: number) => ({
    range: { buckets: [{ doc_count: count }] },
    coverage: coverageOf('established'),
  });
  t.deepEqual(await ranges('storeys', '{ from: 0.5 }'), some(3));
  t.deepEqual(await ranges('storeys', '{ from: 1, to: 3000000000 }'), some(3));
  t.deepEqual(await ranges('painted', '{ from: "2001-05-02", to: "2001-07" }'), some(1));
});

test('a search is answered by both: by patterns where the operator is unknown, with a warning', async (t) => {
  const { runQuery, served } = await open(t);
  const filters = { op: 'search', content: { fieldNames: ['painter'], value: 'rue' } };
  const { answer, warnings } = await runQuery(
    'query ($filters: JSON) { network(filters: $filters) { total nodes { nodeId state hits } } }',
    { filters },
  );
  t.deepEqual(answer, { total: 4, nodes: kinds.map((nodeId) => ({ nodeId, state: 'ok', hits: 2 })) });
  t.deepEqual(warnings.map((warning) => /node "(.*?)"/.exec(warning)?.[1]).sort(), ['established']);
  t.false(JSON.stringify(served.established.queries).includes('"search"'));
});

test('an established server is sent no header of ours', async (t) => {
  const { runQuery, served } = await open(t);
  await runQuery('{ network { total } }');
  const sentTo = (kind: (typeof kinds)[number]): readonly string[] =>
    served[kind].queries.flatMap(({ headers }) =>
      Object.keys(headers).filter((name) => name.startsWith('tributary-')),
    );
  t.deepEqual(sentTo('current').toSorted(), ['tributary-deadline-ms', 'tributary-node']);
  t.true(served.established.queries.length > 0);
  t.deepEqual(sentTo('established'), []);
});
