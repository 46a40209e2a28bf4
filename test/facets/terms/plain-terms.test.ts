import test from 'ava';
import { bucketsOf, columnsOf, plainTerms, ColumnsWriter } from '../../../src/facets/terms/terms-columns.ts';
import { readTerms } from '../../../src/facets/terms/wire-terms.ts';

const buckets = [
  { key: 'a', count: 3 },
  { key: 'b', count: 1 },
];
const writer = new ColumnsWriter(2);
for (const { key, count } of buckets) writer.add(key, count);
const columns = writer.columns();

test('a plain list reads like any other', (t) => {
  const plain = plainTerms(columns, 7);
  t.deepEqual(plain, { kind: 'terms', buckets, missing: 7, distinct: 2 });
  t.deepEqual(JSON.parse(JSON.stringify(plain)), { kind: 'terms', buckets, missing: 7, distinct: 2 });
});

test('a copy has buckets of its own, and no columns that would contradict them', (t) => {
  const copy = { ...plainTerms(columns, 0), buckets: buckets.slice(1) };
  t.is(columnsOf(copy), null);
  t.deepEqual(copy.buckets, [{ key: 'b', count: 1 }]);
  t.deepEqual({ ...plainTerms(columns, 0) }.buckets, buckets);
});

test('a list is columns until one of its buckets is more than a key and a count', (t) => {
  const sent = [
    { key: 'a', key_as_string: null, doc_count: 3 },
    { key: '__missing__', doc_count: 2 },
  ];
  const plain = readTerms(sent, 'sex');
  t.deepEqual(bucketsOf(columnsOf(plain)!), [{ key: 'a', count: 3 }]);
  t.deepEqual(plain, { kind: 'terms', buckets: [{ key: 'a', count: 3 }], missing: 2, distinct: 1 });
  const labelled = readTerms([...sent, { key: '1', key_as_string: 'true', doc_count: 1 }], 'sex', false);
  t.is(columnsOf(labelled), null);
  t.deepEqual(labelled.buckets, [
    { key: 'a', count: 3 },
    { key: '__missing__', count: 2 },
    { key: '1', keyAsString: 'true', count: 1 },
  ]);
});
