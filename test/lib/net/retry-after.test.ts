import test from 'ava';
import { retryAfterMs } from '../../../src/lib/net/retry.ts';

const now = Date.parse('2026-01-02T03:04:05Z');
const cases: readonly (readonly [string | null | undefined, number | null])[] = [
  ['0', 0],
  [' 30 ', 30_000],
  ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
  ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
  ['soon', null],
  ['', null],
  ['-', null],
  [null, null],
  [undefined, null],
];

for (const [header, ms] of cases)
  test(`Retry-After of ${JSON.stringify(header)} is read`, (t) => t.is(retryAfterMs(header, now), ms));
