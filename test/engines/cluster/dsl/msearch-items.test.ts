import test from 'ava';
import { hitsBody, readHits } from '../../../../src/engines/cluster/dsl/hits.ts';
import { msearchItems } from '../../../../src/engines/cluster/dsl/msearch-items.ts';
import type { FacetQuery, HitsQuery } from '../../../../src/engines/engine.ts';
import { all } from '../../../../src/sqon/filter.ts';
import { exists, field, sort, terms } from '../../cases/case.ts';

const tag = field('tag', 'keyword');
const label = field('items.labels.k', 'keyword', 'items', 'items.labels');
const byKey = { tieBreak: '_id' } as const;
const facet = (on: FacetQuery['field'], more: Partial<FacetQuery> = {}): FacetQuery => ({
  ...{ field: on, filter: all, objects: {}, measure: { kind: 'stats' } },
  ...more,
});
const hits: HitsQuery = {
  ...{ filter: exists(tag), size: 5, offset: 10, sort: [sort(tag)] },
  ...{ searchAfter: null, source: ['tag'], trackTotal: true },
};

test('a line for each distinct filter, and one of hits', (t) => {
  const n = field('n', 'long');
  const lines = msearchItems(
    {
      hits,
      facets: [
        facet(n),
        facet(n, { filter: exists(tag) }),
        facet(n, { filter: { kind: 'and', of: [] }, measure: { kind: 'cardinality' } }),
      ],
    },
    byKey,
  );
  t.deepEqual(
    lines.map((line) => (line.kind === 'facets' ? line.facets.map(({ index: place }) => place) : line.kind)),
    [[0, 2], [1], 'hits'],
  );
  t.deepEqual(lines[0]!.body, {
    size: 0,
    track_total_hits: false,
    query: { match_all: {} },
    aggs: {
      f0_stats: { stats: { field: 'n' } },
      f1_values: { terms: { field: 'n', size: 1_000 } },
      f1_distinct: { cardinality: { field: 'n', precision_threshold: 40_000 } },
    },
  });
  t.deepEqual(lines[2]!.body, {
    query: { exists: { field: 'tag' } },
    track_total_hits: true,
    size: 5,
    from: 10,
    sort: [
      { tag: { order: 'asc', missing: '_first', mode: 'min', unmapped_type: 'keyword' } },
      { _id: 'asc' },
    ],
    _source: { includes: ['tag'] },
  });
});

test('the line of most facets stands first', (t) => {
  const n = field('n', 'long');
  const tagged = facet(n, { filter: exists(tag) });
  const lines = msearchItems({ hits, facets: [facet(n), tagged, tagged] }, byKey);
  t.deepEqual(
    lines.map((line) => (line.kind === 'facets' ? line.facets.map(({ index: place }) => place) : line.kind)),
    [[1, 2], [0], 'hits'],
  );
});

test('sets of several values are searches of their own, or filters where too much would be sent', (t) => {
  const color = field('items.color', 'keyword', 'items');
  const measure = (sets: number) =>
    ({
      kind: 'groups',
      values: ['a', 'b'],
      sets: [
        ...Array.from({ length: sets }, (_, at) => ({ key: `k${at}`, members: [0, 1] })),
        { key: 'empty', members: [] },
        { key: 'one', members: [1] },
      ],
    }) as const;
  const objects = { items: terms(field('items.size', 'long', 'items'), 1) };
  const within = (filter: object) => ({
    bool: {
      filter: [
        { exists: { field: 'tag' } },
        {
          nested: {
            path: 'items',
            query: { bool: { filter: [{ terms: { 'items.size': [1] } }, filter] } },
            ignore_unmapped: true,
          },
        },
      ],
    },
  });
  const few = msearchItems(
    {
      facets: [
        facet(field('items.color', 'integer', 'items'), {
          filter: exists(tag),
          objects,
          measure: measure(1),
        }),
      ],
    },
    byKey,
  );
  const counted = { size: 0, track_total_hits: true };
  t.deepEqual(
    few.map((line) => line.body),
    [
      { size: 0, track_total_hits: false, query: { exists: { field: 'tag' } }, aggs: {} },
      { ...counted, query: within({ terms: { 'items.color': ['a', 'b'] } }) },
      { ...counted, query: within({ terms: { 'items.color': ['b'] } }) },
    ],
  );
  t.deepEqual(
    few.map((line) => line.kind === 'set' && line.set),
    [false, 0, 2],
  );
  const bucketed = msearchItems({ facets: [facet(tag, { measure: measure(1) })] }, byKey);
  t.is(bucketed.length, 2);
  t.deepEqual(bucketed[0]!.body['aggs'] as unknown, {
    f0_values: { terms: { field: 'tag', size: 1, include: ['b'] } },
  });
  // the line of buckets, and one for each set of two values
  const linesOf = (sets: number): number =>
    msearchItems({ facets: [facet(tag, { measure: measure(sets) })] }, byKey).length;
  t.deepEqual([linesOf(100), linesOf(101)], [101, 1]);
  const long = terms(tag, ...Array.from({ length: 1_000 }, (_, at) => `${'x'.repeat(2_500)}${at}`));
  const [line, ...others] = msearchItems(
    { facets: [facet(color, { filter: long, measure: measure(2) })] },
    byKey,
  );
  t.deepEqual(others, []);
  t.deepEqual(line!.body['aggs'] as unknown, {
    in0: {
      nested: { path: 'items' },
      aggs: {
        f0_sets: {
          filters: {
            filters: {
              0: { terms: { 'items.color': ['a', 'b'] } },
              1: { terms: { 'items.color': ['a', 'b'] } },
            },
          },
          aggs: { documents: { reverse_nested: {} } },
        },
        f0_values: {
          terms: {
            ...{ field: 'items.color', size: 1, include: ['b'] },
            order: [{ documents: 'desc' }, { _key: 'asc' }],
          },
          aggs: { documents: { reverse_nested: {} } },
        },
      },
    },
  });
});

