import test from 'ava';
import { boundedCount, maxListed, readTerms } from '../../../../src/search/facets/row/wire.ts';

test('a count with the same upper bound is exact', (t) => {
  t.is(boundedCount(12, { upper_bound: 12 }), 12);
  t.is(boundedCount(12, { exact: true }), 12);
  t.is(boundedCount(12, {}), 12);
});

test('an upper bound that is not known, and a guess, are read', (t) => {
  t.deepEqual(boundedCount(10, { upper_bound: null, estimate: null }), { lower: 10, upper: null });
  t.deepEqual(boundedCount(10, { exact: false }), { lower: 10, upper: null });
  t.deepEqual(boundedCount(10, { upper_bound: 19, estimate: 15 }), { lower: 10, upper: 19, estimate: 15 });
});

for (const [upper, estimate] of [
  [9, null],
  ['19', null],
  [19.5, null],
  [NaN, 3],
  [2 ** 40, null],
  [{}, null],
  [19, -1],
  [19, 'many'],
  [19, 25],
  [19, 3],
] as const)
  test(`what a hostile node may send as bounds is malformed: ${String(upper)}, ${String(estimate)}`, (t) => {
    t.is(boundedCount(10, { upper_bound: upper, estimate }), null);
  });

test('buckets keep their order and labels; missing stands aside', (t) => {
  const listed = [
    { key: '1', key_as_string: 'true', doc_count: 5 },
    { key: '__missing__', doc_count: 3, key_as_string: null },
    { key: '0', key_as_string: null, doc_count: 0, more: {} },
  ];
  t.deepEqual(readTerms(listed, 'tall'), {
    kind: 'terms',
    buckets: [
      { key: '1', keyAsString: 'true', count: 5 },
      { key: '0', count: 0 },
    ],
    missing: 3,
    distinct: 2,
  });
});

test('a stored value named like missing is distinguished from it', (t) => {
  const stored = { key: '__missing__', doc_count: 4 };
  const value = { key: 'a', doc_count: 3 };
  const missing = { key: '__missing__', doc_count: 1 };
  const buckets = [
    { key: '__missing__', count: 4 },
    { key: 'a', count: 3 },
  ];
  t.deepEqual(readTerms([stored, value, missing], 'tall'), {
    kind: 'terms',
    buckets,
    missing: 1,
    distinct: 2,
  });
  t.deepEqual(readTerms([stored, value], 'tall', false), { kind: 'terms', buckets, missing: 0, distinct: 2 });
});

const good = { key: 'a', doc_count: 1 };

test('a node lists no more values than were requested, besides the missing ones', (t) => {
  const listed = [good, { key: 'b', doc_count: 1 }, { key: '__missing__', doc_count: 1 }];
  t.is(readTerms(listed, 'genus', true, { max: 2 }).buckets.length, 2);
  t.throws(() => readTerms([...listed, good], 'genus', true, { max: 2 }), {
    code: 'NODE_BAD_RESPONSE',
    message: 'returned 4 values where 2 were requested',
  });
});

test('a key is as long as a search server indexes at most', (t) => {
  const keyed = (length: number) => [{ key: 'x'.repeat(length), doc_count: 1 }];
  t.is(readTerms(keyed(32_766), 'genus').buckets.length, 1);
  t.throws(() => readTerms(keyed(32_767), 'genus'), { code: 'NODE_BAD_RESPONSE' });
});
const malformed: readonly (readonly [string, unknown])[] = [
  ['genus', undefined],
  ['genus', { buckets: [] }],
  ['genus', Array.from({ length: maxListed + 1 }, () => good)],
  ['genus.1', [good, null]],
  ['genus.1', [good, [good]]],
  ['genus.0.key', [{ key: 1, doc_count: 1 }]],
  ['genus.0.key', [{ doc_count: 1 }]],
  ['genus.1.doc_count', [good, { key: 'b' }]],
  ['genus.0.doc_count', [{ key: 'b', doc_count: '1' }]],
  ['genus.0.doc_count', [{ key: 'b', doc_count: -1 }]],
  ['genus.0.doc_count', [{ key: 'b', doc_count: 1.5 }]],
  ['genus.0.doc_count', [{ key: 'b', doc_count: 2 ** 31 }]],
  ['genus.0.key_as_string', [{ key: 'b', doc_count: 1, key_as_string: 1 }]],
];

for (const [index, [at, listed]] of malformed.entries())
  test(`malformed at ${at} (${index})`, (t) => {
    t.throws(() => readTerms(listed, 'genus'), {
      code: 'NODE_BAD_RESPONSE',
      message: `the answer is malformed at ${at}`,
    });
  });

test('buckets may have labels, and one of missing values is a value unless those were requested', (t) => {
  const sent = [
    { key: 'a', key_as_string: null, doc_count: 3 },
    { key: '__missing__', doc_count: 2 },
  ];
  t.deepEqual(readTerms(sent, 'sex'), {
    kind: 'terms',
    buckets: [{ key: 'a', count: 3 }],
    missing: 2,
    distinct: 1,
  });
  const labelled = readTerms([...sent, { key: '1', key_as_string: 'true', doc_count: 1 }], 'sex', false);
  t.deepEqual(labelled.buckets, [
    { key: 'a', count: 3 },
    { key: '__missing__', count: 2 },
    { key: '1', keyAsString: 'true', count: 1 },
  ]);
});
