import test from 'ava';
import type { FacetResult } from '../../../src/engines/measure.ts';
import { facetsFitTypes } from '../../../src/search/facets/measures.ts';

const largest = 2 ** 31 - 1;

const fitting: readonly FacetResult[] = [
  {
    kind: 'terms',
    buckets: [{ key: '0', keyAsString: 'false', count: largest }],
    distinct: largest - 1,
    missing: 0,
  },
  { kind: 'stats', count: 2, min: -1e300, max: 1e300, sum: null, avg: 0.5 },
  { kind: 'histogram', buckets: [{ key: '0', count: 0 }] },
  { kind: 'range', buckets: [] },
  { kind: 'cardinality', value: largest, exact: true },
];

test('what Int and Float can say fits', (t) => {
  t.true(facetsFitTypes([]));
  t.true(facetsFitTypes(fitting));
});

const [terms, stats] = fitting;
const unfitting: Readonly<Record<string, unknown>> = {
  'a count past 32 bits': { ...terms, buckets: [{ key: '0', count: largest + 1 }] },
  'a broken count': { kind: 'range', buckets: [{ key: '0', count: 1.5 }] },
  'an approximate number whose bound is past 32 bits': { kind: 'cardinality', value: largest, exact: false },
  'a key that is not text': { kind: 'histogram', buckets: [{ key: 0, count: 1 }] },
  'so many values that one more is too many': { ...terms, distinct: largest },
  'so many documents without a value': { ...terms, missing: largest + 1 },
  'no number': { ...stats, avg: Number.NaN },
  'an infinite sum': { ...stats, sum: Number.NEGATIVE_INFINITY },
  'a negative cardinality past 32 bits': { kind: 'cardinality', value: -(2 ** 31) - 1, exact: true },
};
for (const [what, result] of Object.entries(unfitting))
  test(`one value is enough not to fit: ${what}`, (t) => {
    t.false(facetsFitTypes([...fitting, result as FacetResult]));
  });
