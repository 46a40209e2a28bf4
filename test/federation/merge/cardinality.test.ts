import test from 'ava';
import { mergeTerms } from '../../../src/federation/merge/buckets.ts';
import { mergeCardinality } from '../../../src/federation/merge/cardinality.ts';

const about = (value: number, exact: boolean) => ({ kind: 'cardinality', value, exact }) as const;

test('numbers alone give bounds: all values shared, or none', (t) => {
  t.deepEqual(mergeCardinality([about(7, true), about(5, true)], null), {
    lower: 7,
    upper: 12,
    exact: false,
  });
  t.deepEqual(mergeCardinality([about(7, true)], null), { lower: 7, upper: 7, exact: true });
  t.deepEqual(mergeCardinality([about(7, false)], null), { lower: 7, upper: 7, exact: false });
});

test('whole bucket lists give the number itself', (t) => {
  const part = (nodeId: string, ...keys: string[]) => {
    const buckets = keys.map((key) => ({ key, count: 1 }));
    return { nodeId, asked: null, values: null, result: { kind: 'terms', buckets, missing: 1, distinct: 2 } } as const;
  };
  const terms = mergeTerms([part('a', 'x', 'y'), part('b', 'y', 'z')]);
  t.deepEqual(mergeCardinality([about(2, false), about(2, false)], terms), { lower: 3, upper: 3, exact: true });
}); // prettier-ignore
