import { setImmediate as turnEnd } from 'node:timers/promises';
import test from 'ava';
import type { SearchQuery } from '../../../../src/engines/engine.ts';
import { all } from '../../../../src/sqon/filter.ts';
import { field } from '../../cases/case.ts';
import { linesOf, scriptedServer, type Script } from '../scripted-server.ts';

const facetOn = (path: string): SearchQuery => ({
  facets: [{ field: field(path, 'long'), filter: all, objects: {}, measure: { kind: 'stats' } }],
});
const countOf = (query: SearchQuery, size = 0): SearchQuery => ({
  ...query,
  hits: { filter: all, size, offset: 0, sort: [], searchAfter: null, source: [], trackTotal: true },
});

/** Answers every search with the number of its line; one on the field `broken` fails. */
const byLine: Script = (requested) => ({
  body: {
    responses: linesOf(requested)
      .filter((_, index) => index % 2 === 1)
      .map((body, index) =>
        JSON.stringify(body).includes('broken')
          ? { status: 400, error: { type: 'illegal_argument_exception', reason: 'no such thing' } }
          : {
              status: 200,
              _shards: { total: 1, failed: 0 },
              hits: { total: { value: index }, hits: [] },
              aggregations: { f0_stats: { count: 1, min: index, max: index, avg: index, sum: index } },
            },
      ),
  },
});

for (const product of ['opensearch', 'elasticsearch'] as const) {
  test(`${product}: searches of one group and index travel together, each with its own answers`, async (t) => {
    const { engine, requested } = await scriptedServer(t, product, byLine);
    const group = {};
    const [first, both, other] = await Promise.all([
      engine.search('files', facetOn('a'), { group }),
      engine.search('files', countOf(facetOn('b')), { group }),
      engine.search('donors', facetOn('c'), { group }),
    ]);
    t.deepEqual(requested.map(({ line }) => line).sort(), ['POST /donors/_msearch', 'POST /files/_msearch']);
    t.like(first.facets[0], { min: 0 });
    t.like(both.facets[0], { min: 1 });
    t.is(both.hits!.total, 2);
    t.like(other.facets[0], { min: 0 });
  });

  test(`${product}: a search that fails leaves the others of its group alone`, async (t) => {
    const { engine, requested } = await scriptedServer(t, product, byLine);
    const group = {};
    const [good, bad, refused] = await Promise.allSettled([
      engine.search('files', facetOn('a'), { group }),
      engine.search('files', facetOn('broken'), { group }),
      engine.search(
        'files',
        { facets: [{ ...facetOn('a').facets[0]!, field: field('a', 'text') }] },
        { group },
      ),
    ]);
    t.is(requested.length, 1);
    t.is(good.status, 'fulfilled');
    t.like(bad, { status: 'rejected', reason: { code: 'BAD_USER_INPUT' } });
    t.like(refused, { status: 'rejected', reason: { code: 'BAD_USER_INPUT' } });
  });
}

test('searches without a group, of others, and later ones go by themselves', async (t) => {
  const { engine, requested } = await scriptedServer(t, 'opensearch', byLine);
  const group = {};
  await Promise.all([
    engine.search('files', facetOn('a')),
    engine.search('files', facetOn('b'), { group: {} }),
    engine.search('files', facetOn('c'), { group }),
    engine.search('files', facetOn('d'), { group, timeoutMs: 60_000 }),
    engine.search('files', facetOn('e'), { group, signal: new AbortController().signal }),
  ]);
  t.is(requested.length, 5);
  const early = engine.search('files', facetOn('a'), { group });
  for (let turn = 0; turn < 3; turn += 1) await turnEnd();
  await Promise.all([early, engine.search('files', facetOn('b'), { group })]);
  t.is(requested.length, 7);
});

test('a server that is away fails all that travel together', async (t) => {
  const { engine } = await scriptedServer(t, 'opensearch', () => ({ status: 503, body: {} }));
  const group = {};
  const outcomes = await Promise.allSettled([
    engine.search('files', facetOn('a'), { group }),
    engine.search('files', facetOn('b'), { group }),
  ]);
  for (const outcome of outcomes)
    t.like(outcome, { status: 'rejected', reason: { code: 'ENGINE_UNAVAILABLE' } });
});
