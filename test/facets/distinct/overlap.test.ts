import test from 'ava';
import { sampleOfValues } from '../../../src/engines/semantics/sample-keys.ts';
import { sharedValues, poissonBounds } from '../../../src/facets/distinct/overlap.ts';
import type { NodeSample } from '../../../src/search/nodes-answer.ts';

const node = (
  nodeId: string,
  from: number,
  to: number,
  hash: 'murmur3' | 'mix64' = 'murmur3',
): NodeSample => ({
  nodeId,
  sample: sampleOfValues(
    Array.from({ length: to - from }, (_, at) => String(from + at)),
    hash,
    new Map(),
  ),
});

test('nodes that sample all of their values tell exactly how many they share', (t) => {
  t.deepEqual(sharedValues([node('a', 0, 100), node('b', 50, 200), node('c', 90, 95), node('d', 300, 400)]), [
    { a: 'a', b: 'b', both: { lower: 50, estimate: 50, upper: 50 } },
    { a: 'a', b: 'c', both: { lower: null, estimate: null, upper: 5 } },
    { a: 'a', b: 'd', both: { lower: null, estimate: null, upper: 0 } },
    { a: 'b', b: 'c', both: { lower: null, estimate: null, upper: 5 } },
    { a: 'b', b: 'd', both: { lower: null, estimate: null, upper: 0 } },
    { a: 'c', b: 'd', both: { lower: null, estimate: null, upper: 0 } },
  ]);
});

test('parts of the values tell it within bounds', (t) => {
  const { both } = sharedValues([node('a', 0, 40_000), node('b', 30_000, 130_000)])[0]!;
  const [lower, estimate] = [both.lower!, both.estimate!];
  t.true(lower < 10_000 && 10_000 < both.upper, JSON.stringify(both));
  t.true(lower < estimate && estimate < both.upper);
  t.is(estimate % 16, 0);
});

test('few keys of a part only tell how many are shared at most', (t) => {
  const { both } = sharedValues([node('a', 0, 100_000), node('b', 99_960, 199_960)])[0]!;
  t.deepEqual([both.lower, both.estimate], [null, null]);
  t.true(both.upper > 40 && both.upper < 1_000, String(both.upper));
});

test('they share no more than the smaller one has', (t) => {
  const shared = sharedValues([node('a', 0, 100_000), node('b', 0, 1_000)]);
  t.true(shared[0]!.both.upper <= 1_000);
});

test('nodes without samples and those of other types are in no pair', (t) => {
  const nodes = [node('a', 0, 9), { nodeId: 'b', sample: null }, node('c', 0, 9, 'mix64'), node('d', 5, 9)];
  t.deepEqual(
    sharedValues(nodes).map(({ a, b }) => [a, b]),
    [['a', 'd']],
  );
  t.deepEqual(sharedValues([]), []);
});

// from the quantiles of the chi-squared distribution: [q(0.00135, 2 k) / 2, q(0.99865, 2 k + 2) / 2]
const known: readonly (readonly [count: number, lower: number, upper: number])[] = [
  [0, 0, 6.60765],
  [1, 0.00135091, 8.90021],
  [10, 3.08425, 23.6389],
  [100, 72.6464, 133.829],
];

test('bounds of a mean with one known count', (t) => {
  for (const [count, lower, upper] of known) {
    const [low, high] = poissonBounds(count);
    t.true(Math.abs(low - lower) <= 1e-5 * lower, `${count}: ${low}`);
    t.true(Math.abs(high - upper) <= 1e-5 * upper, `${count}: ${high}`);
  }
});

test('at large counts they are three standard deviations away', (t) => {
  for (const count of [4_096, 8_192, 100_000]) {
    const [low, high] = poissonBounds(count);
    t.true(Math.abs((count - low) / Math.sqrt(count) - 3) < 0.1, String(low));
    t.true(Math.abs((high - count) / Math.sqrt(count) - 3) < 0.1, String(high));
  }
});
