import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { openSets } from '../../../src/local/sets/open-sets.ts';
import type { Sqon } from '../../../src/sqon/ast.ts';
import { leaf } from '../../../src/sqon/ast.ts';
import { contextWith } from '../catalogue-fixture.ts';
import { library, run, save } from './library.ts';

const titles = `query($set: String!) { book { hits(filters: { op: "in", content: { fieldName: "title", value: [$set] } },
  sort: [{ fieldName: "title" }]) { total edges { node { title } } } } }`;
const short: Sqon = leaf('in', 'pages', [80]);
const all: Sqon = leaf('gt', 'pages', [0]);

test('set_id stands for the values in hits and facets, own facets included', async (t) => {
  const catalogue = await (await library()).open();
  const set = `set_id:${await save(catalogue, 'title', { op: 'gt', content: { fieldName: 'pages', value: 100 } })}`;
  t.deepEqual((await run(catalogue, titles, { set })).data, {
    book: { hits: { total: 2, edges: [{ node: { title: 'Atlas' } }, { node: { title: 'Dunes' } }] } },
  });
  const facets = `query($f: JSON) { book { aggregations(filters: $f) {
    title { bucket_count } pages { stats { count } } lendable { buckets { filter_by_term(filter: $f) } } } } }`;
  const f = { op: 'not', content: [{ op: 'in', content: { fieldName: 'title', value: set } }] };
  t.deepEqual((await run(catalogue, facets, { f })).data, {
    book: {
      aggregations: {
        title: { bucket_count: 2 },
        pages: { stats: { count: 2 } },
        lendable: {
          buckets: [{ filter_by_term: { doc_count: 1 } }, { filter_by_term: null }],
        },
      },
    },
  });
});

test('a set read back is as it was saved', async (t) => {
  const catalogue = await (await library()).open();
  const setId = await save(catalogue, 'title', { op: 'in', content: { fieldName: 'pages', value: [80] } });
  await save(catalogue, 'copies__state');
  const source = `{ sets { hits(filters: { op: "in", content: { fieldName: "setId", value: "${setId}" } }) { total edges { node {
    id setId ids path size sqon type userId } } }
    aggregations { path { buckets { key doc_count } } size { stats { max } } } configs { extended } mapping } }`;
  const { data, errors } = await run(catalogue, source);
  t.deepEqual(errors, []);
  const { sets } = data as { sets: Record<string, unknown> };
  t.deepEqual(sets['hits'], {
    total: 1,
    edges: [
      {
        node: {
          id: setId,
          setId,
          ids: ['Bees', 'Clouds'],
          path: 'title',
          size: 2,
          sqon: { op: 'in', content: { fieldName: 'pages', value: [80] } },
          type: 'book',
          userId: null,
        },
      },
    ],
  });
  t.deepEqual(sets['aggregations'], {
    path: {
      buckets: [
        { key: 'copies__state', doc_count: 1 },
        { key: 'title', doc_count: 1 },
      ],
    },
    size: { stats: { max: 2 } },
  });
  t.like(sets['mapping'], { ids: { type: 'keyword' } });
});

test('a set is there for callers with the filter it was saved under and for those without one', async (t) => {
  const catalogue = await (await library()).open();
  const ofShort = await save(catalogue, 'title', {}, contextWith(short));
  const ofEveryone = await save(catalogue, 'title');
  const list = '{ sets { hits { total edges { node { setId } } } aggregations { setId { bucket_count } } } }';
  const seenBy = async (access: Sqon | null): Promise<unknown> => {
    const { data } = await run(catalogue, list, {}, contextWith(access));
    return (data as { sets: { hits: { total: number } } }).sets;
  };
  t.deepEqual(await seenBy(short), {
    hits: { total: 1, edges: [{ node: { setId: ofShort } }] },
    aggregations: { setId: { bucket_count: 1 } },
  });
  t.like(await seenBy(null), { hits: { total: 2 } });
  t.like(await seenBy(all), { hits: { total: 0 }, aggregations: { setId: { bucket_count: 0 } } });
  for (const [setId, access, total] of [
    [ofShort, short, 2],
    [ofShort, null, 2],
    [ofEveryone, null, 4],
  ] as const) {
    const { data } = await run(catalogue, titles, { set: `set_id:${setId}` }, contextWith(access));
    t.like(data, { book: { hits: { total } } });
  }
  for (const [setId, access] of [
    [ofShort, all],
    [ofEveryone, short],
  ] as const) {
    const answer = await run(catalogue, titles, { set: `set_id:${setId}` }, contextWith(access));
    t.deepEqual(answer.codes, ['BAD_USER_INPUT']);
    t.is(answer.errors[0], `there is no saved set "${setId}"`);
  }
});

test('another catalogue can filter by a set, but lists only its own', async (t) => {
  const { open } = await library();
  const [first, second] = [await open(), await open({ catalogueId: 'annex' })];
  const set = `set_id:${await save(first, 'title', { op: 'in', content: { fieldName: 'pages', value: [80] } })}`;
  t.like((await run(second, titles, { set })).data, { book: { hits: { total: 2 } } });
  t.deepEqual((await run(second, '{ sets { hits { total } } }')).data, { sets: { hits: { total: 0 } } });
  const denied = contextWith().withAccessFilter((id) => {
    if (id === 'library') throw new TributaryError('FORBIDDEN', 'not for you');
    return null;
  });
  const answer = await run(second, titles, { set }, denied);
  t.deepEqual(
    answer.codes,
    ['BAD_USER_INPUT'],
    'nor does a set tell of a catalogue that is closed to the caller',
  );
});

test('sets of servers that write no access mark are for unrestricted callers only', async (t) => {
  const { engine, sets, open } = await library();
  await sets.ready();
  const document = { setId: 'old', ids: ['Atlas'], type: 'book', path: 'title', size: 1 };
  await engine.write('kept-sets', [{ kind: 'upsert', id: 'old', document }]);
  const catalogue = await open();
  t.like((await run(catalogue, titles, { set: 'set_id:old' })).data, { book: { hits: { total: 1 } } });
  t.like((await run(catalogue, '{ sets { hits { total } } }')).data, { sets: { hits: { total: 1 } } });
  const answer = await run(catalogue, titles, { set: 'set_id:old' }, contextWith(all));
  t.deepEqual(answer.codes, ['BAD_USER_INPUT']);
});

test('an index that cannot be made now is made when it is next needed', async (t) => {
  const { engine } = await library();
  let failing = true;
  const sets = openSets(
    {
      ...engine,
      describe: (index) =>
        failing ? Promise.reject(new TributaryError('connection_error', 'down')) : engine.describe(index),
    },
    'late-sets',
  );
  await t.throwsAsync(sets.ready(), { message: 'down' });
  failing = false;
  const answer = await sets.search({ catalogueId: 'library', documentType: 'book' })(
    {
      filters: null,
      filterThemselves: false,
      includeMissing: true,
      facets: [],
      hits: { first: 1, offset: 0, sort: [], searchAfter: null, trackTotal: true, fields: null },
    },
    contextWith(),
  );
  t.is(answer.total, 0);
});