test('as few buckets are requested as the answer needs', (t) => {
  const requested = (type: string, more: Partial<Extract<FacetQuery['measure'], { kind: 'terms' }>>) =>
    msearchItems(
      { facets: [facet(field('v', type), { measure: { kind: 'terms', size: 10, ...more } })] },
      byKey,
    )[0]!.body['aggs'] as unknown;
  const missing = { missing: { field: 'v' } };
  t.deepEqual(requested('keyword', { distinct: false, missing: false }), {
    f0_values: { terms: { field: 'v', size: 10 } },
  });
  t.deepEqual(requested('keyword', { distinct: false }), {
    f0_values: { terms: { field: 'v', size: 10 } },
    f0_missing: missing,
  });
  // equal counts would be cut in the order of numbers, not of their text
  t.deepEqual(requested('long', { distinct: false, missing: false }), {
    f0_values: { terms: { field: 'v', size: 1_000 } },
  });
  t.deepEqual(requested('keyword', { size: 2_000 }), {
    f0_values: { terms: { field: 'v', size: 2_001 } },
    f0_missing: missing,
  });
});

test('nested facets share the way to their objects as far as it is the same', (t) => {
  const objects = { items: terms(field('items.color', 'keyword', 'items'), 'red') };
  const measure = { kind: 'terms', size: null } as const;
  const color = field('items.color', 'keyword', 'items');
  const [line] = msearchItems(
    {
      facets: [
        facet(label, { objects, measure }),
        facet(color, { objects, measure: { ...measure, missing: false } }),
        facet(color, { measure: { ...measure, missing: false } }),
      ],
    },
    byKey,
  );
  const documents = { documents: { reverse_nested: {} } };
  const values = (path: string) => ({
    terms: { field: path, size: 65_535, order: [{ documents: 'desc' }, { _key: 'asc' }] },
    aggs: documents,
  });
  t.deepEqual(line!.body['aggs'] as unknown, {
    in0: {
      nested: { path: 'items' },
      aggs: {
        f2_values: values('items.color'),
        in0: {
          filter: { term: { 'items.color': { value: 'red' } } },
          aggs: {
            f1_values: values('items.color'),
            in0: {
              nested: { path: 'items.labels' },
              aggs: {
                f0_values: values('items.labels.k'),
                f0_missing: { missing: { field: 'items.labels.k' }, aggs: documents },
              },
            },
          },
        },
      },
    },
  });
});

test('equal queries give equal text', (t) => {
  const text = () =>
    JSON.stringify(
      msearchItems({ hits, facets: [facet(label, { measure: { kind: 'terms', size: 3 } })] }, byKey),
    );
  t.is(text(), text());
});

