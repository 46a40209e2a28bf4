import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { fieldNamed } from '../../../src/introspection/fields/field.ts';
import { upperOf } from '../../../src/search/count.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { accessFilter } from '../../../src/local/search/query-filter.ts';
import type {
  CatalogueResult,
  CatalogueQuery,
  FacetRequest,
  HitsRequest,
} from '../../../src/search/query.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import type { Sqon } from '../../../src/sqon/ast.ts';
import { group, leaf, wildcard } from '../../../src/sqon/ast.ts';
import { openNaiveEngine } from '../../engines/naive.ts';
import { chainOf, holds } from '../../sqon/evaluate-sqon.ts';
import { books, filters, library, libraryProperties } from '../../sqon/fixture.ts';
import { bookConfig, bookFields, contextWith } from '../catalogue-fixture.ts';

const fieldNames = (sqon: Sqon): readonly string[] =>
  sqon.kind === 'group'
    ? sqon.content.flatMap(fieldNames)
    : sqon.kind === 'leaf'
      ? [sqon.fieldName]
      : sqon.kind === 'multi'
        ? sqon.fieldNames
        : [];

const accessFilters = filters.filter((sqon) =>
  fieldNames(sqon).every((name) => fieldNamed(library, name) !== undefined),
);

const termsFields = fc.constantFrom(
  'title',
  'pages',
  'press.name',
  'copies.shelf',
  'copies.loans.reader',
  'copies.loans.days',
  'reviews.by',
  'press',
);
const numberFields = fc.constantFrom('pages', 'copies.worn', 'copies.loans.days', 'reviews.stars');

const facets: fc.Arbitrary<FacetRequest> = fc.oneof(
  fc.record({
    field: termsFields,
    measure: fc.record(
      {
        kind: fc.constant('terms' as const),
        max: fc.constantFrom(null, 1, 2),
        topHits: fc.record({ source: fc.constantFrom(null, ['title', 'shelf']), size: fc.constant(1) }),
        filters: fc.array(filters, { maxLength: 2 }),
      },
      { requiredKeys: ['kind', 'max'] },
    ),
  }),
  fc.record({
    field: numberFields,
    measure: fc.constantFrom<FacetRequest['measure']>(
      { kind: 'stats' },
      { kind: 'cardinality' },
      { kind: 'histogram', interval: 2 },
      {
        kind: 'range',
        ranges: [
          { key: 'low', to: 1 },
          { key: 'high', from: 1 },
        ],
      },
    ),
  }),
);

const hits: fc.Arbitrary<HitsRequest> = fc.record({
  first: fc.integer({ min: 0, max: 6 }),
  offset: fc.constantFrom(0, 0, 1, 3),
  sort: fc.array(
    fc.record({
      fieldName: fc.constantFrom('title', 'pages', 'copies.worn', 'reviews.by', '_id'),
      order: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    { maxLength: 2 },
  ),
  searchAfter: fc.constant(null),
  trackTotal: fc.boolean(),
  fields: fc.constantFrom(null, ['title', 'copies'], []),
});

const queries: fc.Arbitrary<CatalogueQuery> = fc.record({
  filters: fc.option(filters),
  filterThemselves: fc.boolean(),
  includeMissing: fc.boolean(),
  facets: fc.array(facets, { maxLength: 3 }),
  hits: fc.option(hits),
});

/** An index of these documents that were written in the same places as those left out. */
const load = async (
  engine: Engine,
  index: string,
  documents: readonly JsonObject[],
  kept: ReadonlySet<number>,
) => {
  await engine.manage({ kind: 'create', index, mapping: { properties: libraryProperties } });
  await engine.write(
    index,
    documents.map((document, index) => ({ kind: 'upsert', id: `b${index}`, document }) as const),
  );
  const hidden = [...documents.keys()].filter((index) => !kept.has(index));
  await engine.write(
    index,
    hidden.map((index) => ({ kind: 'delete', id: `b${index}` }) as const),
  );
  const state = await openCatalogue(bookConfig({ esIndex: index, extended: [] }), engine, {});
  if (state.status === 'failed') throw state.error;
  return state.catalogue;
};

/** The answer, with the page after it; or the refusal, which must not depend on what is hidden either. */
const outcome = async (
  search: (query: CatalogueQuery) => Promise<CatalogueResult>,
  query: CatalogueQuery,
): Promise<readonly CatalogueResult[] | string> => {
  try {
    const answer = await search(query);
    const last = answer.hits.at(-1);
    if (last === undefined || query.hits === null) return [answer];
    return [answer, await search({ ...query, hits: { ...query.hits, offset: 0, searchAfter: last.cursor } })];
  } catch (error) {
    if (error instanceof TributaryError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

test('no query tells of what the access filter hides: rows, totals, buckets, statistics, top hits', async (t) => {
  const numRuns = runs(300);
  let hidden = 0;
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(books, { maxLength: 7 }),
      accessFilters,
      queries,
      async (all, access, query) => {
        const documents = all as readonly JsonObject[];
        const places = [...all.keys()].filter((index) => holds(access, chainOf(all[index]!), library));
        const engine = openNaiveEngine();
        const whole = await load(engine, 'whole', documents, new Set(documents.keys()));
        const allowed = await load(engine, 'allowed', documents, new Set(places));
        const seen = await outcome((requested) => whole.search(requested, contextWith(access)), query);
        t.deepEqual(
          seen,
          await outcome((requested) => allowed.search(requested, contextWith(access)), query),
        );
        const isFlat = fieldNames(access).every((name) => fieldNamed(library, name)!.nestedIn.length === 0);
        if (isFlat)
          t.deepEqual(seen, await outcome((requested) => allowed.search(requested, contextWith()), query));
        if (typeof seen === 'string') return;
        if (places.length < all.length) hidden += 1;
        answered += 1;
        const ids = new Set(places.map((index) => `b${index}`));
        for (const { hits: found, total } of seen) {
          t.true(found.every(({ id }) => ids.has(id)));
          t.true(upperOf(total ?? 0)! <= ids.size);
        }
      },
    ),
    { numRuns },
  );
  t.true(
    answered > numRuns / 3 && hidden > numRuns / 6,
    `${answered} of ${numRuns} queries answered, ${hidden} with something hidden`,
  );
});

test('an access filter that does not fit its catalogue denies', async (t) => {
  const fields = bookFields();
  for (const misfit of [
    leaf('in', 'study', ['A']),
    leaf('not-in', 'study', ['A']),
    group('or', [leaf('in', 'title', ['Atlas']), leaf('not-in', 'study', ['A'])]),
    wildcard(['title', 'study'], '*'),
    leaf('in', 'pages', ['many']),
    leaf('in', 'title', ['set_id:1']),
    group('and', [leaf('in', 'title', ['Atlas'])], 'publisher'),
  ])
    await t.throwsAsync(accessFilter('library', fields, contextWith(misfit)), { code: 'FORBIDDEN' });
  t.is(await accessFilter('library', fields, contextWith()), null);
  const nothing = leaf('in', 'title', []);
  t.is(await accessFilter('library', fields, contextWith(nothing)), nothing);
});
