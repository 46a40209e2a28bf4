import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import anyTest from 'ava';
import type { TestFn } from 'ava';
import { parse, validate } from 'graphql';
import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { tableConfig } from '../../src/introspection/fields/field-config.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { openCatalogue } from '../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { leaf } from '../../src/sqon/ast.ts';
import { bookConfig, bookProperties, books, contextWith } from '../local/catalogue-fixture.ts';
import type { Operation } from '../local/run-operation.ts';
import { runOperation } from '../local/run-operation.ts';

/** One catalogue end to end: GraphQL in, the embedded engine below. */
const test = anyTest as TestFn<{ engine: Engine; folder: string }>;

const load = async (
  engine: Engine,
  index: string,
  properties: JsonObject,
  wrap = (book: JsonObject) => book,
) => {
  await engine.manage({ kind: 'create', index, mapping: { dynamic: false, properties } });
  const operations = Object.entries(books).map(([id, { price, ...book }]) => ({
    kind: 'upsert' as const,
    id,
    document: wrap(typeof price === 'number' ? { ...book, price } : book),
  }));
  const outcomes = await engine.write(index, operations);
  const refused = outcomes.find(({ status }) => status !== 'created');
  if (refused !== undefined) throw new Error(JSON.stringify(refused));
};

test.before(async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'local-catalogue-'));
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  await load(engine, 'books', bookProperties);
  await load(engine, 'wrapped', { data: { properties: bookProperties } }, (data) => ({ data }));
  t.context = { engine, folder };
});

test.after.always(async (t) => {
  await t.context.engine?.close();
  await rm(t.context.folder, { recursive: true, force: true });
});

const bookOf = async (engine: Engine, selection: string, operation: Partial<Operation> = {}) => {
  const variables = ['f', 'after'].filter((name) => selection.includes(`$${name}`));
  const declared = variables.map((name) => `$${name}: JSON`).join(', ');
  const source = `query${declared === '' ? '' : `(${declared})`} { book { ${selection} } }`;
  const outcome = await runOperation(engine, { source, ...operation });
  return { ...outcome, book: (outcome.data as { book: Record<string, unknown> } | null)?.book };
};

interface Page {
  readonly edges: readonly {
    readonly searchAfter: readonly unknown[];
    readonly node: { readonly id: string };
  }[];
}

test('hits and aggregations of one operation', async (t) => {
  const { book, errors } = await bookOf(
    t.context.engine,
    `hits(filters: $f, sort: [{fieldName: "pages"}]) { total edges { node { id pages } } }
     aggregations(filters: $f) { genres { bucket_count buckets { key doc_count } } pages { stats { min max count } } }`,
    { variables: { f: { op: 'and', content: [{ op: '>=', content: { fieldName: 'pages', value: 100 } }] } } },
  );
  t.deepEqual(errors, []);
  t.deepEqual(book, {
    hits: {
      total: 2,
      edges: [{ node: { id: 'atlas', pages: 120 } }, { node: { id: 'b4', pages: 300 } }],
    },
    aggregations: {
      genres: {
        bucket_count: 2,
        buckets: [
          { key: 'travel', doc_count: 2 },
          { key: 'maps', doc_count: 1 },
        ],
      },
      pages: { stats: { min: 80, max: 300, count: 4 } },
    },
  });
});

test('cursors walk all hits once, past ties and missing values', async (t) => {
  for (const sort of ['pages', 'price', 'printed', 'title', 'copies.bought'])
    for (const order of ['asc', 'desc'])
      for (const missing of ['first', 'last']) {
        const seen: string[] = [];
        let after: readonly unknown[] = [];
        for (let page = 0; page < 5; page++) {
          const { book, errors } = await bookOf(
            t.context.engine,
            `hits(first: 1, searchAfter: $after, sort: [{fieldName: "${sort}", order: ${order}, missing: ${missing}}])
             { edges { searchAfter node { id } } }`,
            { variables: { after } },
          );
          t.deepEqual(errors, []);
          const [edge] = (book?.['hits'] as Page).edges;
          if (edge === undefined) break;
          seen.push(edge.node.id);
          after = edge.searchAfter;
        }
        t.deepEqual(seen.toSorted(), ['atlas', 'b3', 'b4', 'bees'], `${sort} ${order} ${missing}`);
      }
});

test('a cursor of the sort values alone is accepted', async (t) => {
  const { book } = await bookOf(
    t.context.engine,
    'hits(sort: [{fieldName: "title"}], searchAfter: ["Bees"]) { edges { node { id } } }',
  );
  t.deepEqual(book, { hits: { edges: [{ node: { id: 'b3' } }, { node: { id: 'b4' } }] } });
});

test('the access filter holds everywhere, also for a facet that excludes itself', async (t) => {
  const { book } = await bookOf(
    t.context.engine,
    `hits { total } aggregations(filters: $f) { title { buckets { key } } pages { stats { count } } }`,
    {
      context: contextWith(leaf('in', 'genres', ['travel'])),
      variables: { f: { op: 'in', content: { fieldName: 'title', value: ['Bees'] } } },
    },
  );
  t.deepEqual(book, {
    hits: { total: 2 },
    aggregations: {
      title: { buckets: [{ key: 'Atlas' }, { key: 'Dunes' }] },
      pages: { stats: { count: 0 } },
    },
  });
});

