import test from 'ava';
import { combinationsOf } from '../../../portal/src/explore/compare/combinations.ts';

test('two cohorts have three combinations, four have fifteen, each once', (t) => {
  t.deepEqual(combinationsOf(2), [[0], [1], [0, 1]]);
  t.is(new Set(combinationsOf(4).map(String)).size, 15);
});
