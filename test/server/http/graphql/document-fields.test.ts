import test from 'ava';
import { parse } from 'graphql';
import {
  describes,
  introspects,
  selectsRoot,
  usesFilters,
} from '../../../../src/server/http/graphql/graphql-request.ts';
import { fieldsIn, rootFieldsOf } from '../../../../src/server/http/graphql/parse-document.ts';

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['fields', '{ network { total } book { hits { total } } }', ['network', 'book']],
  ['an alias', '{ network: book { hits { total } } }', ['book']],
  ['an aliased field', '{ all: network { total } }', ['network']],
  ['the word elsewhere', 'query network($network: String = "network") { book { network } }', ['book']],
  [
    'fragments',
    'query { ...a ... on Root { book } } fragment a on Root { ...b } fragment b on Root { network }',
    ['network', 'book'],
  ],
  ['a fragment that nothing uses', '{ book } fragment a on Root { network }', ['book']],
  ['fragments in a circle', '{ ...a } fragment a on Root { x ...b } fragment b on Root { ...a }', ['x']],
  ['no GraphQL', '{ network', []],
];

for (const [what, query, names] of cases)
  test(`${what} at the root`, (t) => {
    const fields = fieldsIn({ query });
    t.deepEqual([...(fields?.roots ?? [])].sort(), [...names].sort());
  });

test('thousands of fragments, in a row and in a circle', (t) => {
  const fragments = (last: string): string =>
    Array.from(
      { length: 10_000 },
      (_, at) => `fragment f${at} on Root { ${at < 9_999 ? `...f${at + 1}` : last} }`,
    ).join(' ');
  t.deepEqual([...rootFieldsOf(parse(`{ ...f0 } ${fragments('book { id }')}`))], ['book']);
  t.deepEqual([...rootFieldsOf(parse(`{ ...f0 } ${fragments('...f0')}`))], []);
});

const leaf = '{op: "in", content: {fieldName: "title", value: ["x"]}}';
const filter = { op: 'in', content: { fieldName: 'title', value: ['x'] } };

for (const [name, params] of [
  ['written out', { query: `{ print { hits(filters: ${leaf}) { total } } }` }],
  [
    'in a variable',
    { query: 'query($f: JSON) { print { hits(filters: $f) { total } } }', variables: { f: filter } },
  ],
  [
    'in the default of a variable',
    { query: `query($f: JSON = ${leaf}) { print { hits(filters: $f) { total } } }` },
  ],
  [
    'with a variable inside',
    {
      query: 'query($c: JSON) { print { hits(filters: {op: "in", content: $c}) { total } } }',
      variables: { c: {} },
    },
  ],
  [
    'in a fragment',
    { query: `{ print { ...F } } fragment F on print { aggregations(filters: ${leaf}) { x } }` },
  ],
  [
    'of a bucket',
    { query: `{ print { aggregations { x { buckets { filter_by_term(filter: ${leaf}) } } } } }` },
  ],
  ['of a set', { query: `mutation { saveSet(type: print, sqon: ${leaf}, path: "id") { setId } }` }],
  [
    'as the usual variable, used or not',
    { query: '{ print { hits { total } } }', variables: { filters: filter } },
  ],
] as const)
  test(`a filter ${name}`, (t) => {
    t.true(usesFilters(params));
  });

for (const [name, params] of [
  ['without one', { query: '{ print { hits { total } } }' }],
  ['null', { query: '{ print { hits(filters: null) { total } } }' }],
  [
    'a variable that is null, whatever its default',
    {
      query: `query($f: JSON = ${leaf}) { print { hits(filters: $f) { total } } }`,
      variables: { f: null },
    },
  ],
  ['a document that does not parse', { query: '{ print(' }],
] as const)
  test(`no filter: ${name}`, (t) => {
    t.false(usesFilters(params));
  });

const requestOf = (...queries: readonly string[]) => ({
  method: 'POST' as const,
  params: queries.map((query) => ({ query })),
  simple: false,
});

for (const [what, query, expected] of [
  ['the schema', '{ __schema { types { name } } }', [true, true]],
  ['a type', '{ __type(name: "x") { name } }', [true, true]],
  ['a type under an alias', '{ x: __type(name: "x") { name } }', [true, true]],
  ['below another root', '{ viewer { viewer { __schema { types { name } } } } }', [true, true]],
  ['in a fragment', '{ ...F } fragment F on Root { __schema { types { name } } }', [true, true]],
  ['the configuration', '{ book { configs { extended } } }', [false, true]],
  ['type names only', '{ book { __typename hits { total } } }', [false, false]],
  ['the words in a text', '{ book { hits(filters: "__schema configs") { total } } }', [false, false]],
  ['the words in a comment', '{ book { hits { total } } } # __schema configs', [false, false]],
  ['the word as an alias', '{ __schema: book { configs: hits { total } } }', [false, false]],
  ['what does not parse', '{ __schema configs', [false, false]],
] as const)
  test(`reads the schema, the fields: ${what}`, (t) => {
    t.deepEqual([introspects(requestOf(query)), describes(requestOf(query))], [...expected]);
    t.is(introspects(requestOf('{ book { hits { total } } }', query)), expected[0]);
  });

test('a root field is selected by its name, not by the word', (t) => {
  t.true(selectsRoot(requestOf('{ a: network { total } }'), 'network'));
  t.false(selectsRoot(requestOf('{ network: book { network } }'), 'network'));
});
