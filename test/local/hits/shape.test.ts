import test from 'ava';
import { books, bookProperties } from '../catalogue-fixture.ts';
import { runOperation } from '../run-operation.ts';
import type { Operation } from '../run-operation.ts';
import { scriptedEngine } from '../scripted-engine.ts';

const keys = Object.keys(books);

/** Gives every book whole, whatever was requested. */
const shelf = () =>
  scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: ({ hits }) => ({
      hits: hits && {
        total: hits.trackTotal ? keys.length : null,
        hits: keys.slice(0, hits.size).map((id) => ({ id, source: books[id]!, cursor: [id] })),
      },
    }),
  });

const nodes = async (selection: string, operation: Partial<Operation> = {}) => {
  const engine = shelf();
  const outcome = await runOperation(engine, {
    ...operation,
    source: `{ book { hits { edges { node { ${selection} } } } } }`,
  });
  const data = outcome.data as { book: { hits: { edges: { node: unknown }[] } | null } };
  return {
    ...outcome,
    nodes: data.book.hits?.edges.map(({ node }) => node),
    source: engine.searches[0]?.hits?.source,
  };
};

test('a document is known by its own id, else by its key', async (t) => {
  const { nodes: found } = await nodes('id score');
  t.deepEqual(found, [
    { id: 'atlas', score: null },
    { id: 'bees', score: null },
    { id: 'b3', score: null },
    { id: 'b4', score: null },
  ]);
});

test('numbers stored as text are numbers, what is malformed is null, nothing costs the row', async (t) => {
  const { nodes: found, errors } = await nodes('pages price shelf lendable printed');
  t.deepEqual(errors, []);
  t.deepEqual(found, [
    { pages: 120, price: 12.5, shelf: 1, lendable: true, printed: '2001-05-01' },
    { pages: 80, price: 0, shelf: null, lendable: false, printed: '2010-01-01' },
    { pages: 80, price: null, shelf: null, lendable: null, printed: null },
    { pages: 300, price: null, shelf: null, lendable: null, printed: null },
  ]);
});

test('declared lists are lists, undeclared ones give their first value and one warning', async (t) => {
  const { nodes: found, warnings } = await nodes('genres languages');
  t.deepEqual(found, [
    { genres: ['maps', 'travel'], languages: 'en' },
    { genres: ['nature'], languages: null },
    { genres: [], languages: null },
    { genres: ['travel'], languages: null },
  ]);
  t.is(warnings.length, 1);
  t.regex(warnings[0]!, /languages.*isArray/);
});

test('sanitised names carry their values; objects that are absent are null', async (t) => {
  const { nodes: found } = await nodes('isbn_10 _2nd_title publisher { name seat { City } }');
  t.deepEqual(found?.slice(0, 2), [
    { isbn_10: '3-16', _2nd_title: 'Rivers', publisher: { name: 'North', seat: { City: 'Oslo' } } },
    { isbn_10: null, _2nd_title: null, publisher: null },
  ]);
});

test('objects without mapped properties come back whole', async (t) => {
  const { nodes: found } = await nodes('extra');
  t.deepEqual(found, [
    { extra: { any: { thing: [1, 2] } } },
    { extra: null },
    { extra: [{ a: 1 }, { b: 2 }] },
    { extra: null },
  ]);
});

test('nested objects are connections: one object is one hit, an empty list none, an absent field null', async (t) => {
  const { nodes: found, errors } = await nodes(
    `copies { hits(first: 1, filters: {op: "in", content: {fieldName: "copies.state", value: ["none"]}}) {
       total edges { searchAfter node { state loans { hits { total edges { node { reader } } } } } } }
       aggregations { state { bucket_count } } mapping configs { extended } }`,
  );
  const beside = { aggregations: null, mapping: null, configs: null };
  const edge = (state: string | null, loans: unknown) => ({ searchAfter: null, node: { state, loans } });
  const lent = { hits: { total: 1, edges: [{ node: { reader: 'ann' } }] } };
  const none = { hits: { total: 0, edges: [] } };
  t.deepEqual(errors, []);
  t.deepEqual(found, [
    { copies: { hits: { total: 2, edges: [edge('good', lent), edge('worn', none)] }, ...beside } },
    { copies: { hits: { total: 1, edges: [edge('good', null)] }, ...beside } },
    { copies: { hits: none.hits, ...beside } },
    { copies: { hits: { total: 1, edges: [edge(null, null)] }, ...beside } },
  ]);
});

