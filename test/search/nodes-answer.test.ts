import test from 'ava';
import { sumOfCounts } from '../../src/search/nodes-answer.ts';

test('bounds and guesses of groups add up, exact counts as they are', (t) => {
  const interval = { count: 40, upperBound: 49, exact: false, estimate: 44 };
  t.deepEqual(sumOfCounts([{ count: 7 }, interval]), {
    ...{ count: 47, upperBound: 56, exact: false, estimate: 51 },
  });
});

test('what one group does not bound, the sum does not', (t) => {
  const open = { count: 10, upperBound: null, exact: false, estimate: null };
  t.deepEqual(sumOfCounts([{ count: 7 }, open]), { ...open, count: 17 });
  const unguessed = { count: 40, upperBound: 49, exact: false, estimate: null };
  t.deepEqual(sumOfCounts([unguessed]), unguessed);
});

test('a sum of exact counts is exact, and of none is 0', (t) => {
  t.deepEqual(sumOfCounts([{ count: 7 }, { count: 2 }]), {
    ...{ count: 9, upperBound: 9, exact: true, estimate: null },
  });
  t.deepEqual(sumOfCounts([]), { count: 0, upperBound: 0, exact: true, estimate: null });
});
