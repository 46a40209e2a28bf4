import test from 'ava';
import type { SearchQuery } from '../../../src/engines/engine.ts';
import { openCluster } from '../../../src/engines/cluster/cluster-engine.ts';
import { field } from '../cases/case.ts';
import { scriptedServer, type Reply } from './scripted-server.ts';

const stats: SearchQuery = {
  facets: [{ field: field('n', 'long'), filter: { kind: 'all' }, objects: {}, measure: { kind: 'stats' } }],
};
const whole = { aggregations: { f0_stats: { count: 0 } }, _shards: { total: 1, failed: 0 }, status: 200 };
const found: Reply = { body: { responses: [whole] } };
const nothing = { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null };
const failed = (type: string, status: number, reason = 'why'): Reply => ({
  status,
  body: { error: { root_cause: [{ type, reason }], type, reason }, status },
});

for (const product of ['opensearch', 'elasticsearch'] as const) {
  test(`${product}: one request for a query, with its credentials`, async (t) => {
    const { engine, requested } = await scriptedServer(t, product, () => found);
    t.deepEqual((await engine.search('files', stats)).facets, [nothing] as never);
    t.deepEqual(
      requested.map(({ line }) => line),
      ['POST /files/_msearch'],
    );
    t.is(requested[0]!.headers.authorization, `Basic ${Buffer.from('reader:secret').toString('base64')}`);
    t.deepEqual(
      requested[0]!.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      [
        {},
        {
          size: 0,
          track_total_hits: false,
          query: { match_all: {} },
          aggs: { f0_stats: { stats: { field: 'n' } } },
        },
      ],
    );
  });

  test(`${product}: a request is sent again when one of its searches was rejected`, async (t) => {
    const overload: Reply = { body: { responses: [{ error: { type: 'rejected' }, status: 429 }] } };
    const { engine, requested } = await scriptedServer(t, product, (_requested, number) =>
      number === 1 ? overload : found,
    );
    t.deepEqual((await engine.search('files', stats)).facets, [nothing] as never);
    t.is(requested.length, 2);
  });

  test(`${product}: no answer in time, and a cancelled request`, async (t) => {
    const { engine } = await scriptedServer(t, product, () => 'silence');
    await t.throwsAsync(engine.search('files', stats, { timeoutMs: 100 }), { code: 'ENGINE_TIMEOUT' });
    const controller = new AbortController();
    const cancelled = engine.search('files', stats, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await t.throwsAsync(cancelled, { code: 'ENGINE_TIMEOUT', message: 'the request was cancelled' });
  });

  test(`${product}: failures have their codes`, async (t) => {
    const codes: readonly (readonly [Reply, string, string])[] = [
      [failed('index_not_found_exception', 404), 'index_not_found', 'index_not_found'],
      [failed('security_exception', 401), 'permission_denied', 'permission_denied'],
      [failed('security_exception', 403), 'permission_denied', 'permission_denied'],
      [failed('number_format_exception', 400), 'BAD_USER_INPUT', 'mapping_fetch_error'],
      [failed('null_pointer_exception', 500), 'ENGINE_ERROR', 'mapping_fetch_error'],
      [failed('busy', 503), 'ENGINE_UNAVAILABLE', 'connection_error'],
      [{ status: 413, body: {} }, 'PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE'],
    ];
    for (const [reply, searching, describing] of codes) {
      const { engine } = await scriptedServer(t, product, () => reply);
      await t.throwsAsync(engine.search('files', stats), { code: searching });
      await t.throwsAsync(engine.describe('files'), { code: describing });
    }
  });
}

test('a list that no answer can hold is read page by page, and values that are missing are counted', async (t) => {
  const answered = (aggregations: object): object => ({ ...whole, aggregations });
  const page = [
    answered({ f0_page: { buckets: [{ key: { value: 'b' }, doc_count: 2 }], after_key: { value: 'b' } } }),
  ];
  const last = [answered({ f0_page: { buckets: [] } })];
  const counts = [
    answered({ f0_values: { buckets: [], sum_other_doc_count: 2 }, f0_missing: { doc_count: 4 } }),
  ];
  const tooMany = [{ error: { type: 'too_many_buckets_exception' }, status: 503 }];
  const { engine } = await scriptedServer(t, 'opensearch', (_requested, number) => ({
    body: { responses: [tooMany, page, last, counts][number - 1] },
  }));
  const terms = { kind: 'terms', size: null, distinct: true } as const;
  const facet = {
    field: field('name', 'keyword'),
    filter: { kind: 'all' },
    objects: {},
    measure: terms,
  } as const;
  t.deepEqual((await engine.search('files', { facets: [facet] })).facets, [
    { kind: 'terms', buckets: [{ key: 'b', count: 2 }], distinct: 1, missing: 4 },
  ]);
});

test('a shard that refuses the query is not a failed shard', async (t) => {
  const reason = { type: 'parse_exception', reason: 'failed to parse date field [soon]' };
  const shards = { total: 5, failed: 2, failures: [{ reason }] };
  const { engine } = await scriptedServer(t, 'opensearch', () => ({
    body: { responses: [{ ...whole, _shards: shards }] },
  }));
  await t.throwsAsync(engine.search('files', stats), {
    code: 'BAD_USER_INPUT',
    message: /date field \[soon\]/,
  });
});

test('each operation of a bulk has its outcome', async (t) => {
  const items = [
    { index: { _id: 'a', status: 201, result: 'created' } },
    { delete: { _id: 'b', status: 404, result: 'not_found' } },
    {
      index: {
        _id: 'c',
        status: 400,
        error: {
          type: 'strict_dynamic_mapping_exception',
          reason: '[1:9] mapping set to strict, dynamic introduction of [x] within [parts] is not allowed',
        },
      },
    },
    { index: { _id: 'd', status: 429, error: { type: 'rejected', reason: 'queue full' } } },
  ];
  const { engine, requested } = await scriptedServer(t, 'opensearch', () => ({ body: { items } }));
  const outcomes = await engine.write('files', [
    { kind: 'upsert', id: 'a', document: { n: 1 } },
    { kind: 'delete', id: 'b' },
    { kind: 'upsert', id: 'c', document: {} },
    { kind: 'upsert', id: 'd', document: {} },
  ]);
  t.deepEqual(outcomes, [
    { status: 'created' },
    { status: 'notFound' },
    { status: 'refused', reason: 'field parts.x is not in the mapping, which is strict', retryable: false },
    { status: 'refused', reason: 'queue full', retryable: true },
  ]);
  t.deepEqual(requested[0]!.body.split('\n').slice(0, 3), [
    '{"index":{"_id":"a"}}',
    '{"n":1}',
    '{"delete":{"_id":"b"}}',
  ]);
});

test('the mappings behind an alias are merged, without a field whose types differ', async (t) => {
  const index = (type: string, more: string) => ({
    aliases: { files: {}, other: {} },
    settings: { index: { number_of_shards: '2', uuid: type } },
    mappings: {
      dynamic: 'strict',
      numeric_detection: true,
      runtime: { computed: { type: 'keyword' } },
      properties: { o: { properties: { k: { type }, [more]: { type: 'long' } } } },
    },
  });
  let second = 'keyword';
  const { engine } = await scriptedServer(t, 'opensearch', ({ line }) => ({
    body: line.endsWith('_count') ? { count: 7 } : { one: index('keyword', 'a'), two: index(second, 'b') },
  }));
  t.deepEqual(await engine.describe('files'), {
    indices: ['one', 'two'],
    aliases: ['other'],
    properties: { o: { properties: { k: { type: 'keyword' }, a: { type: 'long' }, b: { type: 'long' } } } },
    warnings: [
      'field "computed" is left out: the search server computes it and no document holds it; map it as a field',
    ],
    settings: { number_of_shards: '2' },
    dynamicRules: { numeric_detection: true },
    dynamic: 'strict',
    documents: 7,
  });
  second = 'long';
  const { properties, warnings } = await engine.describe('files');
  t.deepEqual(properties, { o: { properties: { a: { type: 'long' }, b: { type: 'long' } } } });
  t.is(
    warnings?.[0],
    'field "o.k" is left out: it is keyword in index one and long in index two; map it identically in all indexes of the alias',
  );
});

test('multi-fields of the indexes behind an alias are merged like other fields', async (t) => {
  const index = (name: string, type: string) => ({
    mappings: { properties: { k: { type: 'text', fields: { raw: { type }, [name]: { type: 'keyword' } } } } },
  });
  const { engine } = await scriptedServer(t, 'opensearch', ({ line }) => ({
    body: line.endsWith('_count') ? { count: 7 } : { one: index('a', 'keyword'), two: index('b', 'long') },
  }));
  const { properties, warnings } = await engine.describe('files');
  t.deepEqual(properties, {
    k: { type: 'text', fields: { a: { type: 'keyword' }, b: { type: 'keyword' } } },
  });
  t.deepEqual(warnings, [
    'field "k.raw" is left out: it is keyword in index one and long in index two; map it identically in all indexes of the alias',
  ]);
});

for (const [product, served] of [
  ['opensearch', {}],
  ['elasticsearch', { site: { type: 'constant_keyword' } }],
] as const)
  test(`${product}: constants that differ between the indexes of an alias`, async (t) => {
    const index = (value?: string) => ({
      mappings: { properties: { site: { type: 'constant_keyword', ...(value && { value }) } } },
    });
    const a = index('A');
    for (const [indexes, second] of [
      [{ a, b: index('B') }, '"B"'],
      [{ a, b: index('B'), c: index('C') }, '"B"'],
      [{ a, b: index('B'), c: a, d: index() }, '"B"'],
      [{ a, b: index(), c: index('C') }, 'without a value'],
    ] as const) {
      const { engine } = await scriptedServer(t, product, ({ line }) => ({
        body: line.endsWith('_count') ? { count: 7 } : indexes,
      }));
      const { properties, warnings } = await engine.describe('files');
      t.deepEqual(properties, served);
      const reason = `field "site" is left out: OpenSearch cannot count the constants of several indexes, and it is "A" in index a and ${second} in index b; map it as a keyword`;
      t.deepEqual(warnings, product === 'opensearch' ? [reason] : undefined);
    }
  });

test('a server that lacks a type of a mapping says so with what is known of it', async (t) => {
  const reason = 'No handler for type [flattened] declared on field [a]';
  const { engine } = await scriptedServer(t, 'opensearch', () => ({
    status: 400,
    body: { error: { type: 'mapper_parsing_exception', reason } },
  }));
  const create = engine.manage({ kind: 'create', index: 'files', mapping: {} });
  const error = await t.throwsAsync(create, { code: 'BAD_USER_INPUT' });
  t.true(
    error!.message.includes(
      '(flattened: called `flat_object`; filters only, keys by whole values and prefixes)',
    ),
    error!.message,
  );
});

test('a date of an alias has the formats of all its indexes', async (t) => {
  const index = (day: object) => ({ mappings: { properties: { day: { type: 'date', ...day } } } });
  const { engine } = await scriptedServer(t, 'opensearch', ({ line }) => ({
    body: line.endsWith('_count')
      ? { count: 7 }
      : { a: index({}), b: index({ format: 'epoch_second' }), c: index({ format: 'epoch_second||yyyy' }) },
  }));
  const { properties, warnings } = await engine.describe('files');
  t.regex(warnings![0]!, /^field "day" has dates in milliseconds in one index and in seconds in another/);
  const format = 'strict_date_optional_time||epoch_millis||epoch_second||yyyy';
  t.deepEqual(properties, { day: { type: 'date', format } });
});

test('an index is made with the settings that its mapping needs', async (t) => {
  const { engine, requested } = await scriptedServer(t, 'opensearch', () => ({ body: {} }));
  const settings = { analysis: { normalizer: { small: { filter: ['lowercase'] } } } };
  await engine.manage({ kind: 'create', index: 'a b', mapping: { properties: {} }, settings });
  t.is(requested[0]!.line, 'PUT /a%20b');
  t.deepEqual(JSON.parse(requested[0]!.body), { settings, mappings: { properties: {} } });
});

test('a server that is neither', async (t) => {
  const { engine } = await scriptedServer(t, 'other', () => found);
  await t.throwsAsync(engine.search('files', stats), {
    code: 'CONFIG_INVALID',
    message: /neither opensearch nor/,
  });
});

test('a server that is away', async (t) => {
  const settings = {
    kind: 'detect',
    url: 'http://127.0.0.1:9',
    user: undefined,
    password: undefined,
  } as const;
  const engine = openCluster(
    { ...settings, apiKey: undefined, caFile: undefined },
    { tries: 2, backoffMs: 1, timeoutMs: 60_000 },
  );
  t.teardown(() => engine.close());
  await t.throwsAsync(engine.describe('files'), { code: 'connection_error' });
  await t.throwsAsync(engine.search('files', stats), { code: 'ENGINE_UNAVAILABLE' });
});

test('a certificate file that cannot be read', (t) => {
  const settings = {
    kind: 'opensearch',
    url: 'https://127.0.0.1:9',
    user: undefined,
    password: undefined,
  } as const;
  t.throws(() => openCluster({ ...settings, apiKey: undefined, caFile: 'no-such-file.pem' }), {
    code: 'CONFIG_INVALID',
    message: /ES_CA names "no-such-file.pem"/,
  });
});
