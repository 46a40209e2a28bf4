import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { pino } from 'pino';
import { createApp } from '../../src/server/http/app.ts';
import { openRegistry } from '../../src/local/registry.ts';
import { openNaiveEngine } from '../engines/naive.ts';
import { defaultSettings, noSpools } from '../server/http/running-app.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';
import { listening } from '../listening.ts';
import { testNetwork } from '../builders.ts';

// an established server that federates asks one of our nodes: its requests, word for word but for the names

const properties = {
  id: { type: 'keyword' },
  pigment: { type: 'keyword' },
  layers: { type: 'nested', properties: { tool: { type: 'keyword' } } },
  height_m: { type: 'double' },
  painted_on: { type: 'date' },
};
const murals = [
  { id: 'm1', pigment: 'ochre', height_m: 3, layers: [{ tool: 'brush' }, { tool: 'knife' }] },
  { id: 'm2', pigment: 'ochre', layers: [{ tool: 'brush' }] },
  { id: 'm3', pigment: 'umber', height_m: 5 },
  { id: 'm4', height_m: 7, layers: [{ tool: 'knife' }] },
];

/** The murals of one catalogue, or of a network of two, which is queried as a catalogue is. */
type Served = 'a catalogue' | 'a network';

/** Our node at its defaults, queried as that server asks. */
const startMurals = async (t: ExecutionContext, served: Served) => {
  const engine = openNaiveEngine();
  const parts = served === 'a catalogue' ? { murals } : { left: murals.slice(0, 2), right: murals.slice(2) };
  for (const [index, documents] of Object.entries(parts)) {
    await engine.manage({ kind: 'create', index, mapping: { properties } });
    await engine.write(
      index,
      documents.map((document: (typeof murals)[number]) => ({
        kind: 'upsert' as const,
        id: document.id,
        document,
      })),
    );
  }
  const configs = Object.keys(parts).map((esIndex) =>
    bookConfig({ catalogueId: esIndex, documentType: 'mural', esIndex, extended: [] }),
  );
  const registry = await openRegistry(configs, engine, {});
  const nodes = Object.keys(parts).map((nodeId) => ({ nodeId, catalogue: nodeId }));
  const network = served === 'a network' ? await testNetwork(t, nodes, { byId: registry.byId }) : null;
  const log = pino({ level: 'silent' });
  const app = createApp({
    registry,
    networks: new Map(network === null ? [] : [['network', network]]),
    settings: defaultSettings,
    spools: noSpools,
    log,
  });
  t.teardown(registry.close);
  const { url: base } = await listening(t, createServer(app.callback()));
  const url = served === 'a network' ? `${base}/network/graphql` : `${base}/graphql`;
  return async (body: object): Promise<{ data: Record<string, unknown> }> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/plain, */*',
        'content-type': 'application/json',
        'x-request-type': 'GraphQL',
        'x-api-key': 'k-7',
      },
      body: JSON.stringify(body),
    });
    t.is(response.status, 200);
    t.regex(response.headers.get('content-type') ?? '', /^application\/json/);
    return (await response.json()) as { data: Record<string, unknown> };
  };
};

const discovery =
  '#graphql\n\tquery getAggregationTypes($documentTypeName: String!) {\n\t\t__type(name: $documentTypeName) {\n\t\t\tname\n\t\t\tfields {\n\t\t\t\tname\n\t\t\t\ttype {\n\t\t\t\t\tname\n\t\t\t\t}\n\t\t\t}\n\t\t}\n\t}\n';

for (const served of ['a catalogue', 'a network'] as const)
  test(`${served}: its discovery finds the facets of values by the name of their type`, async (t) => {
    const runQuery = await startMurals(t, served);
    const { data } = await runQuery({
      query: discovery,
      variables: { documentTypeName: 'muralAggregations' },
    });
    const type = data['__type'] as {
      name: string;
      fields: { name: string; type: { name: string } }[];
    };
    t.is(type.name, 'muralAggregations');
    t.deepEqual(
      new Map(type.fields.map(({ name, type: facet }) => [name, facet.name])),
      new Map([
        ['id', 'Aggregations'],
        ['pigment', 'Aggregations'],
        ['layers__tool', 'Aggregations'],
        ['height_m', 'NumericAggregations'],
        ['painted_on', 'NumericAggregations'],
      ]),
    );
  });

for (const served of ['a catalogue', 'a network'] as const)
  test(`${served}: a document type that is not there is null, not an error`, async (t) => {
    const runQuery = await startMurals(t, served);
    t.deepEqual(await runQuery({ query: discovery, variables: { documentTypeName: 'fresco' } }), {
      data: { __type: null },
    });
  });

const facetsQuery = `query nodeQuery($filters: JSON, $aggregations_filter_themselves: Boolean, $include_missing: Boolean) {
  mural {
    hits(filters: $filters) {
      total
    }
    aggregations(
      filters: $filters
      aggregations_filter_themselves: $aggregations_filter_themselves
      include_missing: $include_missing
    ) {
      pigment {
        bucket_count
        buckets {
          key
          doc_count
          __typename
        }
        __typename
      }
      layers__tool {
        bucket_count
        buckets {
          key
          doc_count
          __typename
        }
        __typename
      }
    }
  }
}`;

const facet = (counts: Readonly<Record<string, number>>) => ({
  bucket_count: Object.keys(counts).length,
  buckets: Object.entries(counts).map(([key, doc_count]) => ({ key, doc_count, __typename: 'Bucket' })),
  __typename: 'Aggregations',
});
const mural = (total: number, aggregations?: object) => ({
  data: { mural: { hits: { total }, ...(aggregations && { aggregations }) } },
});

for (const served of ['a catalogue', 'a network'] as const)
  test(`${served}: its query of facets is answered in the shape it reads, facets over their own selection`, async (t) => {
    const runQuery = await startMurals(t, served);
    const filters = {
      op: 'and',
      content: [{ op: 'in', content: { fieldName: 'pigment', value: ['ochre'] } }],
    };
    const themselves = { filters, include_missing: false, aggregations_filter_themselves: true };
    t.deepEqual(
      await runQuery({ query: facetsQuery, variables: { filters, include_missing: false } }),
      mural(2, { pigment: facet({ ochre: 2, umber: 1 }), layers__tool: facet({ brush: 2, knife: 1 }) }),
    );
    t.deepEqual(
      await runQuery({ query: facetsQuery, variables: themselves }),
      mural(2, { pigment: facet({ ochre: 2 }), layers__tool: facet({ brush: 2, knife: 1 }) }),
    );
  });

for (const served of ['a catalogue', 'a network'] as const)
  test(`${served}: without variables everything counts, records without a value too`, async (t) => {
    const runQuery = await startMurals(t, served);
    t.deepEqual(
      await runQuery({ query: facetsQuery, variables: {} }),
      mural(4, {
        pigment: facet({ ochre: 2, umber: 1, __missing__: 1 }),
        layers__tool: facet({ brush: 2, knife: 2 }),
      }),
    );
  });

for (const served of ['a catalogue', 'a network'] as const)
  test(`${served}: its query of totals is answered`, async (t) => {
    const runQuery = await startMurals(t, served);
    const query =
      'query nodeQuery($filters: JSON) {\n  mural {\n    hits(filters: $filters) {\n      total\n    }\n  }\n}';
    t.deepEqual(await runQuery({ query, variables: {} }), mural(4));
    t.deepEqual(await runQuery({ query, variables: { filters: null } }), mural(4));
    // a filter that means another node's field matches nothing here
    const filters = { op: 'in', content: { fieldName: 'not_here', value: ['x'] } };
    const { data } = await runQuery({ query, variables: { filters } });
    t.deepEqual(data, mural(0).data);
  });
