import test from 'ava';
import type { SearchQuery } from '../../../../src/engines/engine.ts';
import { forgettingChanges } from '../../../../src/engines/cluster/search/coalesced-searches.ts';
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
  test(`${product}: equal searches under way are sent once, later ones anew`, async (t) => {
    let count = 0;
    const { engine } = await scriptedServer(t, product, () => counted((count += 1)));
    const total = async (index: string) => (await engine.search(index, countAll)).hits!.total;
    t.deepEqual(await Promise.all([total('files'), total('files'), total('files')]), [1, 1, 1]);
    t.deepEqual((await Promise.all([total('files'), total('donors')])).sort(), [2, 3]);
  });

  test(`${product}: what was asked before a write does not answer who asks after it`, async (t) => {
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

  test(`${product}: what was asked before the data had its name does not answer who knows the name`, async (t) => {
    const copy = { routing: {}, seq_no: { max_seq_no: 1 }, refresh: { total: 1, external_total: 1 } };
    let searches = 0;
    const { engine } = await scriptedServer(t, product, ({ line }) => {
      if (!line.includes('_msearch')) return { body: { indices: { files: { shards: { 0: [copy] } } } } };
      searches += 1;
      return searches === 1 ? 'silence' : counted(searches);
    });
    const leave = new AbortController();
    const before = engine.search('files', countAll, { signal: leave.signal });
    t.truthy(await engine.generation!('files'));
    t.is((await engine.search('files', countAll)).hits!.total, 2);
    leave.abort();
    await t.throwsAsync(before, { code: 'ENGINE_TIMEOUT' });
  });
}

test('running searches are forgotten when an index has another name, before anyone knows it', async (t) => {
  let name: string | null = 'G1';
  let forgotten = 0;
  const generation = forgettingChanges(
    async () => name,
    () => (forgotten += 1),
  );
  const forgottenAfter = async (index: string, next: string | null): Promise<number> => {
    name = next;
    t.is(await generation(index), next);
    return forgotten;
  };
  t.is(await forgottenAfter('files', 'G1'), 1);
  t.is(await forgottenAfter('files', 'G1'), 1);
  t.is(await forgottenAfter('files', 'G2'), 2);
  t.is(await forgottenAfter('files', null), 2);
  t.is(await forgottenAfter('files', 'G2'), 2);
  t.is(await forgottenAfter('donors', 'G2'), 3);
  t.is(await forgottenAfter('files', 'G2'), 3);
});
