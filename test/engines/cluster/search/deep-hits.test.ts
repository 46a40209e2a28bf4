import test, { type ExecutionContext } from 'ava';
import type { HitsQuery } from '../../../../src/engines/engine.ts';
import { windowOf } from '../../../../src/engines/cluster/search/deep-hits.ts';
import { all } from '../../../../src/sqon/filter.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { field, sort } from '../../cases/case.ts';
import { linesOf, scriptedServer, type ReceivedRequest, type Reply } from '../scripted-server.ts';

const documents = 130;
const window = 50;
const page: HitsQuery = {
  ...{ filter: all, size: 40, offset: 60, sort: [sort(field('n', 'long'))] },
  ...{ searchAfter: null, source: null, trackTotal: true },
};

/** Documents 0 to 129 by number, none deeper than the window. */
const found = (body: Record<string, unknown>): object => {
  const {
    from = 0,
    size,
    search_after: after,
  } = body as { from?: number; size: number; search_after?: number[] };
  if (from + size > window) return tooDeep;
  const start = after === undefined ? from : after[0]! + 1;
  const numbers = Array.from(
    { length: Math.max(0, Math.min(size, documents - start)) },
    (_, at) => start + at,
  );
  return {
    status: 200,
    _shards: { total: 1, failed: 0 },
    hits: {
      total: { value: documents },
      hits: numbers.map((n) => ({ _id: `d${n}`, _source: { n }, sort: [n, n, 7] })),
    },
  };
};
const tooDeep = {
  status: 400,
  error: {
    type: 'illegal_argument_exception',
    reason: `Result window is too large, from + size must be less than or equal to: [${window}] but was [100].`,
  },
};

const settings = { settings: { index: { max_result_window: String(window) } } };
const opened: Reply = { body: { pit_id: 'moment', id: 'moment' } };

/** An index whose window is smaller than servers' usual one. */
const index =
  (pointInTime: () => Reply, search = found) =>
  (requested: ReceivedRequest): Reply => {
    const { line } = requested;
    if (line.includes('/_count')) return { body: { count: documents } };
    if (line === 'GET /files') return { body: { files: { ...settings, aliases: {}, mappings: {} } } };
    if (line === 'GET /files/_settings') return { body: { files: settings } };
    if (line.startsWith('DELETE')) return { body: { succeeded: true } };
    if (/keep_alive=1m$/.test(line)) return pointInTime();
    if (line === 'POST /_search')
      return { body: search(JSON.parse(requested.body) as Record<string, unknown>) };
    return { body: { responses: [search(linesOf(requested)[1]!)] } };
  };

const numbersOf = async (
  t: ExecutionContext,
  product: 'opensearch' | 'elasticsearch',
  script: (requested: ReceivedRequest) => Reply,
  described: boolean,
  query = page,
) => {
  const { engine, requested } = await scriptedServer(t, product, script);
  if (described) await engine.describe('files');
  const before = requested.length;
  const { hits, warnings } = await engine.search('files', { hits: query, facets: [] });
  return {
    numbers: hits!.hits.map(({ source }) => source['n']),
    total: hits!.total,
    warnings,
    lines: requested.slice(before).map(({ line }) => line),
    bodies: requested.slice(before).map(({ body }) => body),
  };
};

const expected = Array.from({ length: 40 }, (_, at) => 60 + at);
const calls = {
  opensearch: [
    'POST /files/_search/point_in_time?keep_alive=1m',
    'DELETE /_search/point_in_time',
    '{"pit_id":["moment"]}',
  ],
  elasticsearch: ['POST /files/_pit?keep_alive=1m', 'DELETE /_pit', '{"id":"moment"}'],
} as const;

test('a page of more rows than a function takes arguments', async (t) => {
  const size = 200_000;
  const settings = { settings: { index: { max_result_window: String(size) } } };
  const hits = Array.from({ length: size }, (_, n) => ({ _id: String(n), _source: { n }, sort: [n, n, 7] }));
  const step = (after: number | undefined): object => ({
    ...{ status: 200, _shards: { total: 1, failed: 0 } },
    hits: { total: { value: size }, hits: after === undefined ? hits : [] },
  });
  const script = (requested: ReceivedRequest): Reply => {
    if (requested.line === 'GET /files')
      return { body: { files: { ...settings, aliases: {}, mappings: {} } } };
    if (requested.line !== 'POST /_search') return index(() => opened)(requested);
    return { body: step((JSON.parse(requested.body) as { search_after?: number[] }).search_after?.[0]) };
  };
  const larger = { ...page, offset: 0, size: size + 1 };
  const { numbers } = await numbersOf(t, 'opensearch', script, true, larger);
  t.is(numbers.length, size);
});

