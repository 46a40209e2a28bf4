import test from 'ava';
import { poissonBounds } from '../../../src/facets/distinct/overlap.ts';

// from the quantiles of the chi-squared distribution: [q(0.00135, 2 k) / 2, q(0.99865, 2 k + 2) / 2]
const known: readonly (readonly [count: number, lower: number, upper: number])[] = [
  [0, 0, 6.60765],
  [1, 0.00135091, 8.90021],
  [10, 3.08425, 23.6389],
  [100, 72.6464, 133.829],
];

test('bounds of a mean, given one count', (t) => {
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
