import test from 'ava';
import { expandQuery } from '../../../src/local/search/query-filter.ts';
import type { CatalogueQuery } from '../../../src/search/query.ts';
import type { SetStore } from '../../../src/search/saved-set.ts';
import type { Sqon } from '../../../src/sqon/ast.ts';
import { group, leaf } from '../../../src/sqon/ast.ts';
import { contextWith } from '../catalogue-fixture.ts';

const queryWith = (filters: Sqon | null): CatalogueQuery => ({
  filters,
  filterThemselves: false,
  includeMissing: true,
  facets: [],
  hits: null,
});

/** Sets of so many values each; requested one by one. */
const storeOf = (size: number): SetStore & { readonly requested: string[] } => {
  const requested: string[] = [];
  const values = Array.from({ length: size }, (_, number) => `v${number}`);
  return {
    requested,
    save: async () => {},
    search: () => () => Promise.reject(new Error('not used')),
    valuesOf: async (setIds) => {
      requested.push(...setIds);
      return new Map(setIds.map((setId) => [setId, values]));
    },
  };
};

test('a query without sets asks for none and stays as it is', async (t) => {
  const store = storeOf(1);
  const query = queryWith(leaf('in', 'title', ['a']));
  t.is(await expandQuery(query, store, 'library', contextWith()), query);
  t.deepEqual(store.requested, []);
});

test('a set named twice is fetched once', async (t) => {
  const store = storeOf(2);
  const named = leaf('in', 'title', ['set_id:s', 'own']);
  const expanded = await expandQuery(queryWith(group('or', [named, named])), store, 'library', contextWith());
  const values = ['own', 'v0', 'v1'];
  t.like(expanded.filters, { content: [{ values }, { values }] });
  t.deepEqual(store.requested, ['s']);
});

test('the number of sets and of their values together is bounded', async (t) => {
  const many = leaf(
    'in',
    'title',
    Array.from({ length: 51 }, (_, number) => `set_id:${number}`),
  );
  await t.throwsAsync(expandQuery(queryWith(many), storeOf(0), 'library', contextWith()), {
    message: /names 51 saved sets, at most 50/,
  });
  const often = group(
    'or',
    Array.from({ length: 5 }, () => leaf('in', 'title', ['set_id:big'])),
  );
  await t.throwsAsync(expandQuery(queryWith(often), storeOf(60_000), 'library', contextWith()), {
    message: /more than 250000 values together/,
  });
});
