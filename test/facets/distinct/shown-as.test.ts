import test from 'ava';
import { shownAsOf } from '../../../src/facets/distinct-sample.ts';

test('values are named by an object or by pairs', (t) => {
  const values = [['M', 'Male'], ['Côlon', 'Colon']]; // prettier-ignore
  t.deepEqual(shownAsOf(Object.fromEntries(values)), { values });
  t.deepEqual(shownAsOf(values), { values });
  for (const none of [null, undefined, {}, []]) t.deepEqual(shownAsOf(none), {});
});

for (const wrong of ['M', 5, ['M', 'Male'], [['M']], [['M', 'Male', 'x']], { M: 1 }, { M: null }, [['M', 1]]])
  test(`nothing else names values: ${JSON.stringify(wrong)}`, (t) => {
    t.throws(() => shownAsOf(wrong), {
      code: 'BAD_USER_INPUT',
      message: /^values of distinct_sample must be at most 10000 texts by value/,
    });
  });

test('more values than a request should name are refused', (t) => {
  const many = Array.from({ length: 10_001 }, (_, at) => [String(at), 'x']);
  t.throws(() => shownAsOf(many), { code: 'BAD_USER_INPUT' });
  t.notThrows(() => shownAsOf(many.slice(1)));
});