test('cursors, whole and without their tie-break', (t) => {
  const after = (
    dialect: '_id' | '_id#_index' | '_seq_no',
    sortBy: HitsQuery['sort'],
    ...searchAfter: (string | number | null | boolean)[]
  ) =>
    JSON.stringify(
      msearchItems(
        { hits: { ...hits, offset: 0, sort: sortBy, searchAfter }, facets: [] },
        { tieBreak: dialect },
      )[0]!.body['search_after'],
    );
  t.is(after('_id', [sort(tag)], 'a', 'k1'), '["a","k1"]');
  t.is(after('_id#_index', [sort(tag)], 'a', 'k#1#first-2'), '["a","k#1","first-2"]');
  // of a name that stood for one index: behind that key in all
  t.is(after('_id#_index', [sort(tag)], 'a', 'k1'), `["a","k1","${'\u{10ffff}'.repeat(8)}"]`);
  t.is(after('_seq_no', [sort(tag)], null, '12:34'), '[null,12,2147483647]');
  t.is(after('_seq_no', [sort(tag)], 'a', '12:8589934600'), '["a",12,10737418239]');
  t.is(after('_seq_no', [sort(tag)], 'a'), '["a",9223372036854775807,9223372036854775807]');
  t.is(
    after('_id', [sort(field('n', 'long'))], '9007199254740993', 7),
    '[9007199254740993,9007199254740993,"7"]',
  );
  // the second time the other way round, where a missing value is the other end
  const [least, most] = ['-9223372036854775808', '9223372036854775807'];
  t.is(after('_id', [sort(field('n', 'long'))], least, 7), `[${least},${most},"7"]`);
  t.is(after('_id', [sort(field('n', 'long'))], least, 'values:0;7'), `[${least},${least},"7"]`);
  t.is(after('_id', [sort(field('d', 'date'), 'desc')], null, 'k'), '[-9223372036854775808,"k"]');
  t.is(after('_id', [sort(field('x', 'double'), 'asc', 'last')], null, 'k'), '["Infinity","k"]');
  t.is(after('_id', [sort(field('ok', 'boolean'))], true, 'k'), '[1,"k"]');
  t.throws(() => after('_seq_no', [], 'k1'), { code: 'BAD_USER_INPUT' });
  t.throws(() => after('_id', [], 1, 2), { code: 'BAD_USER_INPUT' });
});

test('hits are counted where a server cannot do without', (t) => {
  const counted = (mode: 'min' | 'avg', size: number) =>
    msearchItems(
      {
        hits: { ...hits, size, sort: [sort(field('n', 'long'), 'asc', 'last', mode)], trackTotal: false },
        facets: [],
      },
      byKey,
    )[0]!.body['track_total_hits'];
  t.deepEqual([counted('min', 1), counted('avg', 1), counted('avg', 0)], [false, true, false]);
});

test('what fields do not have is refused', (t) => {
  const refused: readonly FacetQuery[] = [
    facet(field('note', 'text'), { measure: { kind: 'terms', size: 1 } }),
    facet(tag),
    facet(field('n', 'long'), { measure: { kind: 'histogram', interval: 0 } }),
  ];
  for (const one of refused)
    t.throws(() => msearchItems({ facets: [one] }, byKey), { code: 'BAD_USER_INPUT' }, JSON.stringify(one));
  for (const key of [
    sort(field('note', 'text')),
    sort(tag, 'asc', 'last', 'sum'),
    sort(field('items.n', 'long', 'items'), 'asc', 'last', 'median'),
  ])
    t.throws(() => msearchItems({ hits: { ...hits, sort: [key] }, facets: [] }, byKey), {
      code: 'BAD_USER_INPUT',
    });
  const byDocumentKey = { hits: { ...hits, sort: [sort(field('_id', '_id'))] }, facets: [] };
  t.throws(() => msearchItems(byDocumentKey, { tieBreak: '_seq_no' }), {
    code: 'BAD_USER_INPUT',
    message: /does not sort by _id/,
  });
});

test('a date at the end of its range where missing ones are not is a value', (t) => {
  const [first, last] = ['-9223372036854775808', '9223372036854775807'];
  for (const [order, missing, value] of [
    ['asc', 'last', first],
    ['desc', 'first', first],
    ['asc', 'first', last],
  ] as const) {
    const query = { ...hits, sort: [sort(field('day', 'date'), order, missing)] };
    const read = readHits(query, { hits: { hits: [{ _id: 'a', sort: [value, 'a'] }] } }, byKey);
    const after = hitsBody({ ...query, searchAfter: read.hits[0]!.cursor }, byKey)['search_after'];
    t.is(JSON.stringify(after), `[${value},"a"]`);
  }
});
