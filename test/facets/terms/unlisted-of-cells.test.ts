import test from 'ava';
import { unlistedOfCells } from '../../../src/facets/terms.ts';
import type { TermsBucket } from '../../../src/engines/measure.ts';

const list = (...buckets: readonly TermsBucket[]) =>
  ({ kind: 'terms', buckets, missing: 0, distinct: buckets.length }) as const;
const cell = (key: string, upperBound: number | null): TermsBucket => ({
  ...{ key, count: 0, upperBound, exact: false, estimate: null },
});
const all = { max: null };

test('a value without a cell may be one of the others, or in a pattern', (t) => {
  const buckets = list(cell('C50.1', 90), cell('C34*', 29), cell('__other__', 19));
  t.is(unlistedOfCells(buckets, all, { type: 'keyword' }), 29);
  t.is(unlistedOfCells(list(cell('female', 90), cell('male', 80)), all, { type: 'keyword' }), 0);
});

test('a number may be in any range', (t) => {
  t.is(unlistedOfCells(list(cell('*-20', 9), cell('20-*', 59)), all, { type: 'integer' }), 59);
});

test('nothing is known from a cut list, from one of matching values, and without upper bounds', (t) => {
  const buckets = list(cell('female', 90), cell('male', 80));
  t.is(unlistedOfCells(buckets, { max: 2 }, { type: 'keyword' }), null);
  t.is(unlistedOfCells(buckets, { max: null, matching: 'fe' }, { type: 'keyword' }), null);
  t.is(unlistedOfCells(list(cell('__other__', null)), all, { type: 'keyword' }), null);
});
