import test from 'ava';
import { sliceMs } from '../../../src/lib/concurrency/yield-to-event-loop.ts';
import type { FacetResult } from '../../../src/engines/measure.ts';
import type { ErrorCode } from '../../../src/lib/errors/errors.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { CatalogueQuery, HitsRequest } from '../../../src/search/query.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { originField } from '../../../src/introspection/fields/field.ts';
import { catalogueSearch } from '../../../src/local/search/search.ts';
import type { Sqon } from '../../../src/sqon/ast.ts';
import { group, leaf } from '../../../src/sqon/ast.ts';
import { bookConfig, bookFields, contextWith } from '../catalogue-fixture.ts';
import { scriptedEngine } from '../scripted-engine.ts';

const page = (changes: Partial<HitsRequest> = {}): HitsRequest => ({
  first: 10,
  offset: 0,
  sort: [],
  searchAfter: null,
  trackTotal: true,
  fields: ['title'],
  ...changes,
});

const queryWith = (changes: Partial<CatalogueQuery>): CatalogueQuery => ({
  filters: null,
  filterThemselves: false,
  includeMissing: true,
  facets: [],
  hits: null,
  ...changes,
});

const fields = bookFields();
const noHits = { hits: { total: 0, hits: [] } };
const terms: FacetResult = {
  kind: 'terms',
  buckets: [{ key: 'maps', count: 2 }],
  distinct: 1,
  missing: 3,
};

const searchWith = (
  facets: readonly FacetResult[] = [],
  config = bookConfig(),
  settings: { strictFilters?: boolean } = {},
) => {
  const engine = scriptedEngine({ search: () => ({ ...noHits, facets }) });
  return {
    engine,
    search: catalogueSearch({ config, index: 'books', fields, engine, settings }),
  };
};

const mapsOnly = leaf('in', 'genres', ['maps']);

test('a catalogue that disables filters refuses them before the engine is asked', async (t) => {
  const switches = { ...noSwitches, disableFilters: true };
  const { engine, search } = searchWith([], bookConfig({ switches }));
  await t.throwsAsync(search(queryWith({ filters: mapsOnly, hits: page() }), contextWith()), {
    code: 'FORBIDDEN',
  });
  t.is(engine.searches.length, 0);
  await t.notThrowsAsync(search(queryWith({ hits: page() }), contextWith()));
});

test('an access filter that does not fit denies before the engine is asked', async (t) => {
  const { engine, search } = searchWith();
  const misfit = group('not', [leaf('in', 'gone', ['x'])]);
  await t.throwsAsync(search(queryWith({ hits: page() }), contextWith(misfit)), { code: 'FORBIDDEN' });
  t.deepEqual(engine.searches, []);
});

test('an access filter of no values shows nothing', async (t) => {
  const { engine, search } = searchWith();
  await search(queryWith({ hits: page() }), contextWith(leaf('in', 'title', [])));
  t.deepEqual(engine.searches[0]!.hits!.filter, { kind: 'none' });
});

test('an unknown field in a filter is a warning, or an error when filters are strict', async (t) => {
  const query = queryWith({ filters: leaf('in', 'gone', ['x']), hits: page() });
  const answer = await searchWith().search(query, contextWith());
  t.is(answer.warnings.length, 1);
  t.regex(answer.warnings[0]!, /gone/);
  const strict = searchWith([], bookConfig(), { strictFilters: true });
  await t.throwsAsync(strict.search(query, contextWith()), { code: 'BAD_USER_INPUT' });
});

test('the missing count is left out when it was not to be included', async (t) => {
  const facets = [{ field: 'genres', measure: { kind: 'terms', max: null } as const }];
  const { search } = searchWith([terms]);
  t.deepEqual((await search(queryWith({ facets }), contextWith())).facets, [terms]);
  t.deepEqual((await search(queryWith({ facets, includeMissing: false }), contextWith())).facets, [
    { ...terms, missing: 0 },
  ]);
});