test('nested facets count documents, and top hits are the nested object', async (t) => {
  const { book, errors } = await bookOf(
    t.context.engine,
    `aggregations { copies__state { bucket_count buckets { key doc_count top_hits(_source: ["copies.bought"]) } } }`,
  );
  t.deepEqual(errors, []);
  t.deepEqual(book, {
    aggregations: {
      copies__state: {
        bucket_count: 3,
        buckets: [
          { key: 'good', doc_count: 2, top_hits: { bought: 2010 } },
          { key: 'worn', doc_count: 1, top_hits: { bought: 2005 } },
          { key: '__missing__', doc_count: 1, top_hits: null },
        ],
      },
    },
  });
});

test('an object facet has every document in its missing bucket', async (t) => {
  const buckets = 'bucket_count buckets { key doc_count }';
  const { book } = await bookOf(
    t.context.engine,
    `aggregations { publisher { ${buckets} } extra { ${buckets} } }`,
  );
  const missing = { bucket_count: 1, buckets: [{ key: '__missing__', doc_count: 4 }] };
  t.deepEqual(book, { aggregations: { publisher: missing, extra: missing } });
});

test('filter_by_term counts each bucket under the filter', async (t) => {
  const { book } = await bookOf(
    t.context.engine,
    'aggregations { genres { buckets(max: 1) { key doc_count filter_by_term(filter: $f) } } }',
    { variables: { f: { op: 'in', content: { fieldName: 'title', value: ['Dunes'] } } } },
  );
  t.deepEqual(book, {
    aggregations: {
      genres: {
        buckets: [
          { key: 'travel', doc_count: 2, filter_by_term: { doc_count: 1 } },
          { key: '__missing__', doc_count: 1, filter_by_term: null },
        ],
      },
    },
  });
});

test('a nested connection of which one path is selected still has all its objects', async (t) => {
  const { book } = await bookOf(
    t.context.engine,
    'hits(filters: $f) { edges { node { copies { hits { total edges { node { state } } } } } } }',
    { variables: { f: { op: 'in', content: { fieldName: '_id', value: ['b4'] } } } },
  );
  t.deepEqual(book, {
    hits: { edges: [{ node: { copies: { hits: { total: 1, edges: [{ node: { state: null } }] } } } }] },
  });
});

test('a nestingPrefix is nowhere to be seen', async (t) => {
  const { book, errors } = await bookOf(
    t.context.engine,
    `hits(filters: $f, sort: [{fieldName: "pages", order: desc}]) { total edges { node {
       id title _source(paths: ["title", "copies.state"]) publisher { name } copies { hits { total } } } } }
     aggregations(filters: $f) { copies__state { buckets { key doc_count } }
       title { buckets(max: 1) { key top_hits(_source: ["pages"]) } } }`,
    {
      config: { esIndex: 'wrapped', nestingPrefix: 'data' },
      variables: { f: { op: 'in', content: { fieldName: 'copies.state', value: ['good'] } } },
    },
  );
  t.deepEqual(errors, []);
  t.deepEqual(book, {
    hits: {
      total: 2,
      edges: [
        {
          node: {
            id: 'atlas',
            title: 'Atlas',
            _source: { title: 'Atlas', copies: [{ state: 'good' }, { state: 'worn' }] },
            publisher: { name: 'North' },
            copies: { hits: { total: 2 } },
          },
        },
        {
          node: {
            id: 'bees',
            title: 'Bees',
            _source: { title: 'Bees', copies: { state: 'good' } },
            publisher: null,
            copies: { hits: { total: 1 } },
          },
        },
      ],
    },
    aggregations: {
      copies__state: {
        buckets: [
          { key: 'good', doc_count: 2 },
          { key: 'worn', doc_count: 1 },
          { key: '__missing__', doc_count: 1 },
        ],
      },
      title: { buckets: [{ key: 'Atlas', top_hits: { pages: 120 } }] },
    },
  });
});

test("every generated column's query is valid for the schema", async (t) => {
  const columns = [
    ...['title', 'isbn-10', 'extra', 'publisher.seat.City', 'genres', 'copies.state'],
    ...['copies.loans.reader', 'copies.hits.total', 'copies.loans.hits.total'],
  ].map((fieldName) => ({ fieldName }));
  const config = bookConfig({ table: { ...bookConfig().table, columns } });
  const state = await openCatalogue(config, t.context.engine, {});
  if (state.status === 'failed') throw state.error;
  const schema = buildCatalogueSchema(state.catalogue);
  const queries = tableConfig(state.catalogue.fields, config).columns.map(({ query }) => query);
  t.is(queries.length, columns.length);
  for (const query of [...queries, queries.join(' ')])
    t.deepEqual(
      validate(schema, parse(`{ book { hits { edges { node { ${query} } } } } }`)),
      [],
      query ?? '',
    );
});
