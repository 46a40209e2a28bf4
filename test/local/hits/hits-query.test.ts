import test from 'ava';
import type { HitsRequest, SortRequest } from '../../../src/search/query.ts';
import { hitsQuery } from '../../../src/local/hits/hits-query.ts';
import { all } from '../../../src/sqon/filter.ts';
import { bookConfig, bookFields } from '../catalogue-fixture.ts';

const fields = bookFields();
const title = fields.get('title')!.indexField;

const queryOf = (changes: Partial<HitsRequest>, maxResultsWindow = 10_000) => {
  const warnings: string[] = [];
  const { table } = bookConfig();
  const config = bookConfig({ table: { ...table, maxResultsWindow } });
  const request: HitsRequest = {
    first: 10,
    offset: 0,
    sort: [],
    searchAfter: null,
    trackTotal: true,
    fields: [],
    ...changes,
  };
  const query = hitsQuery(request, all, { config, fields, warn: (message) => void warnings.push(message) });
  return { query, warnings };
};
const sortOf = (sort: SortRequest) => queryOf({ sort: [sort] });

test('first is clamped to the results window, with a warning', (t) => {
  const { query, warnings } = queryOf({ first: 10, offset: 2 }, 4);
  t.is(query.size, 4);
  t.is(query.offset, 2);
  t.is(warnings.length, 1);
});

test('a page within the window is as requested', (t) => {
  const { query, warnings } = queryOf({ first: 10_000 });
  t.is(query.size, 10_000);
  t.deepEqual(warnings, []);
});

test('negative pages are errors', (t) => {
  t.throws(() => queryOf({ first: -1 }), { code: 'BAD_USER_INPUT', message: /first/ });
  t.throws(() => queryOf({ offset: -1 }), { code: 'BAD_USER_INPUT', message: /offset/ });
});

test('a page too deep for offsets points to searchAfter', (t) => {
  t.throws(() => queryOf({ first: 10, offset: 9_995 }), { code: 'BAD_USER_INPUT', message: /searchAfter/ });
  t.notThrows(() => queryOf({ first: 10, offset: 9_990 }));
  t.notThrows(() => queryOf({ first: 10, offset: 9_995 }, 20_000), 'a larger window reaches deeper');
  t.notThrows(() => queryOf({ first: 10, offset: 9_996 }, 4), 'only what the window leaves counts');
});

test('a cursor excludes an offset', (t) => {
  t.throws(() => queryOf({ searchAfter: ['a'], offset: 1 }), { code: 'BAD_USER_INPUT' });
  t.deepEqual(queryOf({ searchAfter: ['a'] }).query.searchAfter, ['a']);
});

test('a sort has at most 100 keys', (t) => {
  const keys = (count: number): SortRequest[] => Array(count).fill({ fieldName: 'title', order: 'asc' });
  t.notThrows(() => queryOf({ sort: keys(100) }));
  t.throws(() => queryOf({ sort: keys(101) }), { code: 'BAD_USER_INPUT', message: /100 keys/ });
});

test('a sort key gets the defaults of its order', (t) => {
  t.deepEqual(sortOf({ fieldName: 'title', order: 'asc' }).query.sort, [
    { field: title, order: 'asc', missing: 'first', mode: 'min' },
  ]);
  t.deepEqual(sortOf({ fieldName: 'title', order: 'desc' }).query.sort, [
    { field: title, order: 'desc', missing: 'last', mode: 'max' },
  ]);
});

test('a sort key keeps what it says', (t) => {
  t.deepEqual(sortOf({ fieldName: 'pages', order: 'desc', mode: 'avg', missing: 'first' }).query.sort, [
    { field: fields.get('pages')!.indexField, order: 'desc', missing: 'first', mode: 'avg' },
  ]);
});

test('the document key and fields of nested objects can be sorted by', (t) => {
  t.is(sortOf({ fieldName: '_id', order: 'asc' }).query.sort[0]!.field.path, '_id');
  t.deepEqual(sortOf({ fieldName: 'copies.bought', order: 'asc' }).query.sort[0]!.field.nestedIn, ['copies']);
});

for (const fieldName of ['nope', 'blurb', 'publisher', 'copies', 'copies__bought', 'hits.total'])
  test(`sort by ${fieldName} is an error that names it`, (t) => {
    const error = t.throws(() => sortOf({ fieldName, order: 'asc' }), { code: 'BAD_USER_INPUT' });
    t.true(error.message.includes(fieldName));
  });

test('a mean of keywords is an error', (t) => {
  t.throws(() => sortOf({ fieldName: 'title', order: 'asc', mode: 'avg' }), { code: 'BAD_USER_INPUT' });
});

test('sort by the number of nested hits, or what portals write instead, is left out with a warning', (t) => {
  for (const fieldName of ['copies.hits.total', 'copies.loans.hits.total', '_score']) {
    const { query, warnings } = sortOf({ fieldName, order: 'asc' });
    t.deepEqual(query.sort, []);
    t.is(warnings.length, 1);
  }
});

test('the whole document is requested, or some paths', (t) => {
  t.is(queryOf({ fields: null }).query.source, null);
  t.deepEqual(queryOf({ fields: ['title', 'unmapped.path'] }).query.source, ['title', 'unmapped.path']);
});
