import test from 'ava';
import type { BucketAnswer } from '../../src/search/nodes-answer.ts';
import type { FacetMeasure } from '../../src/search/query.ts';
import { releasedFacet } from '../../src/search/released-facet.ts';

const cell = (key: string, upper: number | null): BucketAnswer => ({ key, count: { lower: 0, upper } });
const all = { kind: 'terms', max: null } as const;

/** What a value that is not among some cells counts at most. */
const mostUnlisted = (
  buckets: readonly BucketAnswer[],
  { measure = all, type = 'keyword' }: { measure?: FacetMeasure<'terms'>; type?: string } = {},
) => {
  const list = { kind: 'terms', buckets, missing: 0, distinct: buckets.length } as const;
  const found = releasedFacet(list, measure, { type });
  return found.kind === 'terms' ? found.unlistedUpperBound : undefined;
};

test('a value without a cell may be one of the others, or in a pattern', (t) => {
  t.is(mostUnlisted([cell('C50.1', 90), cell('C34*', 29), cell('__other__', 19)]), 29);
  t.is(mostUnlisted([cell('female', 90), cell('male', 80)]), 0);
});

test('a number may be in any range', (t) => {
  t.is(mostUnlisted([cell('*-20', 9), cell('20-*', 59)], { type: 'integer' }), 59);
});

test('nothing is known from a cut list, from one of matching values, and without upper bounds', (t) => {
  const buckets = [cell('female', 90), cell('male', 80)];
  t.is(mostUnlisted(buckets, { measure: { kind: 'terms', max: 2 } }), null);
  t.is(mostUnlisted(buckets, { measure: { ...all, matching: 'fe' } }), null);
  t.is(mostUnlisted([cell('__other__', null)]), null);
});

test('a cut list of exact counts is in the order of the release, and bounds nothing', (t) => {
  const buckets = [
    { key: 'female', count: 3 },
    { key: 'male', count: 4 },
  ];
  t.is(mostUnlisted(buckets, { measure: { kind: 'terms', max: 2 } }), null);
});

test('of other intervals than those of the release nothing is known, nor is anything of statistics changed', (t) => {
  const histogram = { kind: 'histogram', buckets: [{ key: '0', count: 3 }] } as const;
  t.deepEqual(releasedFacet(histogram, { kind: 'histogram', interval: 1 }, { type: 'integer' }), {
    ...histogram,
    unlistedUpperBound: null,
  });
  const stats = { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null } as const;
  t.is(releasedFacet(stats, { kind: 'stats' }, { type: 'integer' }), stats);
});
