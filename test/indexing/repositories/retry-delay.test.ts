import test from 'ava';
import fc from 'fast-check';
import { retryDelayMs } from '../../../src/indexing/repositories/retry-delay.ts';

test('the delay is somewhere below a bound that doubles, to ten seconds', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (attempt) => {
      const delay = retryDelayMs(attempt, null);
      return delay >= 0 && delay <= Math.min(10_000, 250 * 2 ** (attempt - 1));
    }),
  );
  t.true(new Set(Array.from({ length: 20 }, () => retryDelayMs(6, null))).size > 1);
});

const now = Date.parse('2024-05-01T10:00:00Z');

for (const [header, ms] of [
  ['20', 20_000],
  ['3600', 60_000],
  ['Wed, 01 May 2024 10:00:30 GMT', 30_000],
  ['Thu, 02 May 2024 10:00:00 GMT', 60_000],
] as const)
  test(`retry-after ${header} is heeded up to a minute`, (t) => {
    t.is(retryDelayMs(1, header, now), ms);
  });

for (const header of ['soon', '-5', 'Wed, 01 May 2024 09:00:00 GMT'])
  test(`retry-after ${header} asks for nothing`, (t) => {
    t.true(retryDelayMs(1, header, now) <= 250);
  });
