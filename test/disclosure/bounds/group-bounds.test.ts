import test from 'ava';
import { groupBounds } from '../../../src/disclosure/table/interval.ts';

const whole = { lower: 40, upper: 49 };
const parts = [
  { lower: 30, upper: 39 },
  { lower: 20, upper: 29 },
];

test('two groups overlap by what surely does not fit into all units, at their most', (t) => {
  // 49 units of which the first 30 are in one group and the last 20 in the other share one
  t.deepEqual(groupBounds('and', parts, whole), { lower: 1, upper: 29 });
  t.deepEqual(groupBounds('and', [...parts, { lower: 45, upper: 49 }], whole), { lower: 0, upper: 29 });
});

test('two groups together are at least the larger one, and at most all units', (t) => {
  t.deepEqual(groupBounds('or', parts, whole), { lower: 30, upper: 49 });
  t.deepEqual(groupBounds('or', [parts[1]!], whole), { lower: 20, upper: 29 });
});
