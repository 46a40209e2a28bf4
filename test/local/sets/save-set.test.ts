import test from 'ava';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { maxSetSize } from '../../../src/search/saved-set.ts';
import { leaf } from '../../../src/sqon/ast.ts';
import { bookProperties, contextWith } from '../catalogue-fixture.ts';
import { library, run } from './library.ts';

const saved = 'setId createdAt ids path size sqon type userId';
const travel = { op: 'in', content: { fieldName: 'genres', value: 'travel' } };

test('a set holds the values of a path over all matches, whatever the results window', async (t) => {
  const catalogue = await (
    await library()
  ).open({
    table: { columns: null, defaultSorting: [], maxResultsWindow: 1, rowIdFieldName: 'id' },
  });
  const source = `mutation($f: JSON!) { saveSet(type: book, userId: "u1", path: "title", sqon: $f,
    sort: [{ fieldName: "title", order: desc }], refresh: WAIT_FOR) { ${saved} } }`;
  const { data, errors } = await run(catalogue, source, { f: travel });
  t.deepEqual(errors, []);
  const { setId, createdAt, ...set } = (data as { saveSet: Record<string, unknown> }).saveSet;
  t.regex(String(setId), /^[0-9a-f-]{36}$/);
  t.regex(String(createdAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  t.deepEqual(set, {
    ids: ['Dunes', 'Atlas'],
    path: 'title',
    size: 2,
    sqon: travel,
    type: 'book',
    userId: 'u1',
  });
});

test('where filters are disabled a set of all documents is saved, and none of a filter', async (t) => {
  const switches = { ...noSwitches, enableSets: true, disableFilters: true };
  const catalogue = await (await library()).open({ switches });
  const source = 'mutation($f: JSON!) { saveSet(type: book, path: "title", sqon: $f) { size } }';
  t.deepEqual((await run(catalogue, source, { f: {} })).data, { saveSet: { size: 4 } });
  const { errors } = await run(catalogue, source, { f: travel });
  t.regex(JSON.stringify(errors), /filters are disabled here/);
});

test('paths through nested fields, escaped paths and the document key give their values', async (t) => {
  const catalogue = await (await library()).open();
  for (const [path, ids] of [
    ['copies.state', ['good', 'worn']],
    ['copies__loans__reader', ['ann']],
    ['isbn_10', ['3-16']],
    ['pages', ['120', '80', '300']],
    ['_id', ['b1', 'b2', 'b3', 'b4']],
  ] as const) {
    const source = `mutation { saveSet(type: book, path: "${path}", sqon: {}) { ids size } }`;
    const { data } = await run(catalogue, source);
    t.deepEqual(data, { saveSet: { ids, size: ids.length } }, path);
  }
});

test('a field that documents hold under another path, or not at all, has its values', async (t) => {
  const properties = {
    ...bookProperties,
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    length: { type: 'alias', path: 'pages' },
    site: { type: 'constant_keyword', value: 'Oslo' },
    place: { type: 'alias', path: 'site' },
    // the engine of these tests refuses objects there otherwise
    labels: { type: 'flattened', ignore_malformed: true },
  };
  const catalogue = await (
    await library(
      { one: { title: 'Atlas', pages: 12 }, two: { title: 'Bees', pages: 80, labels: { 'made.in': 'Ulm' } } },
      properties,
    )
  ).open();
  for (const [path, ids] of [
    ['title.raw', ['Atlas', 'Bees']],
    ['length', ['12', '80']],
    ['site', ['Oslo']],
    ['place', ['Oslo']],
    ['labels', ['Ulm']],
    ['labels.made.in', ['Ulm']],
  ] as const) {
    const { data } = await run(
      catalogue,
      `mutation { saveSet(type: book, path: "${path}", sqon: {}) { ids } }`,
    );
    t.deepEqual(data, { saveSet: { ids } }, path);
  }
});

test('an empty text of a boolean field is held as it is searched', async (t) => {
  const catalogue = await (await library({ no: { lendable: '' }, not: { lendable: false } })).open();
  const { data } = await run(
    catalogue,
    'mutation { saveSet(type: book, path: "lendable", sqon: {}) { ids } }',
  );
  t.deepEqual(data, { saveSet: { ids: ['false'] } });
});

test('numbers are held as they are searched, each once', async (t) => {
  const odd = { cut: { pages: 2.9 }, signed: { pages: '+12' }, plain: { pages: 12 } };
  const catalogue = await (await library(odd)).open();
  const { data } = await run(catalogue, 'mutation { saveSet(type: book, path: "pages", sqon: {}) { ids } }');
  t.deepEqual(data, { saveSet: { ids: ['2', '12'] } });
});

test('whole numbers beyond 2^53 are held in one form, however documents write them', async (t) => {
  const least = '-9223372036854775808';
  // a number of JavaScript prints as -9223372036854776000
  const serials = {
    text: { serial: least },
    number: { serial: -(2 ** 63) },
    other: { serial: '9007199254740993' },
  };
  const properties = { ...bookProperties, serial: { type: 'long' } };
  const catalogue = await (await library(serials, properties)).open();
  const { data } = await run(
    catalogue,
    'mutation { saveSet(type: book, path: "serial", sqon: {}) { setId ids size } }',
  );
  const { setId, ...set } = (data as { saveSet: { setId: string; ids: readonly string[] } }).saveSet;
  t.deepEqual({ ...set, ids: set.ids.toSorted() }, { ids: [least, '9007199254740993'], size: 2 });
  const filters = { op: 'in', content: { fieldName: 'serial', value: [`set_id:${setId}`] } };
  const found = await run(catalogue, 'query($f: JSON) { book { hits(filters: $f) { total } } }', {
    f: filters,
  });
  t.deepEqual(found.data, { book: { hits: { total: 3 } } });
});

test('a set holds only what the caller may see', async (t) => {
  const catalogue = await (await library()).open();
  const source = 'mutation { saveSet(type: book, path: "title", sqon: {}) { ids } }';
  const { data } = await run(catalogue, source, {}, contextWith(leaf('in', 'pages', [80])));
  t.deepEqual(data, { saveSet: { ids: ['Bees', 'Clouds'] } });
});

test('what cannot be a set is refused', async (t) => {
  const many = { title: Array.from({ length: maxSetSize + 1 }, (_, number) => `t${number}`) };
  const catalogue = await (await library({ many })).open();
  for (const [args, reason] of [
    ['path: "titel", sqon: {}', /unknown field titel/],
    ['path: "copies", sqon: {}', /copies of type nested.*name a field in it/],
    ['path: "publisher", sqon: {}', /publisher of type object/],
    ['path: "title", sqon: { op: "near" }', /\$\.op/],
    ['path: "title", sqon: {}', /more than 65536 values of title; narrow the filter/],
  ] as const) {
    const { codes, errors } = await run(catalogue, `mutation { saveSet(type: book, ${args}) { setId } }`);
    t.deepEqual(codes, ['BAD_USER_INPUT'], args);
    t.regex(errors[0]!, reason);
  }
  const ofSets = await run(catalogue, 'mutation { saveSet(type: sets, path: "ids", sqon: {}) { setId } }');
  t.regex(ofSets.errors[0]!, /type must be book/);
  t.deepEqual((await run(catalogue, '{ sets { hits { total } } }')).data, { sets: { hits: { total: 0 } } });
});

test('a user is named by at most 256 characters', async (t) => {
  const catalogue = await (await library()).open({});
  const source = `mutation($f: JSON!, $user: String) { saveSet(type: book, userId: $user, path: "title", sqon: $f) { size } }`;
  const fitting = await run(catalogue, source, { f: travel, user: 'u'.repeat(256) });
  t.deepEqual(fitting, { data: { saveSet: { size: 2 } }, errors: [], codes: [] });
  const { errors } = await run(catalogue, source, { f: travel, user: 'u'.repeat(257) });
  t.regex(JSON.stringify(errors), /userId has 257 characters, at most 256 are allowed/);
});

test('a set of exactly the maximum size is saved', async (t) => {
  const full = { title: Array.from({ length: maxSetSize }, (_, number) => `t${number}`) };
  const catalogue = await (await library({ full })).open();
  const source = 'mutation { saveSet(type: book, path: "title", sqon: {}) { size } }';
  t.deepEqual((await run(catalogue, source)).data, { saveSet: { size: maxSetSize } });
});