for (const product of ['opensearch', 'elasticsearch'] as const) {
  const [opening, closing, closed] = calls[product];

  test(`${product}: a page larger than the index's own window is exactly as large as requested`, async (t) => {
    const larger = { ...page, offset: 0, size: 70 };
    const { numbers, bodies } = await numbersOf(
      t,
      product,
      index(() => opened),
      true,
      larger,
    );
    t.deepEqual(
      numbers,
      Array.from({ length: 70 }, (_, at) => at),
    );
    t.like(JSON.parse(bodies[2]!), { size: 20, search_after: [49, 49, 7] });
  });

  test(`${product}: a page past the index's own window is walked to over a point in time`, async (t) => {
    const { numbers, total, lines, bodies, warnings } = await numbersOf(
      t,
      product,
      index(() => opened),
      true,
    );
    t.deepEqual(numbers, expected);
    t.is(total, documents);
    t.deepEqual(warnings, []);
    t.deepEqual(lines, [opening, 'POST /_search', 'POST /_search', 'POST /_search', closing]);
    t.like(JSON.parse(bodies[1]!), { size: 50, _source: false, pit: { id: 'moment', keep_alive: '1m' } });
    t.like(JSON.parse(bodies[3]!), {
      size: 40,
      _source: true,
      search_after: [59, 59, 7],
      track_total_hits: false,
    });
    t.is(bodies[4], closed);
  });

  test(`${product}: a point in time whose id is renewed is searched and closed under the new id`, async (t) => {
    let steps = 0;
    const { bodies } = await numbersOf(
      t,
      product,
      index(
        () => opened,
        (body) => ({ ...found(body), pit_id: `moment ${(steps += 1)}` }),
      ),
      true,
    );
    const ids = bodies.slice(1, 4).map((body) => (JSON.parse(body) as { pit: { id: string } }).pit.id);
    t.deepEqual(ids, ['moment', 'moment 1', 'moment 2']);
    t.is(bodies[4], closed.replace('moment', 'moment 3'));
  });

  test(`${product}: an unknown window is looked up once a page fails by it`, async (t) => {
    const { numbers, lines } = await numbersOf(
      t,
      product,
      index(() => opened),
      false,
    );
    t.deepEqual(numbers, expected);
    t.deepEqual(lines.slice(0, 3), ['POST /files/_msearch', 'GET /files/_settings', opening]);
  });

  test(`${product}: the point in time is closed when a step fails`, async (t) => {
    const broken = { status: 500, error: { type: 'null_pointer_exception', reason: 'why' } };
    const { engine, requested } = await scriptedServer(
      t,
      product,
      index(
        () => opened,
        (body) => ('search_after' in body ? broken : found(body)),
      ),
    );
    await engine.describe('files');
    await t.throwsAsync(engine.search('files', { hits: page, facets: [] }), { code: 'ENGINE_ERROR' });
    t.is(requested.at(-1)!.line, closing);
  });

  test(`${product}: without a point in time the page is walked to as it is, with a warning`, async (t) => {
    for (const status of [400, 403, 404, 405]) {
      const refused: Reply = { status, body: { error: { type: 'refused', reason: 'why' }, status } };
      const { numbers, lines, warnings } = await numbersOf(
        t,
        product,
        index(() => refused),
        true,
      );
      t.deepEqual(numbers, expected);
      t.deepEqual(lines, [opening, ...Array<string>(3).fill('POST /files/_msearch')]);
      t.is(warnings.length, 1);
      t.regex(warnings[0]!, /no point in time over files/);
    }
  });
}

test('an index that is gone has no point in time either', async (t) => {
  const gone: Reply = {
    status: 404,
    body: { error: { type: 'index_not_found_exception', reason: 'no such index' } },
  };
  const { engine } = await scriptedServer(
    t,
    'opensearch',
    index(() => gone),
  );
  await engine.describe('files');
  await t.throwsAsync(engine.search('files', { hits: page, facets: [] }), { code: 'index_not_found' });
});

test('of several indexes the smallest window counts, and one without its own has that of the server', (t) => {
  const index = (max_result_window?: string) => ({ settings: { index: { max_result_window } } });
  t.is(windowOf({ a: index('20000'), b: index('500'), c: index() } as unknown as JsonObject), 500);
  t.is(windowOf({ a: index('20000'), c: index() } as unknown as JsonObject), 10_000);
});
