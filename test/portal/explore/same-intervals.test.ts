import test from 'ava';
import type { RangesFacet } from '../../../portal/src/api/answer.ts';
import { sameIntervals } from '../../../portal/src/explore/compare/same-intervals.ts';

/** @param counts by where their interval begins, ten wide; a list has its upper bound too */
const facet = (counts: Readonly<Record<number, number | readonly [number, number]>>): RangesFacet => ({
  kind: 'numbers',
  path: 'age',
  coverage: null,
  min: null,
  max: null,
  bins: Object.entries(counts).map(([from, counted]) => {
    const [count, upper] = typeof counted === 'number' ? [counted, counted] : counted;
    return { from: Number(from), to: Number(from) + 10, count, upper };
  }),
});

const exactly = (count: number) => ({ count, upper: count });

test('intervals that only one cohort has are there for all', (t) => {
  t.deepEqual(sameIntervals([facet({ 20: 5, 30: 7 }), facet({ 30: 1, 40: 2 })], 12), [
    { from: 20, to: 30, counts: [exactly(5), exactly(0)] },
    { from: 30, to: 40, counts: [exactly(7), exactly(1)] },
    { from: 40, to: 50, counts: [exactly(0), exactly(2)] },
  ]);
});

test('many intervals are taken together, with their bounds', (t) => {
  t.deepEqual(sameIntervals([facet({ 0: 1, 10: [2, 6], 20: 3, 30: 4, 40: 5 })], 3), [
    { from: 0, to: 20, counts: [{ count: 3, upper: 7 }] },
    { from: 20, to: 40, counts: [exactly(7)] },
    { from: 40, to: 50, counts: [exactly(5)] },
  ]);
});

test('a cohort without an answer has no numbers, not zeros', (t) => {
  t.deepEqual(sameIntervals([facet({ 0: 1 }), null], 12), [{ from: 0, to: 10, counts: [exactly(1), null] }]);
  t.deepEqual(sameIntervals([null, null], 12), []);
});
