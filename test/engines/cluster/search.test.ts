import test from 'ava';
import type { HitsQuery } from '../../../src/engines/engine.ts';
import { exists, field, sort } from '../cases/case.ts';
import { linesOf, scriptedServer, type Script } from './scripted-server.ts';

const page: HitsQuery = {
  ...{ filter: exists(field('tag', 'keyword')), size: 5, offset: 0, sort: [sort(field('n', 'long'))] },
  ...{ searchAfter: null, source: [], trackTotal: true },
};
const hit = { _id: 'a', sort: [1, 'a'] };

/** A search that counts finds seven, one that does not tells no total. */
const counting =
  (failed: (counts: boolean) => number): Script =>
  (asked) => ({
    body: {
      responses: linesOf(asked)
        .filter((_, place) => place % 2 === 1)
        .map(({ track_total_hits: counts, size }) => ({
          status: 200,
          _shards: { total: 2, failed: failed(counts === true), failures: [] },
          hits: { ...(counts === true && { total: { value: 7 } }), hits: size === 0 ? [] : [hit] },
        })),
    },
  });

test('a page and its total go side by side as long as no other search is under way', async (t) => {
  const { engine, asked } = await scriptedServer(
    t,
    'opensearch',
    counting(() => 0),
  );
  const search = () => engine.search('files', { hits: page, facets: [] });
  const results = [...(await Promise.all([search(), search()])), await search()];
  for (const { hits } of results)
    t.deepEqual(hits, { total: 7, hits: [{ id: 'a', source: {}, cursor: [1, 'a'] }] });
  t.deepEqual(asked.map((one) => linesOf(one).length / 2).sort(), [1, 2, 2]);
});

test('a shard that failed to count is said', async (t) => {
  const { engine } = await scriptedServer(
    t,
    'opensearch',
    counting((counts) => (counts ? 1 : 0)),
  );
  const { hits, warnings } = await engine.search('files', { hits: page, facets: [] });
  t.is(hits!.total, 7);
  t.deepEqual(warnings, ['1 of 2 shards of files failed: what they hold is missing here']);
});

test('a total that fails fails the search', async (t) => {
  const { engine } = await scriptedServer(t, 'opensearch', () => ({
    body: {
      responses: [
        { status: 200, _shards: { total: 1, failed: 0 }, hits: { hits: [hit] } },
        { status: 400, error: { type: 'illegal_argument_exception', reason: 'no such thing' } },
      ],
    },
  }));
  await t.throwsAsync(engine.search('files', { hits: page, facets: [] }), { code: 'BAD_USER_INPUT' });
});
