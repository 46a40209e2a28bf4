import test from 'ava';
import { difference, intersection, sumOf } from '../../../../src/capabilities/disclosure/table/interval.ts';

test('what remains of a whole without a part is as much as surely is, and never less than none', (t) => {
  t.deepEqual(difference({ lower: 100, upper: 109 }, { lower: 40, upper: 49 }), { lower: 51, upper: 69 });
  t.deepEqual(difference({ lower: 10, upper: 19 }, { lower: 10, upper: 19 }), { lower: 0, upper: 9 });
});

test('two statements about a count say what both do, and a contradiction is not an answer', (t) => {
  t.deepEqual(intersection({ lower: 10, upper: 29 }, { lower: 20, upper: 39 }), { lower: 20, upper: 29 });
  t.deepEqual(intersection({ lower: 10, upper: 19 }, { lower: 19, upper: 29 }), { lower: 19, upper: 19 });
  const error = t.throws(() => intersection({ lower: 10, upper: 18 }, { lower: 19, upper: 29 }));
  t.is(error?.message, 'the release contradicts itself');
});

test('disjoint groups add up', (t) => {
  t.deepEqual(sumOf([]), { lower: 0, upper: 0 });
  t.deepEqual(
    sumOf([
      { lower: 10, upper: 19 },
      { lower: 0, upper: 9 },
    ]),
    { lower: 10, upper: 28 },
  );
});
