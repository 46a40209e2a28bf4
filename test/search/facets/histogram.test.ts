import test from 'ava';
import type { TributaryError } from '../../../src/lib/errors/errors.ts';
import { histogram, mergeHistograms } from '../../../src/search/facets/histogram.ts';
import { mergeRanges } from '../../../src/search/facets/range.ts';

const size = { path: 'size', type: 'long' };
const at = (key: string, count: number) => ({ key, count });

test('buckets are matched by number, whatever their text, and gaps are filled once', (t) => {
  const merged = mergeHistograms([[at('10', 1)], [at('10.0', 2), at('40.0', 1)]], 10, size);
  t.deepEqual(merged, [at('10', 3), at('20', 0), at('30', 0), at('40', 1)]);
});

test('fractions and negative keys keep their own text', (t) => {
  t.deepEqual(mergeHistograms([[at('-0.5', 1)], [at('0.0', 2)]], 0.5, size), [at('-0.5', 1), at('0', 2)]);
});

test('a key between the steps of the interval is refused', (t) => {
  const read = (key: string) =>
    histogram.read(
      { buckets: [{ key, doc_count: 1 }] },
      {
        ...{ measure: { kind: 'histogram', interval: 10 }, field: 'size', includeMissing: false },
        ...{ list: () => null, facet: {} },
      },
    );
  t.deepEqual(read('20').buckets, [at('20', 1)]);
  t.throws(() => read('25'), { code: 'NODE_BAD_RESPONSE' });
});

test('no values give no buckets', (t) => {
  t.deepEqual(mergeHistograms([[], []], 10, size), []);
});

test('too many buckets are refused as a catalogue refuses them, with an interval that fits', (t) => {
  const merge = (interval: number) => mergeHistograms([[at('0', 1)], [at('1000000', 1)]], interval, size);
  const error = t.throws(() => merge(1), {
    code: 'BAD_USER_INPUT',
    message: 'histogram of size has more than 65536 buckets, its interval must be at least 16',
  });
  t.deepEqual((error as TributaryError).details, { field: 'size', smallestInterval: 16 });
  t.notThrows(() => merge(16));
});

test('65 536 buckets fit, one more does not', (t) => {
  const merge = (last: number) => mergeHistograms([[at('0', 1)], [at(String(last), 1)]], 1, size);
  t.is(merge(65_535).length, 65_536);
  t.throws(() => merge(65_536), { message: /must be at least 2$/ });
});

test('fractions get an interval of fractions', (t) => {
  const weight = { path: 'weight', type: 'double' };
  const error = t.throws(() => mergeHistograms([[at('0', 1)], [at('10', 1)]], 0.0001, weight));
  const { smallestInterval } = (error as TributaryError).details as { smallestInterval: number };
  t.true(smallestInterval > 0.00015 && smallestInterval < 0.000153, String(smallestInterval));
});

test('ranges come in the order requested, with what each node counted', (t) => {
  t.deepEqual(mergeRanges([[at('b', 1), at('a', 2)], [at('a', 3)]], ['a', 'b']), [at('a', 5), at('b', 1)]);
});

test('two ranges of one key stay two', (t) => {
  t.deepEqual(
    mergeRanges(
      [
        [at('a', 1), at('a', 2)],
        [at('a', 10), at('a', 20)],
      ],
      ['a', 'a'],
    ),
    [at('a', 11), at('a', 22)],
  );
});
