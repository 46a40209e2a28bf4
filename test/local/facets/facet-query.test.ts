import test from 'ava';
import { facetQueries } from '../../../src/local/search/query-filter.ts';
import type { FacetMeasure } from '../../../src/search/query.ts';
import { leaf } from '../../../src/sqon/ast.ts';
import { all } from '../../../src/sqon/filter.ts';
import { compileSqon } from '../../../src/sqon/compile.ts';
import { bookFields } from '../catalogue-fixture.ts';

const fields = bookFields();
const open = {
  fields,
  nestingPrefix: null,
  query: { filters: null, filterThemselves: false, includeMissing: true },
  access: null,
  compiled: new Map(),
};
const terms = (changes: Partial<Extract<FacetMeasure, { kind: 'terms' }>> = {}): FacetMeasure => ({
  kind: 'terms',
  max: null,
  ...changes,
});

test('a facet does not narrow itself unless that is set', (t) => {
  const filters = leaf('in', 'title', ['Atlas']);
  const facets = [
    { field: 'title', measure: terms() },
    { field: 'genres', measure: terms() },
  ];
  const filtersOf = (filterThemselves: boolean) =>
    facetQueries(facets, { ...open, query: { filters, filterThemselves, includeMissing: true } }).map(
      ({ filter }) => filter,
    );
  const own = compileSqon(filters, fields);
  t.deepEqual(filtersOf(false), [all, own]);
  t.deepEqual(filtersOf(true), [own, own]);
});

test('the measures of one field share one filter', (t) => {
  const query = { filters: leaf('in', 'title', ['Atlas']), filterThemselves: false, includeMissing: true };
  const [one, other] = facetQueries(
    [
      { field: 'genres', measure: terms() },
      { field: 'genres', measure: { kind: 'cardinality' } },
    ],
    { ...open, query },
  );
  t.is(one?.filter, other?.filter);
});

test('the top hit of a nested facet is the nested object, and its paths are relative to it', (t) => {
  const topHits = { source: ['copies.state', 'bought'], size: 1 };
  const sourceOf = (field: string) => {
    const [query] = facetQueries([{ field, measure: terms({ topHits }) }], open);
    return query?.measure.kind === 'terms' ? query.measure.topHits?.source : undefined;
  };
  t.deepEqual(sourceOf('copies.state'), ['state', 'bought']);
  t.deepEqual(sourceOf('title'), ['copies.state', 'bought']);
});

const refused: readonly (readonly [string, FacetMeasure])[] = [
  ['nope', terms()],
  ['pages', { kind: 'histogram', interval: 0 }],
  ['pages', { kind: 'histogram', interval: NaN }],
  ['pages', { kind: 'range', ranges: [] }],
  ['pages', { kind: 'range', ranges: Array(1001).fill({ key: '1-2', from: 1, to: 2 }) }],
  ['title', terms({ max: 0 })],
];
for (const [field, measure] of refused)
  test(`${JSON.stringify(measure).slice(0, 80)} of ${field} is refused by name`, (t) => {
    const error = t.throws(() => facetQueries([{ field, measure }], open), { code: 'BAD_USER_INPUT' });
    t.true(error.message.includes(field));
  });

test('objects can be counted: every document lacks a value of their own', (t) => {
  const measured = (field: string) => facetQueries([{ field, measure: terms() }], open)[0]?.field.path;
  t.is(measured('publisher'), 'publisher');
  t.is(measured('extra'), 'extra');
});

test('the engine learns which parts of a terms facet are not used', (t) => {
  const requested = [{ field: 'title', measure: { kind: 'terms', max: 5, distinct: false } as const }];
  const measureWith = (includeMissing: boolean) =>
    facetQueries(requested, { ...open, query: { ...open.query, includeMissing } })[0]!.measure;
  t.deepEqual(measureWith(true), { kind: 'terms', size: 5, distinct: false });
  t.deepEqual(measureWith(false), { kind: 'terms', size: 5, distinct: false, missing: false });
});
