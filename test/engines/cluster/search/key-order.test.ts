import test from 'ava';
import { incarnationOf, withIncarnation } from '../../../../src/engines/semantics/incarnation.ts';
import type { HitsQuery } from '../../../../src/engines/engine.ts';
import { all } from '../../../../src/sqon/filter.ts';
import { field, sort } from '../../cases/case.ts';
import { linesOf, scriptedServer, type ReceivedRequest, type Reply } from '../scripted-server.ts';

const key = field('_id', '_id');
const group = field('group', 'integer');
const page: HitsQuery = {
  ...{ filter: all, size: 3, offset: 0, sort: [sort(key)] },
  ...{ searchAfter: null, source: ['group'], trackTotal: true },
};

interface Body {
  readonly size: number;
  readonly query: { readonly ids?: { readonly values: readonly string[] } };
  readonly sort: readonly Record<string, unknown>[];
  readonly search_after?: readonly number[];
}

/** Written in the order of their numbers, which is not that of their keys. */
const rows = ['d', 'b', 'f', 'a', 'c', 'e'].map((id, seq) => ({ id, seq, group: seq % 2 }));

/** An Elasticsearch of these six: it sorts by group and by the number of the write, never by key. */
const searched = (requested: ReceivedRequest): Reply => {
  const { size, query, sort: by, search_after: after } = linesOf(requested)[1] as unknown as Body;
  const sorted = rows
    .map((row) => ({ ...row, sort: [...('group' in by[0]! ? [row.group] : []), row.seq, 0] }))
    .filter(({ id }) => query.ids === undefined || query.ids.values.includes(id))
    .sort((one, other) => compare(one.sort, other.sort))
    .filter((row) => after === undefined || compare(row.sort, after) > 0);
  const hits = sorted.slice(0, size).map(({ id, group: value, sort: values }) => ({
    _index: 'files',
    _id: id,
    _source: { group: value },
    sort: values,
  }));
  return {
    body: {
      responses: [
        { status: 200, _shards: { total: 1, failed: 0 }, hits: { total: { value: rows.length }, hits } },
      ],
    },
  };
};

const compare = (one: readonly number[], other: readonly number[]): number =>
  one.map((value, index) => value - other[index]!).find((order) => order !== 0) ?? 0;

const settings: Reply = { body: { files: { settings: {} } } };
const server = (requested: ReceivedRequest): Reply =>
  requested.line.endsWith('_settings') ? settings : searched(requested);

for (const [name, more, ids] of [
  ['upwards', {}, ['a', 'b', 'c']],
  ['downwards, further on', { sort: [sort(key, 'desc')], offset: 2 }, ['d', 'c', 'b']],
  ['after a key', { searchAfter: ['b'] }, ['c', 'd', 'e']],
  ['within ties', { sort: [sort(group), sort(key)] }, ['c', 'd', 'f']],
  [
    'within ties, after one',
    { sort: [sort(group), sort(key)], searchAfter: withIncarnation([0, 'd', '0:0'], incarnationOf('first')) },
    ['f', 'a', 'b'],
  ],
  [
    'after one that is gone',
    { sort: [sort(group), sort(key, 'desc')], searchAfter: ['0', 'dd'] },
    ['d', 'c', 'e'],
  ],
  ['with a key that changes nothing', { sort: [sort(key), sort(group)] }, ['a', 'b', 'c']],
] as const)
  test(`the order of keys where the server has none: ${name}`, async (t) => {
    const { engine } = await scriptedServer(t, 'elasticsearch', server);
    const query = { ...page, ...more };
    const { hits } = await engine.search('files', { hits: query, facets: [] });
    t.is(hits!.total, rows.length);
    t.deepEqual(
      hits!.hits.map(({ id }) => id),
      [...ids],
    );
    for (const { id, source, cursor } of hits!.hits) {
      const row = rows.find((one) => one.id === id)!;
      t.deepEqual(source, { group: row.group });
      const values = query.sort.map(({ field: { path } }) => (path === '_id' ? id : row.group));
      t.deepEqual(cursor, withIncarnation([...values, '#files'], incarnationOf('first')));
    }
  });

test('a cursor of another sort is refused', async (t) => {
  const { engine } = await scriptedServer(t, 'elasticsearch', server);
  const searchAfter = ['a', 'b', 'c'];
  await t.throwsAsync(engine.search('files', { hits: { ...page, searchAfter }, facets: [] }), {
    code: 'BAD_USER_INPUT',
  });
});

test('too many documents to be ordered here', async (t) => {
  const hits = Array.from({ length: 10_000 }, (_, seq) => ({
    _index: 'files',
    _id: `k${seq}`,
    sort: [seq, 0],
  }));
  const whole = { _shards: { total: 1, failed: 0 }, hits: { hits } };
  const { engine, requested } = await scriptedServer(t, 'elasticsearch', ({ line }) => {
    if (line.endsWith('_settings')) return settings;
    if (line.includes('_pit')) return { body: { id: 'moment' } };
    return { body: line.includes('_msearch') ? { responses: [whole] } : whole };
  });
  await t.throwsAsync(engine.search('files', { hits: page, facets: [] }), {
    code: 'BAD_USER_INPUT',
    message: /more than 100000 documents match; sort by a field that holds the key/,
  });
  t.is(requested.at(-1)!.line, 'DELETE /_pit');
});
