import test, { type ExecutionContext } from 'ava';
import {
  buildClientSchema,
  executeSync,
  graphql,
  type GraphQLSchema,
  introspectionFromSchema,
  parse,
  validate,
} from 'graphql';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { openNetwork } from '../../src/federation/network.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { openCatalogue } from '../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { openNaiveEngine } from '../engines/naive.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';
import { serveEstablishedServer } from './established/established-server.ts';
import { contextOf } from './node-fixtures.ts';
import { serveSchema, type RemoteServer } from './remote-server.ts';

// the same documents at nodes of three kinds, queried at once: each loses what it lacks, and nothing else

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
const kinds = ['before', 'current', 'established'] as const;

const ourSchema = async (): Promise<GraphQLSchema> => {
  const engine = openNaiveEngine();
  await engine.manage({ kind: 'create', index: 'walls', mapping: { properties } });
  const writes = Object.entries(documents).map(
    ([id, document]) => ({ kind: 'upsert', id, document }) as const,
  );
  await engine.write('walls', writes);
  const config = bookConfig({ documentType: 'mural', esIndex: 'walls', extended: [] });
  const state = await openCatalogue(config, engine, {});
  if (state.status !== 'available') throw state.error;
  return buildCatalogueSchema(state.catalogue);
};

/** What the version before does not have. */
const newFields = new Set([
  'upper_bound',
  'estimate',
  'exact',
  'date_histogram',
  'percentiles',
  'log_counts',
  'cardinality_bounds',
]);
const newArguments = new Set(['waitFor', 'matching']);
const newTypes = new Set(['SqonOperator']);

/** What our schema was without its newest fields, arguments and operators. */
const schemaBefore = (schema: GraphQLSchema): GraphQLSchema => {
  const { types, ...others } = introspectionFromSchema(schema).__schema;
  const olderTypes = types
    .filter(({ name }) => !newTypes.has(name))
    .map((type) =>
      type.kind !== 'OBJECT'
        ? type
        : {
            ...type,
            fields: type.fields
              .filter(({ name }) => !newFields.has(name))
              .map((field) => ({
                ...field,
                args: field.args.filter(({ name }) => !newArguments.has(name)),
              })),
          },
    );
  return buildClientSchema({ __schema: { ...others, types: olderTypes } });
};

/** A node of the version before: it refuses what its schema does not have. */
const serveBefore = async (): Promise<RemoteServer> => {
  const schema = await ourSchema();
  const before = schemaBefore(schema);
  const remote = await serveSchema(schema);
  remote.fault = ({ query }, response) => {
    const document = parse(query);
    const errors = validate(before, document);
    const isIntrospection = query.includes('__schema');
    if (errors.length === 0 && !isIntrospection) return false;
    const answer = errors.length > 0 ? { errors } : executeSync({ schema: before, document });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    return true;
  };
  return remote;
};

const serve = async (t: ExecutionContext): Promise<Record<(typeof kinds)[number], RemoteServer>> => {
  const served = {
    current: await serveSchema(await ourSchema()),
    before: await serveBefore(),
    established: await serveEstablishedServer({ documentType: 'mural', properties, documents }),
  };
  for (const { close } of Object.values(served)) t.teardown(close);
  return served;
};

const open = async (t: ExecutionContext) => {
  const served = await serve(t);
  const nodes = kinds.map((nodeId) => ({ nodeId, documentType: 'mural', graphqlUrl: served[nodeId].url }));
  const defaults = { discoveryTimeoutMs: 60_000, timeoutMs: 60_000 };
  const network = openNetwork(readNodes({ defaults, nodes }, 'nodes.json'), () => undefined, {
    readyWaitMs: 60_000,
  });
  t.teardown(() => network.close());
  await network.ready;
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
  { key: 'Ana Rue', doc_count: 6 },
  { key: 'Ben Ost', doc_count: 3 },
];
const coverageOf = (...lacking: readonly string[]) =>
  kinds.map((nodeId) => ({ nodeId, state: lacking.includes(nodeId) ? 'notCovered' : 'answered' }));

