import test from 'ava';
import { openEmbeddedEngine } from '../../src/engines/embedded/embedded-engine.ts';
import type { SearchQuery } from '../../src/engines/engine.ts';
import { all } from '../../src/sqon/filter.ts';
import { temporaryFolder } from '../server/config/temporary-folder.ts';
import { linesOf, scriptedServer } from './cluster/scripted-server.ts';

const page: SearchQuery = {
  facets: [],
  hits: { filter: all, size: 1, offset: 0, sort: [], searchAfter: null, source: [], trackTotal: true },
};

test('the embedded engine names the index that answered, whatever the alias is now', async (t) => {
  const engine = openEmbeddedEngine(temporaryFolder(t, {}));
  try {
    for (const index of ['one', 'two'])
      await engine.manage({ kind: 'create', index, mapping: { properties: { a: { type: 'keyword' } } } });
    const found: unknown[] = [];
    for (const index of ['one', 'two', 'one']) {
      await engine.manage({ kind: 'alias', alias: 'now', indices: [index] });
      const answers = Array.from({ length: 8 }, () => engine.search('now', page, { identify: true }));
      found.push(...new Set((await Promise.all(answers)).flatMap(({ indices }) => indices)));
    }
    t.deepEqual(found, ['one', 'two', 'one']);
  } finally {
    await engine.close();
  }
});

for (const product of ['opensearch', 'elasticsearch'] as const)
  test(`${product} is queried for the indexes behind a name beside the search, only where that matters`, async (t) => {
    const shards = { total: 2, failed: 0 };
    const { engine, requested } = await scriptedServer(t, product, (request) => ({
      body: {
        responses: linesOf(request)
          .filter((_, line) => line % 2 === 1)
          .map((body) =>
            JSON.stringify(body).includes('"indices"')
              ? {
                  _shards: shards,
                  hits: { hits: [] },
                  aggregations: { indices: { buckets: [{ key: 'one' }] } },
                }
              : {
                  _shards: shards,
                  hits: { total: { value: 1 }, hits: [{ _index: 'two', _id: 'a', _source: {}, sort: [1] }] },
                },
          ),
      },
    }));
    t.is((await engine.search('now', page)).indices, undefined);
    t.false(JSON.stringify(linesOf(requested.at(-1)!)).includes('"indices"'));
    const { indices, hits } = await engine.search('now', page, { identify: true });
    t.deepEqual([indices, hits?.total], [['one', 'two'], 1]);
    t.is(requested.filter(({ line }) => line === 'POST /now/_msearch').length, 2);
  });
