import test from 'ava';
import type { FacetQuery, SearchQuery } from '../../../src/engines/engine.ts';
import type { FacetResult } from '../../../src/engines/measure.ts';
import { TributaryError, type ErrorCode } from '../../../src/lib/errors/errors.ts';
import { bookProperties } from '../catalogue-fixture.ts';
import { runOperation } from '../run-operation.ts';
import { scriptedEngine } from '../scripted-engine.ts';

const counted = ({ field, measure: { kind } }: FacetQuery): FacetResult => {
  if (kind === 'cardinality') return { kind, value: 1, exact: true };
  if (kind === 'stats') return { kind, count: 1, min: 1, max: 1, sum: 1, avg: 1 };
  return { kind: 'terms', buckets: [{ key: field.path, count: 1 }], distinct: 1, missing: 0 };
};

/** An engine that refuses searches for some reason. */
const refusing = (reasonOf: (query: SearchQuery) => TributaryError | null) =>
  scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: (query) => {
      const reason = reasonOf(query);
      if (reason !== null) throw reason;
      return {
        facets: query.facets.map(counted),
        ...(query.hits && { hits: { total: 4, hits: [] } }),
        warnings: ['shards are slow', ...(query.hits ? [] : ['counts are old'])],
      };
    },
  });

const countsOf =
  (path: string) =>
  ({ facets }: SearchQuery): boolean =>
    facets.some(({ field }) => field.path === path);

const source = `{ book { hits { total } aggregations { genres { buckets { key } }
  title { bucket_count buckets { key } } pages { stats { max } } } } }`;

const answered = {
  hits: { total: 4 },
  aggregations: { genres: { buckets: [{ key: 'genres' }] }, title: null, pages: { stats: { max: 1 } } },
};

for (const code of ['BAD_USER_INPUT', 'ENGINE_ERROR'] as const)
  test(`a facet that the engine cannot compute fails alone: ${code}`, async (t) => {
    const engine = refusing((query) =>
      countsOf('title')(query) ? new TributaryError(code, 'no fielddata') : null,
    );
    const { data, errors, codes, warnings } = await runOperation(engine, { source });
    t.deepEqual(data, { book: answered });
    t.deepEqual([errors, codes], [['no fielddata'], [code]]);
    t.deepEqual(warnings, ['shards are slow', 'counts are old']);
  });

test('where the error names the field, the others are searched for together', async (t) => {
  const engine = refusing((query) =>
    countsOf('title')(query)
      ? new TributaryError('BAD_USER_INPUT', 'no doc_values', { details: { fieldName: 'title' } })
      : null,
  );
  const { data } = await runOperation(engine, { source });
  t.deepEqual(data, { book: answered });
  t.deepEqual(
    engine.searches
      .map(({ facets }) => facets.map(({ field }) => field.path))
      .filter(({ length }) => length > 0),
    [
      ['genres', 'title', 'pages'],
      ['genres', 'pages'],
    ],
  );
});

test('a measure that fails beside another of its field fails alone', async (t) => {
  const engine = refusing(({ facets }) =>
    facets.some(({ measure }) => measure.kind === 'stats')
      ? new TributaryError('BAD_USER_INPUT', 'no')
      : null,
  );
  const both = '{ book { aggregations { pages { stats { max } cardinality } } } }';
  const { data, codes } = await runOperation(engine, { source: both });
  t.deepEqual(data, { book: { aggregations: { pages: { stats: null, cardinality: 1 } } } });
  t.deepEqual(codes, ['BAD_USER_INPUT']);
});

const elsewhere: Readonly<Record<string, (query: SearchQuery) => ErrorCode | null>> = {
  'a filter that the engine refuses': () => 'BAD_USER_INPUT',
  'an engine that is away': ({ facets }) => (facets.length > 0 ? 'ENGINE_UNAVAILABLE' : null),
  'an engine that is slow': ({ facets }) => (facets.length > 0 ? 'ENGINE_TIMEOUT' : null),
};
for (const [what, codeOf] of Object.entries(elsewhere))
  test(`${what} fails the whole answer`, async (t) => {
    const engine = refusing((query) => {
      const code = codeOf(query);
      return code === null ? null : new TributaryError(code, 'because');
    });
    const facets = '{ book { aggregations { genres { buckets { key } } title { bucket_count } } } }';
    const { data, codes } = await runOperation(engine, { source: facets });
    t.deepEqual(data, { book: { aggregations: null } });
    t.is(codes.length, 1);
  });

test('what costs too much is refused as a whole, and no part of it runs', async (t) => {
  const engine = refusing(
    () => new TributaryError('BAD_USER_INPUT', 'it costs too much', { details: { maxCost: 1 } }),
  );
  const { errors } = await runOperation(engine, { source });
  t.true((errors ?? []).length > 0);
  const searched = engine.searches.flatMap(({ facets }) => facets.map(({ field }) => field.path));
  t.deepEqual(searched, [...new Set(searched)]);
});
