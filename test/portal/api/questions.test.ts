import test, { type ExecutionContext } from 'ava';
import { parse, validate, type GraphQLSchema } from 'graphql';
import { describe, type Catalogue } from '../../../portal/src/api/catalogue.ts';
import { kindOfType, type Field } from '../../../portal/src/api/fields.ts';
import { fetchExtents, fetchMatching, fetchOverview, fetchPage } from '../../../portal/src/api/questions.ts';
import { askRecord } from '../../../portal/src/api/record.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openNetwork } from '../../../src/federation/network.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';

const types = { id: 'keyword', genus: 'keyword', height: 'float', planted: 'date', native: 'boolean' };
const trees = catalogueOf('tree', fieldsOf(types), searchOf([]));

/** What the portal knows of a source that has these fields. */
const known = (kind: 'network' | 'catalogue', documentType: string | null): Catalogue => ({
  source: {
    id: 'one',
    kind,
    path: 'one',
    name: 'One',
    description: null,
    documentType,
    status: 'available',
  },
  documentType,
  fields: new Map(
    Object.entries(types).map(([path, type]): [string, Field] => [
      path,
      {
        path,
        name: path,
        type,
        kind: kindOfType(type),
        unit: null,
        displayValues: {},
        description: null,
        nodes: null,
      },
    ]),
  ),
  facets: Object.keys(types),
  shownFacets: 4,
  columns: [],
  survival: null,
  sort: [],
  isFiltered: false,
  disclosure: null,
  nodes: [{ nodeId: 'one', name: 'One' }],
});

const paths = Object.keys(types);
const extents = new Map([
  ['height', { min: 0, max: 30 }],
  ['planted', { min: 0, max: Date.parse('2020-01-01') }],
]);
const question = {
  filter: { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } },
  nodes: ['one'],
  isExact: true,
} as const;
const sizes = { asUsual: 6, more: { genus: 30 } };
const columns = paths.map((path) => ({ path }));
const page = { columns, sort: [{ fieldName: 'genus', order: 'asc' }], after: null, size: 20 } as const;

/** Every query that the pages send to a source. */
const runChecks = async (catalogue: Catalogue): Promise<void> => {
  await describe(catalogue.source);
  await fetchExtents(catalogue, paths);
  await fetchOverview(catalogue, question, paths, extents, sizes);
  await fetchOverview(catalogue, question, paths, extents, sizes, undefined, () => undefined);
  await fetchMatching(catalogue, question, 'genus', 'ac"er', 50);
  await fetchPage(catalogue, question, page);
  await askRecord(catalogue, { id: 'a', nodeId: 'one' });
};

/** The GraphQL documents that are sent while something is done; each is answered with nothing. */
const sentBy = async (t: ExecutionContext, act: () => Promise<void>): Promise<readonly string[]> => {
  const sent: string[] = [];
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  globalThis.fetch = async (url, init) => {
    if (init?.body != null) sent.push((JSON.parse(String(init.body)) as { query: string }).query);
    const answer = JSON.stringify({
      data: { network: { nodes: [], hits: { edges: [] } }, tree: { hits: { edges: [] }, configs: null } },
      // what is no GraphQL: who is there, and which fields
      nodes: [],
      fields: [],
    });
    return new Response(String(url).endsWith('/stream') ? `event: done\ndata: ${answer}\n\n` : answer);
  };
  await act();
  globalThis.fetch = fetch;
  return sent;
};

test.serial('blanks stand last, whichever way rows are sorted', async (t) => {
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  const sorts: unknown[] = [];
  globalThis.fetch = async (_, init) => {
    sorts.push((JSON.parse(String(init?.body)) as { variables: { sort: unknown } }).variables.sort);
    return new Response(JSON.stringify({ data: { tree: { hits: { edges: [] } } } }));
  };
  for (const order of ['asc', 'desc'] as const)
    await fetchPage(known('catalogue', 'tree'), question, { ...page, sort: [{ fieldName: 'genus', order }] });
  t.deepEqual(sorts, [
    [{ fieldName: 'genus', order: 'asc', missing: 'last' }],
    [{ fieldName: 'genus', order: 'desc', missing: 'last' }],
  ]);
});

const faultsOf = (schema: GraphQLSchema, documents: readonly string[]): readonly string[] =>
  documents.flatMap((document) => validate(schema, parse(document)).map(({ message }) => message));

test.serial('every question to a catalogue fits its schema', async (t) => {
  const sent = await sentBy(t, () => runChecks(known('catalogue', 'tree')));
  t.is(sent.length, 7);
  t.deepEqual(faultsOf(buildCatalogueSchema(trees), sent), []);
});

for (const documentType of ['tree', null])
  test.serial(
    `every question to a network fits its schema, its documents called ${documentType}`,
    async (t) => {
      const network = openNetwork(
        readNodes(
          {
            network: { displayName: 'Trees', documentType: 'tree' },
            nodes: [{ nodeId: 'one', catalogue: 'tree' }],
          },
          'nodes.json',
        ),
        () => ({ status: 'available', config: trees.config, catalogue: trees }),
      );
      t.teardown(() => network.close());
      await network.ready;
      const sent = await sentBy(t, () => runChecks(known('network', documentType)));
      t.is(sent.length, documentType === null ? 6 : 7);
      t.deepEqual(faultsOf(network.schema(), sent), []);
    },
  );