test('nested nodes have ids of their own', async (t) => {
  const { nodes: found, errors } = await nodes('copies { hits { edges { node { id } } } }');
  t.deepEqual(errors, []);
  const [first] = found as { copies: { hits: { edges: { node: { id: string } }[] } } }[];
  t.deepEqual(
    first!.copies.hits.edges.map(({ node }) => node.id),
    ['atlas.copies.0', 'atlas.copies.1'],
  );
});

test('only what is selected is requested from the engine, nested objects whole', async (t) => {
  const requested = async (selection: string) => (await nodes(selection)).source;
  t.deepEqual(await requested('title publisher { seat { City } }'), ['title', 'publisher.seat.City']);
  t.deepEqual(await requested('copies { hits { total } }'), ['copies']);
  t.deepEqual(await requested('copies { hits { edges { node { state } } } } ...on bookNode { title }'), [
    'copies',
    'title',
  ]);
  t.deepEqual(await requested('isbn_10 title @skip(if: true)'), ['isbn-10']);
  t.deepEqual(await requested('_source(paths: ["copies.state", "other"])'), ['copies.state', 'other']);
  t.is(await requested('title _source'), null);
});

test('the source is the document or the paths requested', async (t) => {
  const { nodes: found } = await nodes('_source(paths: ["title", "copies.state", "publisher.seat"])');
  t.deepEqual(found?.slice(0, 2), [
    {
      _source: {
        title: 'Atlas',
        copies: [{ state: 'good' }, { state: 'worn' }],
        publisher: { seat: { City: 'Oslo' } },
      },
    },
    { _source: { title: 'Bees', copies: { state: 'good' } } },
  ]);
  const whole = await nodes('_source');
  t.deepEqual(whole.nodes?.[1], { _source: books['b2'] });
});

test('a mapped score is shown in place of the relevance', async (t) => {
  const engine = scriptedEngine({
    describe: () => ({ properties: { score: { type: 'keyword' } } }),
    search: () => ({ hits: { total: 1, hits: [{ id: 'k', source: { score: 'high' }, cursor: [] }] } }),
  });
  const { data } = await runOperation(engine, {
    source: '{ book { hits { edges { node { id score } } } } }',
  });
  t.deepEqual(data, { book: { hits: { edges: [{ node: { id: 'k', score: 'high' } }] } } });
});

test("searchAfter is the hit's cursor", async (t) => {
  const { data } = await runOperation(shelf(), {
    source: '{ book { hits(first: 1) { edges { searchAfter } } } }',
  });
  t.deepEqual(data, { book: { hits: { edges: [{ searchAfter: ['b1'] }] } } });
  const uncontinued = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: () => ({ hits: { total: 1, hits: [{ id: 'b1', source: {}, cursor: [] }] } }),
  });
  const { data: last } = await runOperation(uncontinued, {
    source: '{ book { hits(first: 1) { edges { searchAfter } } } }',
  });
  t.deepEqual(last, { book: { hits: { edges: [{ searchAfter: null }] } } });
});

test('fields called what every object inherits are absent where the document has none', async (t) => {
  const engine = scriptedEngine({
    describe: () => ({
      properties: {
        constructor: { type: 'keyword' },
        valueOf: { properties: { toString: { type: 'keyword' } } },
        isPrototypeOf: { type: 'nested', properties: { n: { type: 'integer' } } },
      },
    }),
    search: () => ({
      hits: {
        total: 2,
        hits: [
          { id: 'a', source: {}, cursor: [1] },
          { id: 'b', source: { constructor: 'Brunel', valueOf: {} }, cursor: [2] },
        ],
      },
    }),
  });
  const { data, errors } = await runOperation(engine, {
    source: `{ book { hits { edges { node { constructor valueOf { toString } isPrototypeOf { hits { total } } } } } } }`,
  });
  t.deepEqual(errors, []);
  const { book } = data as { book: { hits: { edges: { node: unknown }[] } } };
  t.deepEqual(
    book.hits.edges.map(({ node }) => node),
    [
      { constructor: null, valueOf: null, isPrototypeOf: null },
      { constructor: 'Brunel', valueOf: { toString: null }, isPrototypeOf: null },
    ],
  );
});
