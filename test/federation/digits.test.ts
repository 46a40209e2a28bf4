import test, { type ExecutionContext } from 'ava';
import { openNearAndFar } from './download/galleries.ts';

const odd = '9007199254740993';
const least = '-9223372036854775808';
const most = '18446744073709551615';

const gallery = (documentType: string, documents: readonly object[]) => ({
  documentType,
  properties: {
    id: { type: 'keyword' },
    n: { type: 'long' },
    bytes: { type: 'unsigned_long' },
    sizes: { type: 'long' },
    x: { type: 'double' },
    day: { type: 'date' },
  },
  config: { extended: [{ fieldName: 'sizes', isArray: true }] },
  documents: documents as readonly { readonly id: string }[],
});

const near = gallery('near', [
  { id: 'a', n: odd, bytes: 3_000_000_000, sizes: [7, odd], x: 0.5, day: '2024-05-01' },
  // as JavaScript's own numbers print it
  { id: 'b', n: -(2 ** 63), bytes: most, x: 1e300, day: '2024-05-02' },
]);
const far = gallery('far', [
  // JSON writes the double like an integer
  { id: 'c', n: '9007199254740995', bytes: 7, sizes: [], x: 2 ** 63, day: '1999-01-01' },
]);

const open = async (t: ExecutionContext) => {
  const portal = await openNearAndFar(t, near, far);
  const runQuery = async (path: string, query: string, variables = '{}') => {
    const body = `{"query": ${JSON.stringify(query)}, "variables": ${variables}}`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(portal.url + path, { method: 'POST', headers, body });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    return errors ?? data;
  };
  return { ...portal, runQuery };
};

const row = 'id n bytes sizes x';
const rows = [
  { id: 'a', n: odd, bytes: 3_000_000_000, sizes: [7, odd], x: 0.5 },
  { id: 'b', n: least, bytes: most, sizes: null, x: 1e300 },
  { id: 'c', n: '9007199254740995', bytes: 7, sizes: null, x: 2 ** 63 },
];

test('whole numbers keep their digits in hits, alone and over nodes', async (t) => {
  const { runQuery } = await open(t);
  const sorted = `hits(sort: [{fieldName: "id"}]) { edges { node { ${row} } } }`;
  const edges = (list: readonly object[]) => ({ hits: { edges: list.map((node) => ({ node })) } });
  t.deepEqual(await runQuery('/graphql', `{ near { ${sorted} } }`), { near: edges(rows.slice(0, 2)) });
  const networked = rows.map((one) => (one.id === 'c' ? { ...one, sizes: null } : one));
  t.deepEqual(await runQuery('/network/graphql', `{ network { ${sorted} } }`), { network: edges(networked) });
  t.deepEqual(await runQuery('/network/graphql', `{ far { far { ${sorted} } } }`), {
    far: { far: edges([{ ...rows[2], sizes: [] }]) },
  });
});

test('... in statistics, buckets and ranges', async (t) => {
  const { runQuery } = await open(t);
  const facets = `aggregations { n { stats { min max count } range(ranges: [{ from: 9007199254740993, to: "9007199254740995" }, { from: "9007199254740995" }]) { buckets { key doc_count } } }
    bytes { stats { min max } range(ranges: [{ from: 3000000000, to: 1e19 }, { to: 0.5 }]) { buckets { key doc_count } } } x { stats { min max } } }`;
  t.deepEqual(await runQuery('/network/graphql', `{ network { ${facets} } }`), {
    network: {
      aggregations: {
        n: {
          stats: { min: least, max: '9007199254740995', count: 3 },
          range: {
            buckets: [
              { key: '9007199254740993-9007199254740995', doc_count: 1 },
              { key: '9007199254740995-*', doc_count: 1 },
            ],
          },
        },
        bytes: {
          stats: { min: 7, max: most },
          range: {
            buckets: [
              { key: '*-0.5', doc_count: 0 },
              { key: '3000000000.0-10000000000000000000.0', doc_count: 1 },
            ],
          },
        },
        x: { stats: { min: 0.5, max: 1e300 } },
      },
    },
  });
});

test('... in filters in both forms, inline and by variable', async (t) => {
  const { runQuery } = await open(t);
  const query = 'query($filters: JSON) { network(filters: $filters) { total } }';
  const filter = (value: string) =>
    `{"filters": {"op": "in", "content": {"fieldName": "n", "value": [${value}]}}}`;
  for (const value of [odd, `"${odd}"`, least, `"${least}"`])
    t.deepEqual(await runQuery('/network/graphql', query, filter(value)), { network: { total: 1 } }, value);
  t.deepEqual(
    await runQuery(
      '/network/graphql',
      `{ network(filters: {op: "in", content: {fieldName: "bytes", value: ${most}}}) { total } }`,
    ),
    { network: { total: 1 } },
  );
});

test('... in files', async (t) => {
  const { download } = await open(t);
  const columns = ['id', 'n', 'bytes', 'sizes'].map((fieldName) => ({ fieldName }));
  const file = { columns, sort: [{ fieldName: 'id' }] };
  const lines = (of: readonly object[]) => of.map((one) => `${JSON.stringify(one)}\n`).join('');
  const cells = rows.map(({ id, n, bytes, sizes }) => ({ id, n, bytes, sizes }));
  const json = await (await download({ files: [{ ...file, fileType: 'json' }] })).text();
  t.is(json, lines(cells.map((one, at) => ({ ...one, ...(at === 2 && { sizes: [] }) }))));
  const alone = await (await download({ files: [{ ...file, fileType: 'json' }] }, '/download')).text();
  t.is(alone, lines(cells.slice(0, 2)));
  const table = await (await download({ files: [{ ...file, fileType: 'tsv' }] })).text();
  t.is(
    table,
    [
      'Id\tN\tBytes\tSizes',
      `a\t${odd}\t3000000000\t7, ${odd}`,
      `b\t${least}\t${most}\t--`,
      'c\t9007199254740995\t7\t--',
      '',
    ].join('\n'),
  );
});

test('ends of ranges of dates are dates, date math and milliseconds', async (t) => {
  const { runQuery } = await open(t);
  const ranges = `day { range(ranges: [
    { from: "2024-05-01", to: "2024-05-02", key: "day" }, { from: 1714521600000, key: "ms" }, { from: "now-1000d/d", key: "math" },
    { to: "2000", key: "old" }]) { buckets { key doc_count } } }`;
  const buckets = [
    { key: 'old', doc_count: 1 },
    { key: 'math', doc_count: 2 },
    { key: 'day', doc_count: 1 },
    { key: 'ms', doc_count: 2 },
  ];
  t.deepEqual(await runQuery('/network/graphql', `{ network { aggregations { ${ranges} } } }`), {
    network: { aggregations: { day: { range: { buckets } } } },
  });
  const wrong = (await runQuery(
    '/network/graphql',
    '{ network { aggregations { n { range(ranges: [{ from: "now-1d" }]) { buckets { key } } } } } }',
  )) as readonly { message: string }[];
  t.regex(wrong[0]!.message, /range of n has the end "now-1d": a number expected/);
});
