import test, { type ExecutionContext } from 'ava';
import type { RangesFacet } from '../../../portal/src/api/answer.ts';
import { comparedRows, greatestDifference, testOf } from '../../../portal/src/explore/compare/compared.ts';
import { chiSquared, chiSquaredTail, mannWhitney } from '../../../portal/src/explore/compare/statistics.ts';
import { valuesFacet } from '../values-facet.ts';

const near = (t: ExecutionContext, found: number | undefined, expected: number, within = 1e-9): void =>
  void t.true(
    Math.abs((found ?? Number.NaN) - expected) <= within * Math.max(1, Math.abs(expected)),
    `${found} is not ${expected}`,
  );

// quantiles of the chi-squared distribution: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4
test('the tail of chi-squared is that of the tables', (t) => {
  const table = [
    [1, 3.841458820694124, 0.05],
    [2, 9.210340371976182, 0.01],
    [10, 18.307038053275146, 0.05],
    [100, 124.34211340400407, 0.05],
  ] as const;
  for (const [degrees, quantile, tail] of table) near(t, chiSquaredTail(quantile, degrees), tail);
  // two degrees: exp(-x / 2)
  for (const x of [0.1, 1, 5, 40, 200]) near(t, chiSquaredTail(x, 2), Math.exp(-x / 2), 1e-12);
  t.is(chiSquaredTail(0, 3), 1);
});

test('chi-squared without correction, with Cramér’s V', (t) => {
  // by hand: all expected counts are 15
  const tested = chiSquared([
    [10, 20],
    [20, 10],
  ]);
  near(t, tested?.statistic, 20 / 3);
  t.is(tested?.degrees, 1);
  near(t, tested?.p, 0.009823274507519235, 1e-9);
  near(t, tested?.effect ?? undefined, 1 / 3);
});

test('what is expected fewer than five times is taken together, and nothing makes no difference', (t) => {
  const tested = chiSquared([
    [50, 48, 1, 1, 0],
    [40, 58, 0, 1, 1],
  ]);
  t.is(tested?.degrees, 2);
  t.is(chiSquared([[50], [40]]), null);
  t.is(
    chiSquared([
      [0, 0],
      [3, 4],
    ]),
    null,
  );
});

test('ranks are compared with ties counted half', (t) => {
  // no ties: all of the second are greater, U = 0
  const apart = mannWhitney([
    [1, 1, 1, 1, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 1, 1, 1],
  ]);
  near(t, apart?.statistic, -8 / Math.sqrt((16 / 12) * 9));
  t.is(apart?.effect, 0);
  const alike = mannWhitney([
    [5, 5],
    [7, 7],
  ]);
  t.deepEqual([alike?.statistic, alike?.p, alike?.effect], [0, 1, 0.5]);
  t.is(mannWhitney([[4], [5]]), null);
});

const apart = { isShared: false, isNested: false };

test('no test where counts are ranges, cohorts share records, or records have several values', (t) => {
  const [one, other] = [valuesFacet({ a: 30, b: 20 }), valuesFacet({ a: 20, b: 30 })];
  const of = [50, 50];
  t.is((testOf([one, other], of, apart) as { kind: string }).kind, 'chiSquared');
  t.is(testOf([one, other], of, { ...apart, isShared: true }), 'overlap');
  t.is(testOf([one, other], of, { ...apart, isNested: true }), 'several');
  t.is(testOf([one, other], [40, 50], apart), 'several');
  const range = { ...one, buckets: one.buckets.map((bucket) => ({ ...bucket, upper: bucket.count + 5 })) };
  t.is(testOf([range, other], of, apart), 'intervals');
  t.is(testOf([{ ...one, bucketCount: 500 }, other], of, apart), 'tooMany');
  t.is(testOf([one, valuesFacet({}, 'failed')], of, apart), 'nothing');
  t.is(testOf([one, undefined], of, apart), 'nothing');
});

test('numbers are compared by the same intervals, of two cohorts at a time', (t) => {
  const ranges = (counts: readonly number[]): RangesFacet => ({
    kind: 'numbers',
    path: 'age',
    coverage: null,
    min: 0,
    max: 9,
    bins: counts.map((count, from) => ({ from, to: from + 1, count, upper: count })),
  });
  const facets = [ranges([5, 9, 1]), ranges([1, 2, 12])];
  t.is((testOf(facets, [15, 15], apart) as { kind: string }).kind, 'mannWhitney');
  t.is(testOf([...facets, ranges([1])], [15, 15, 1], apart), 'two');
});

test('differences of shares have the sign of the first less the second', (t) => {
  const rows = comparedRows(
    [
      {
        key: 'a',
        label: 'a',
        counts: [
          { count: 10, upper: 10 },
          { count: 30, upper: 30 },
        ],
      },
      {
        key: 'b',
        label: 'b',
        counts: [
          { count: 10, upper: 20 },
          { count: 30, upper: 30 },
        ],
      },
      { key: 'c', label: 'c', counts: [null, { count: 30, upper: 30 }] },
    ],
    [100, 100],
  );
  near(t, rows[0]?.difference ?? undefined, -0.2);
  t.deepEqual([rows[1]?.difference, rows[2]?.difference], [null, null]);
  near(t, greatestDifference(rows), 0.2);
});
