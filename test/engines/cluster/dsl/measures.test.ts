import test from 'ava';
import { readFacet } from '../../../../src/engines/cluster/dsl/measures.ts';
import type { FacetQuery } from '../../../../src/engines/engine.ts';
import type { Measure } from '../../../../src/engines/measure.ts';
import { blockOf, logIndex } from '../../../../src/engines/semantics/log-counts.ts';
import { isJsonObject, objectIn, objectsIn } from '../../../../src/lib/json/json.ts';
import { all } from '../../../../src/sqon/filter.ts';
import { field } from '../../cases/case.ts';

const facet = (type: string, measure: Measure): FacetQuery => ({
  ...{ field: field('v', type), filter: all, objects: {}, measure },
});

test('buckets by count, then by bytes; numbers are keys as servers print them', (t) => {
  const buckets = [
    { key: 10, doc_count: 1 },
    { key: 2.5, doc_count: 1 },
    { key: 3, doc_count: 4 },
  ];
  const answers = { values: { sum_other_doc_count: 0, buckets }, missing: { doc_count: 2 } };
  const measure = { kind: 'terms', size: 2 } as const;
  const reading = readFacet(facet('double', measure), answers, 1);
  t.deepEqual(reading, {
    kind: 'complete',
    result: {
      kind: 'terms',
      buckets: [
        { key: '3.0', count: 4 },
        { key: '10.0', count: 1 },
      ],
      distinct: 3,
      missing: 2,
    },
  });
  const matching = { kind: 'terms', size: 2, matching: '3' } as const;
  t.like(readFacet(facet('double', matching), answers, 1), {
    result: { buckets: [{ key: '3.0', count: 4 }], distinct: 1, missing: 0 },
  });
});

test('values left out make the answer partial', (t) => {
  const answers = {
    values: { sum_other_doc_count: 1, buckets: [{ key: 'a', doc_count: 1 }] },
    missing: { doc_count: 2 },
  };
  const reading = readFacet(facet('keyword', { kind: 'terms', size: 1 }), answers, 1);
  t.deepEqual(reading, { kind: 'incomplete', missing: 2 });
});

test('buckets that were left out matter where they could change what is shown', (t) => {
  const measure = (more: object): Measure => ({ kind: 'terms', size: 2, distinct: false, ...more });
  const kindOf = (type: string, shards: number, error: number, more: object = {}) =>
    readFacet(
      facet(type, measure(more)),
      {
        values: {
          sum_other_doc_count: 3,
          doc_count_error_upper_bound: error,
          buckets: [
            { key: 1, doc_count: 2 },
            { key: 2, doc_count: 1 },
          ],
        },
      },
      shards,
    ).kind;
  t.is(kindOf('keyword', 1, 1), 'complete');
  t.is(kindOf('keyword', 5, 0), 'complete');
  t.is(kindOf('keyword', 5, 1), 'incomplete');
  t.is(kindOf('keyword', 5, -1), 'incomplete');
  t.is(kindOf('keyword', 1, 0, { distinct: true }), 'incomplete');
  t.is(kindOf('keyword', 1, 0, { size: 3 }), 'incomplete');
  t.is(kindOf('long', 1, 0), 'incomplete');
  t.is(kindOf('long', 1, 0, { size: 1 }), 'complete');
});

test('what was requested of fewer buckets must be of the same ones', (t) => {
  const measure: Measure = { kind: 'terms', size: 1, filters: [all] };
  const answers = (key: string) => ({
    values: {
      sum_other_doc_count: 0,
      buckets: [
        { key: 'a', doc_count: 1 },
        { key: 'b', doc_count: 1 },
      ],
    },
    extras: { buckets: [{ key, doc_count: 1, filter0: { doc_count: 1 } }] },
    missing: { doc_count: 0 },
  });
  const kindOf = (key: string) => readFacet(facet('keyword', measure), answers(key), 1).kind;
  t.is(kindOf('a'), 'complete');
  t.is(kindOf('b'), 'incomplete');
});

test('a histogram is filled; too many buckets name the interval that fits', (t) => {
  const measure = { kind: 'histogram', interval: 10 } as const;
  const answers = (last: number) => ({
    buckets: {
      buckets: [
        { key: -10, doc_count: 1 },
        { key: last, doc_count: 2 },
      ],
    },
  });
  t.deepEqual(readFacet(facet('long', measure), answers(10), 1), {
    kind: 'complete',
    result: {
      kind: 'histogram',
      buckets: [
        { key: '-10', count: 1 },
        { key: '0', count: 0 },
        { key: '10', count: 2 },
      ],
    },
  });
  t.notThrows(() => readFacet(facet('long', measure), answers(655_340), 1), 'as many as there may be');
  t.throws(() => readFacet(facet('long', measure), answers(655_350), 1), { code: 'BAD_USER_INPUT' });
  t.throws(() => readFacet(facet('long', measure), answers(1e7), 1), {
    code: 'BAD_USER_INPUT',
    message: /at least 153$/,
  });
});

test('stats of nothing are null', (t) => {
  const answers = { stats: { count: 0, min: null, max: null, avg: null, sum: 0 } };
  const reading = readFacet(facet('long', { kind: 'stats' }), answers, 1);
  t.deepEqual(reading, {
    kind: 'complete',
    result: { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null },
  });
});

test('percentiles count in buckets up to the extremes, and in none beyond', (t) => {
  for (const [min, max] of [
    [5, 1_000],
    [-1_000, -5],
    [-3, 7],
    [2, 2],
  ] as const) {
    const blocks = [
      ...new Set([min, max].map((one) => `${one < 0 ? 'negative' : 'positive'}${blockOf(logIndex(one))}`)),
    ];
    const buckets = blocks.map((key) => ({ key, doc_count: 1 }));
    const reading = readFacet(
      facet('double', { kind: 'percentiles' }),
      { stats: { min, max }, blocks: { buckets } },
      1,
    );
    const requested = reading.kind === 'further' && reading.aggregations['buckets'];
    const ranges = objectsIn(isJsonObject(requested) ? objectIn(requested, 'range') : {}, 'ranges');
    const holding = (value: number) =>
      ranges.filter(({ from, to }) => Number(from) <= value && value < Number(to));
    t.deepEqual([holding(min).length, holding(max).length], [1, 1], `${min} to ${max}`);
    t.deepEqual([holding(min * (min < 0 ? 1.03 : 0.97)), holding(max * (max < 0 ? 0.97 : 1.03))], [[], []]);
  }
});
