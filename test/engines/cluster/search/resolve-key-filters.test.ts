import test from 'ava';
import type { SearchQuery } from '../../../../src/engines/engine.ts';
import { all, type Filter } from '../../../../src/sqon/filter.ts';
import { exists, field } from '../../cases/case.ts';
import { linesOf, scriptedServer, type ReceivedRequest, type Reply } from '../scripted-server.ts';

const key = field('_id', '_id');
const n = field('n', 'long');
const begins: Filter = {
  ...{ kind: 'pattern', field: key, caseInsensitive: false },
  pattern: [{ literal: 'a' }, { wildcard: 'any' }],
};
const asking = (filter: Filter): SearchQuery => ({
  hits: { filter, size: 0, offset: 0, sort: [], searchAfter: null, source: [], trackTotal: true },
  facets: [{ field: n, filter, objects: {}, measure: { kind: 'terms', size: 1, filters: [filter] } }],
});

const answer = {
  status: 200,
  _shards: { total: 1, failed: 0 },
  hits: { total: { value: 2 }, hits: [] },
  aggregations: {},
};

/** An index of so many documents, whose keys are requested over a point in time. */
const server =
  (keys: readonly string[]) =>
  ({ line, body }: ReceivedRequest): Reply => {
    if (line.endsWith('_settings')) return { body: { files: { settings: {} } } };
    if (line.includes('point_in_time')) return { body: { pit_id: 'moment' } };
    if (line !== 'POST /_search') return { body: { responses: [answer, answer] } };
    const { size, search_after: after = ['-1'] } = JSON.parse(body) as {
      size: number;
      search_after?: string[];
    };
    const hits = keys.slice(Number(after[0]) + 1, Number(after[0]) + 1 + size);
    const from = Number(after[0]) + 1;
    return {
      body: { ...answer, hits: { hits: hits.map((id, at) => ({ _id: id, sort: [String(from + at)] })) } },
    };
  };

test('documents are found by a part of their key: every filter holds the keys', async (t) => {
  const { engine, requested } = await scriptedServer(t, 'opensearch', server(['ab', 'ba', 'a', 'c']));
  await engine.search('files', asking({ kind: 'and', of: [exists(n), { kind: 'not', of: begins }] }));
  const ids = { ids: { values: ['ab', 'a'] } };
  const query = { bool: { filter: [{ exists: { field: 'n' } }], must_not: [ids] } };
  const [, facets, , hits] = linesOf(requested.at(-1)!);
  t.deepEqual([facets!['query'], hits!['query']] as unknown[], [query, query]);
  t.like(facets, { aggs: { f0_extras: { aggs: { filter0: { filter: query } } } } } as never);
});

test('a whole key and any key need no look at all of them', async (t) => {
  const { engine, requested } = await scriptedServer(t, 'opensearch', server([]));
  const whole: Filter = { ...begins, pattern: [{ literal: 'a' }] } as Filter;
  const any: Filter = { ...begins, pattern: [{ wildcard: 'any' }] } as Filter;
  for (const filter of [whole, any, all]) await engine.search('files', asking(filter));
  t.deepEqual([...new Set(requested.map(({ line }) => line))], ['POST /files/_msearch']);
});

test('too many keys to look through', async (t) => {
  const keys = Array.from({ length: 100_001 }, (_, at) => `k${at}`);
  const { engine } = await scriptedServer(t, 'opensearch', server(keys));
  await t.throwsAsync(engine.search('files', asking(begins)), {
    code: 'BAD_USER_INPUT',
    message: /files has more than 100000 to scan; use a field that holds the key/,
  });
});
