import test from 'ava';
import { wireBounds } from '../../../src/facets/row/wire.ts';

test('a count with the same upper bound is exact', (t) => {
  t.is(wireBounds(12, 12, null), null);
});

test('an upper bound that is not known, and a guess, are read', (t) => {
  t.deepEqual(wireBounds(10, null, null), { upperBound: null, exact: false, estimate: null });
  t.deepEqual(wireBounds(10, 19, 15), { upperBound: 19, exact: false, estimate: 15 });
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
    t.is(wireBounds(10, upper, estimate), 'malformed');
  });
