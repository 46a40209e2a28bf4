import test from 'ava';
import { usesFilters } from '../../../src/http/graphql/disabled-filters.ts';

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
