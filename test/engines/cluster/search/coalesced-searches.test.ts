import test from 'ava';
import type { SearchQuery } from '../../../../src/engines/engine.ts';
import { all } from '../../../../src/sqon/filter.ts';
import { scriptedServer, type Reply } from '../scripted-server.ts';

const countAll: SearchQuery = {
  facets: [],
  hits: { filter: all, size: 0, offset: 0, sort: [], searchAfter: null, source: [], trackTotal: true },
};

const counted = (value: number): Reply => ({
  body: {
    responses: [{ status: 200, _shards: { total: 1, failed: 0 }, hits: { total: { value }, hits: [] } }],
  },
});

for (const product of ['opensearch', 'elasticsearch'] as const) {
  test(`${product}: equal searches in flight are sent once, later ones again`, async (t) => {
    let count = 0;
    const { engine } = await scriptedServer(t, product, () => counted((count += 1)));
    const total = async (index: string) => (await engine.search(index, countAll)).hits!.total;
    t.deepEqual(await Promise.all([total('files'), total('files'), total('files')]), [1, 1, 1]);
    t.deepEqual((await Promise.all([total('files'), total('donors')])).sort(), [2, 3]);
  });

  test(`${product}: a search after a write does not share the result of one from before`, async (t) => {
    let searches = 0;
    const { engine } = await scriptedServer(t, product, ({ line }) => {
      if (!line.includes('_msearch'))
        return { body: { errors: false, items: [{ delete: { status: 200, result: 'deleted' } }] } };
      searches += 1;
      return searches === 1 ? 'silence' : counted(searches);
    });
    const leave = new AbortController();
    const before = engine.search('files', countAll, { signal: leave.signal });
    await engine.write('files', [{ kind: 'delete', id: 'a' }]);
    t.is((await engine.search('files', countAll)).hits!.total, 2);
    leave.abort();
    await t.throwsAsync(before, { code: 'ENGINE_TIMEOUT', message: 'the request was cancelled' });
  });
}