test('hits, counts, bounds and a wait are those of all three, whatever each was sent', async (t) => {
  const { runQuery, served } = await open(t);
  const { answer, warnings } = await runQuery(`{ network(waitFor: { share: 1, ms: 60000 }) {
    total partial nodes { nodeId state hits uncoveredFields }
    hits(first: 9, sort: [{ fieldName: "id" }]) { total edges { node { id } } }
    aggregations { painter { buckets { key doc_count upper_bound } cardinality coverage { nodeId state } }
      storeys { stats { count sum } } } } }`);
  t.deepEqual(warnings, []);
  t.deepEqual(answer, {
    total: 9,
    partial: false,
    nodes: nodesWith(),
    hits: { total: 9, edges: ['m1', 'm2', 'm3'].flatMap((id) => kinds.map(() => ({ node: { id } }))) },
    aggregations: {
      painter: {
        buckets: painters.map((bucket) => ({ ...bucket, upper_bound: bucket.doc_count })),
        cardinality: 2,
        coverage: coverageOf(),
      },
      storeys: { stats: { count: 9, sum: 9 } },
    },
  });
  for (const kind of ['before', 'established'] as const)
    for (const { query } of served[kind].queries) t.notRegex(query, /waitFor|upper_bound/, kind);
});

test('a histogram of dates and percentiles are those of all three, whether they have them or what they are made of', async (t) => {
  const { runQuery } = await open(t);
  const { answer } =
    await runQuery(`{ network { total partial nodes { nodeId state hits uncoveredFields } aggregations {
    painter { buckets { key doc_count } coverage { nodeId state } }
    painted { date_histogram(interval: "year") { buckets { doc_count } } coverage { nodeId state } }
    storeys { percentiles(percents: [50]) { lower upper } coverage { nodeId state } } } } }`);
  t.deepEqual(answer, {
    total: 9,
    partial: false,
    nodes: nodesWith(),
    aggregations: {
      painter: { buckets: painters, coverage: coverageOf() },
      painted: {
        date_histogram: { buckets: [{ doc_count: 6 }] },
        coverage: coverageOf(),
      },
      storeys: { percentiles: [{ lower: 1, upper: 1.0202 }], coverage: coverageOf() },
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
  const all = { range: { buckets: [{ doc_count: 9 }] }, coverage: coverageOf() };
  t.deepEqual(await ranges('storeys', '{ from: 1, to: 5 }'), all);
  const some = (count: number) => ({
    range: { buckets: [{ doc_count: count }] },
    coverage: coverageOf('established'),
  });
  t.deepEqual(await ranges('storeys', '{ from: 0.5 }'), some(6));
  t.deepEqual(await ranges('storeys', '{ from: 1, to: 3000000000 }'), some(6));
  t.deepEqual(await ranges('painted', '{ from: "2001-05-02", to: "2001-07" }'), some(2));
});

test('a search is answered by all three: by patterns where the operator is unknown, with a warning', async (t) => {
  const { runQuery, served } = await open(t);
  const filters = { op: 'search', content: { fieldNames: ['painter'], value: 'rue' } };
  const { answer, warnings } = await runQuery(
    'query ($filters: JSON) { network(filters: $filters) { total nodes { nodeId state hits } } }',
    { filters },
  );
  t.deepEqual(answer, { total: 6, nodes: kinds.map((nodeId) => ({ nodeId, state: 'ok', hits: 2 })) });
  t.deepEqual(warnings.map((warning) => /node "(.*?)"/.exec(warning)?.[1]).sort(), ['before', 'established']);
  t.false(JSON.stringify(served.before.queries).includes('"search"'));
});

test('what an older aggregator asks of this version is answered as by a node of its own', async (t) => {
  const { runQuery, served } = await open(t);
  await runQuery(`{ network { total hits(first: 9, sort: [{ fieldName: "id" }]) { edges { node { id painter } } }
    aggregations { painter { buckets { key doc_count } cardinality } storeys { stats { count sum } } painted { stats { min } } } } }`);
  // an aggregator of that version knows no more than its nodes
  const requested = served.before.queries.map(({ query, variables }) => ({ query, variables }));
  t.true(requested.length > 0);
  for (const question of requested) {
    const [current, before] = await Promise.all(
      [served.current, served.before].map(async ({ url }) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(question) })).json();
      }),
    );
    t.deepEqual(current, before);
    t.falsy((current as { errors?: unknown }).errors);
  }
});