test('without a question there is no search', async (t) => {
  const { engine, search } = searchWith();
  const { origin, ...answer } = await search(queryWith({}), contextWith());
  t.is(origin?.generation, null);
  t.deepEqual(answer, {
    total: null,
    hits: [],
    facets: [],
    warnings: [],
  });
  t.deepEqual(engine.searches, []);
});

test('documents and top hits come out of their envelope', async (t) => {
  const config = bookConfig({ nestingPrefix: 'data' });
  const engine = scriptedEngine({
    search: () => ({
      hits: { total: 1, hits: [{ id: 'k', source: { data: { title: 'Atlas' } }, cursor: [1] }] },
      facets: [{ ...terms, buckets: [{ key: 'maps', count: 1, topHit: { data: { title: 'Atlas' } } }] }],
    }),
  });
  const search = catalogueSearch({
    config,
    index: 'books',
    fields: bookFields('data'),
    engine,
    settings: {},
  });
  const measure = { kind: 'terms', max: 5, topHits: { source: ['title'], size: 1 } } as const;
  const answer = await search(
    queryWith({ hits: page({ fields: ['title', 'other'] }), facets: [{ field: 'genres', measure }] }),
    contextWith(),
  );
  t.deepEqual(
    answer.hits.map(({ id, source, cursor }) => ({ id, source, cursor })),
    [{ id: 'k', source: { title: 'Atlas' }, cursor: [1] }],
  );
  t.deepEqual(answer.facets, [
    { ...terms, buckets: [{ key: 'maps', count: 1, topHit: { title: 'Atlas' } }] },
  ]);
  t.deepEqual(engine.searches[0]!.hits!.source, ['data.title', 'data.other']);
  t.deepEqual(engine.searches[0]!.facets[0]!.measure, {
    kind: 'terms',
    size: 5,
    topHits: { source: ['data.title'], size: 1 },
  });
});

const failures: readonly (readonly [ErrorCode, ErrorCode])[] = [
  ['index_not_found', 'ENGINE_UNAVAILABLE'],
  ['connection_error', 'ENGINE_UNAVAILABLE'],
  ['permission_denied', 'ENGINE_ERROR'],
  ['ENGINE_TIMEOUT', 'ENGINE_TIMEOUT'],
  ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
];
for (const [thrown, code] of failures)
  test(`${thrown} of the engine is ${code} in a search`, async (t) => {
    const engine = scriptedEngine({
      search: () => {
        throw new TributaryError(thrown, 'told so');
      },
    });
    const search = catalogueSearch({ config: bookConfig(), index: 'books', fields, engine, settings: {} });
    await t.throwsAsync(search(queryWith({ hits: page() }), contextWith()), { code });
  });

test('where a document came from is not shown, neither in hits nor in top hits', async (t) => {
  const stored = { title: 'Atlas', [originField]: { repository: 'R', organization: 'O', run: '1' } };
  const facet: FacetResult = { ...terms, buckets: [{ key: 'maps', count: 1, topHit: stored }] };
  const hits = { total: 1, hits: [{ id: 'a', source: stored, cursor: [] }] };
  const engine = scriptedEngine({ search: () => ({ hits, facets: [facet] }) });
  const search = catalogueSearch({ config: bookConfig(), index: 'books', fields, engine, settings: {} });
  const topHits = { kind: 'terms', max: null, topHits: { source: null, size: 1 } } as const;
  const requested = queryWith({
    hits: page({ fields: [originField] }),
    facets: [{ field: 'title', measure: topHits }],
  });
  const answer = await search(requested, contextWith(null));
  t.deepEqual(answer.hits[0]!.source, { title: 'Atlas' });
  const [shown] = answer.facets;
  t.deepEqual(shown?.kind === 'terms' && shown.buckets[0]!.topHit, { title: 'Atlas' });
});

