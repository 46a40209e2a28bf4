import test from 'ava';
import { countBetween, exactly, existsIn, sumOfCounts } from '../../src/search/count.ts';

test('bounds and guesses of groups add up, exact counts as they are', (t) => {
  const interval = { lower: 40, upper: 49, estimate: 44 };
  t.deepEqual(sumOfCounts([7, interval]), { lower: 47, upper: 56, estimate: 51 });
});

test('what one group does not bound, the sum does not', (t) => {
  t.deepEqual(sumOfCounts([7, { lower: 10, upper: null }]), { lower: 17, upper: null });
  const unguessed = { lower: 40, upper: 49 };
  t.deepEqual(sumOfCounts([unguessed]), unguessed);
});

test('whether there is anything is known only where a bound tells', (t) => {
  const counts = [7, 0, { lower: 1, upper: null }, { lower: 0, upper: 9 }, { lower: 0, upper: null }];
  t.deepEqual(counts.map(existsIn), [true, false, true, null, null]);
});

test('a sum of exact counts is exact, and of none is 0', (t) => {
  t.is(sumOfCounts([7, 2]), 9);
  t.is(sumOfCounts([]), 0);
});

test('equal bounds are a number, whatever the estimate', (t) => {
  t.is(countBetween(7, 7, 5), 7);
  t.deepEqual([7, { lower: 7, upper: 7 }, { lower: 7, upper: 8 }, null].map(exactly), [7, 7, null, null]);
});
