import test from 'ava';
import { RequestContext } from '../../../../src/search/request-context.ts';
import { contextFor } from '../../../search/request-context.ts';
import { guardedSearch } from '../../../../src/capabilities/disclosure/guard/guarded-search.ts';
import { lowerOf, upperOf } from '../../../../src/search/count.ts';
import type { CatalogueQuery } from '../../../../src/search/query.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { cohort, drafted } from '../cohort.ts';

const leaf = (fieldName: string, value: unknown) => ({ op: 'in', content: { fieldName, value } });
const leaves = [
  leaf('sex', ['female']),
  leaf('genes', ['TP53']),
  leaf('site', ['C5*']),
  leaf('consent', [true]),
];

/** Groups inside each other, the operators in turn. */
const nested = (levels: number, ops: readonly string[]): object => {
  let filter: object = leaf('genes', ['KRAS']);
  for (let level = 0; level < levels; level += 1)
    filter = { op: ops[level % ops.length], content: [filter, leaves[level % leaves.length]] };
  return filter;
};

const wide = (parts: number, op: string): object => ({
  op,
  content: Array.from({ length: parts }, (_, part) => ({
    op: part % 2 === 0 ? 'and' : 'or',
    content: [
      leaf('genes', [`G${part}`, 'TP53']),
      leaves[part % leaves.length],
      leaf('samples.kind', ['blood', `K${part}`]),
    ],
  })),
});

const filters: Readonly<Record<string, object>> = {
  'groups of and and or, 99 deep': nested(99, ['and', 'or']),
  'groups of not, 99 deep': nested(99, ['not', 'and', 'or']),
  '49 parts of an or': wide(49, 'or'),
  '49 parts of an and': wide(49, 'and'),
  '100 000 values': leaf(
    'site',
    Array.from({ length: 100_000 }, (_, value) => `V${value}`),
  ),
};

const asking = (filter: object): CatalogueQuery => ({
  filters: parseSqon(filter),
  filterThemselves: true,
  includeMissing: true,
  facets: [{ field: 'sex', measure: { kind: 'terms', max: null }, bounded: true }],
  hits: { first: 0, offset: 0, sort: [], searchAfter: null, trackTotal: true, bounded: true, fields: [] },
});

const context = contextFor();

const released = async () =>
  guardedSearch(
    { id: 'release', ...(await drafted(cohort(300, 1))).release },
    { catalogueId: 'cohort', lowerBoundsToOldClients: false, nameKey: Buffer.alloc(32) },
  );

test('a larger filter is refused', async (t) => {
  const search = await released();
  for (const filter of [nested(900, ['and', 'or']), wide(60, 'or')]) {
    const error = await t.throwsAsync(search(asking(filter), context, 'counts'));
    t.like(error, { code: 'BAD_USER_INPUT' });
  }
});

for (const [name, filter] of Object.entries(filters))
  test(`a filter as large as it may be is answered: ${name}`, async (t) => {
    const search = await released();
    const { total } = await search(asking(filter), context, 'counts');
    t.true(lowerOf(total!) >= 0 && upperOf(total!)! <= 309);
  });

test('a facet under a large filter lets others run between its buckets, and ends with its request', async (t) => {
  const search = await released();
  const left = new AbortController();
  let looks = 0;
  const throwIfAborted = (): void => {
    looks += 1;
    if (looks === 2) left.abort(new Error('the client has left'));
    left.signal.throwIfAborted();
  };
  const signal = { throwIfAborted } as AbortSignal;
  const { caller, trace } = context;
  const facets = [{ field: 'site', measure: { kind: 'terms', max: null }, bounded: true }] as const;
  const query = { ...asking(wide(49, 'and')), facets };
  const watched = new RequestContext({ requestId: 'r2', caller, trace, signal });
  await t.throwsAsync(search(query, watched, 'counts'), { message: 'the client has left' });
});