test('the engine knows the timeout, and whether the caller retries', async (t) => {
  const sent: unknown[] = [];
  const engine = scriptedEngine({
    search: (_query, options) => {
      sent.push([options?.timeoutMs, options?.once]);
      return noHits;
    },
  });
  const settings = { searchTimeoutMs: 1_500 };
  const search = catalogueSearch({ config: bookConfig(), index: 'books', fields, engine, settings });
  await search(queryWith({ hits: page() }), contextWith());
  await search(queryWith({ hits: page() }), contextWith().withoutRetries());
  t.deepEqual(sent, [
    [1_500, false],
    [1_500, true],
  ]);
});

test('a search that is aborted fails with the reason, not with the engine error', async (t) => {
  const reason = new TributaryError('ENGINE_TIMEOUT', 'the request took too long');
  const engine = scriptedEngine({
    search: () => {
      throw new TributaryError('ENGINE_ERROR', 'cancelled');
    },
  });
  const search = catalogueSearch({ config: bookConfig(), index: 'books', fields, engine, settings: {} });
  const aborted = contextWith().withSignal(AbortSignal.abort(reason));
  t.is(await t.throwsAsync(search(queryWith({ hits: page() }), aborted)), reason);
});

test('the trace has the generation and the last update of each search, null where the engine has none', async (t) => {
  const context = contextWith();
  await searchWith().search(queryWith({ hits: page() }), context);
  const engine = scriptedEngine({ search: () => ({ ...noHits, generation: 'g7', lastWriteMs: 0 }) });
  const search = catalogueSearch({ config: bookConfig(), index: 'books', fields, engine, settings: {} });
  await search(queryWith({ hits: page() }), context);
  t.deepEqual(
    [...context.trace.generations],
    [
      [null, null],
      ['g7', '1970-01-01T00:00:00.000Z'],
    ],
  );
});

/** Takes longer than a slice of work may. */
const block = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sliceMs + 1);

test('others have their turn while a long filter is compiled, and between the rows of a page', async (t) => {
  const order: string[] = [];
  const source = (at: number) => ({
    get title() {
      order.push(`row ${at}`);
      if (at === 1) setImmediate(() => order.push('another, between rows'));
      block();
      return `t${at}`;
    },
  });
  const hits = [1, 2].map((at) => ({ id: `b${at}`, cursor: [], source: source(at) }));
  const engine = scriptedEngine({
    search: () => {
      order.push('search');
      return { hits: { total: 2, hits }, facets: [] };
    },
  });
  const search = catalogueSearch({ config: bookConfig(), index: 'books', fields, engine, settings: {} });
  const values = Array.from({ length: 2_000 }, (_, at) => `genre ${at}`);
  const filters: Sqon = {
    ...leaf('in', 'genres', []),
    get values() {
      block();
      return values;
    },
  };
  setImmediate(() => order.push('another, before it'));
  await search(queryWith({ filters, hits: page({ fields: null }) }), contextWith(null));
  t.deepEqual(
    [...new Set(order)],
    ['another, before it', 'search', 'row 1', 'another, between rows', 'row 2'],
  );
});

test('searches with short filters reach the engine in one turn, so that they are judged together', async (t) => {
  let begun = 0;
  const engine = scriptedEngine({
    search: () => {
      begun += 1;
      return noHits;
    },
  });
  const search = catalogueSearch({ config: bookConfig(), index: 'books', fields, engine, settings: {} });
  const filters: Sqon = {
    ...leaf('in', 'genres', []),
    get values() {
      block();
      return ['maps'];
    },
  };
  const context = contextWith(null);
  const all = Array.from({ length: 3 }, () => search(queryWith({ filters, hits: page() }), context));
  let begunInTurn = 0;
  setImmediate(() => (begunInTurn = begun));
  await Promise.all(all);
  await new Promise((resolve) => setImmediate(resolve));
  t.is(begunInTurn, 3);
});
