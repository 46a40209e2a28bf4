import test from 'ava';
import type { DistinctSample } from '../../../src/engines/measure.ts';
import { sampleOfValues } from '../../../src/engines/semantics/sample-keys.ts';
import { estimateOf, mergedSample } from '../../../src/facets/distinct/estimate.ts';

const sampleOf = (from: number, to: number): DistinctSample =>
  sampleOfValues(
    Array.from({ length: to - from }, (_, at) => `value ${from + at}`),
    'murmur3',
    new Map(),
  );

test('what several nodes have counts once, and exactly where all have all of theirs', (t) => {
  t.deepEqual(estimateOf([sampleOf(0, 5_000), sampleOf(4_000, 9_000), sampleOf(8_990, 15_000)]), {
    value: 15_000,
    lower: 15_000,
    upper: 15_000,
    exact: true,
  });
});

test('samples of different parts are merged at the larger number of them', (t) => {
  const [small, large] = [sampleOf(0, 3_000), sampleOf(2_000, 100_000)];
  t.deepEqual([small.parts, large.parts], [1, 16]);
  const { value, lower, upper, exact } = estimateOf([small, large]);
  t.deepEqual([exact, value % 16], [false, 0]);
  t.true(lower < 100_000 && 100_000 < upper, `${lower} to ${upper}`);
  const deviation = 3 * 16 * Math.sqrt((value / 16) * (1 - 1 / 16));
  t.deepEqual([lower, upper], [Math.floor(value - deviation), Math.ceil(value + deviation)]);
});

test('equal values of several nodes are one sample', (t) => {
  t.deepEqual(mergedSample([sampleOf(0, 3_000), sampleOf(1_000, 5_000)]), sampleOf(0, 5_000));
  const whole = sampleOf(0, 60_000);
  const merged = mergedSample([sampleOf(0, 60_000), sampleOf(0, 10)])!;
  t.deepEqual([merged.parts, merged.keys], [whole.parts, whole.keys]);
  t.deepEqual(merged, whole);
});

test('samples of other hashes are not merged, nor none', (t) => {
  const integers = sampleOfValues(['1'], 'mix64', new Map());
  t.is(mergedSample([sampleOf(0, 1), integers]), null);
  t.is(mergedSample([sampleOf(0, 1), null]), null);
  t.is(mergedSample([]), null);
  t.is(mergedSample([integers]), integers);
});

test('no values are none', (t) => {
  t.deepEqual(estimateOf([sampleOf(0, 0)]), { value: 0, lower: 0, upper: 0, exact: true });
});
