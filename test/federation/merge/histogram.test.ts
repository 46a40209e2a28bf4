import test from 'ava';
import { mergeHistograms, mergeRanges } from '../../../src/federation/merge/histogram.ts';

const at = (key: string, count: number) => ({ key, count });

test('buckets are matched by number, whatever their text, and gaps are filled once', (t) => {
  const merged = mergeHistograms([[at('10', 1)], [at('10.0', 2), at('40.0', 1)]], 10);
  t.deepEqual(merged, [at('10', 3), at('20', 0), at('30', 0), at('40', 1)]);
});

test('fractions and negative keys keep their own text', (t) => {
  t.deepEqual(mergeHistograms([[at('-0.5', 1)], [at('0.0', 2)]], 0.5), [at('-0.5', 1), at('0', 2)]);
});

test('no values give no buckets', (t) => {
  t.deepEqual(mergeHistograms([[], []], 10), []);
});

test('too many buckets are refused with the smallest interval that fits', (t) => {
  const error = t.throws(() => mergeHistograms([[at('0', 1)], [at('1000000', 1)]], 1), { code: 'BAD_USER_INPUT' });
  const interval = Number(/fits is (\d+)/.exec(error?.message ?? '')?.[1]);
  t.is(interval, 16);
  t.notThrows(() => mergeHistograms([[at('0', 1)], [at('1000000', 1)]], interval));
}); // prettier-ignore

test('ranges come in the order asked, with what each node counted', (t) => {
  t.deepEqual(mergeRanges([[at('b', 1), at('a', 2)], [at('a', 3)]], ['a', 'b']), [at('a', 5), at('b', 1)]);
});

test('two ranges of one key stay two', (t) => {
  t.deepEqual(mergeRanges([[at('a', 1), at('a', 2)], [at('a', 10), at('a', 20)]], ['a', 'a']), [at('a', 11), at('a', 22)]);
}); // prettier-ignore
