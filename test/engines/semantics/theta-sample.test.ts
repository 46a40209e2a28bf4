import test from 'ava';
import { SampleKeys, sampleOfValues } from '../../../src/engines/semantics/sample-keys.ts';
import { partsFor, sampleHash } from '../../../src/engines/semantics/theta-sample.ts';

test('up to 8 192 values are all sampled, of more at least 4 096', (t) => {
  t.deepEqual([0, 1, 8_192].map(partsFor), [1, 1, 1]);
  t.deepEqual([8_193, 16_383, 16_384, 32_767, 32_768, 20_000_000].map(partsFor), [2, 2, 4, 4, 8, 4_096]);
  for (const distinct of [8_193, 50_000, 1_000_000, 19_999_999]) {
    t.true(distinct / partsFor(distinct) >= 4_096);
    t.true(distinct / partsFor(distinct) < 8_192);
  }
});

test('texts and integers are hashed, values that nodes print or change in their own way are not', (t) => {
  const hashes = ['keyword', 'constant_keyword', 'wildcard', 'long', 'integer', 'short', 'byte'].map((type) =>
    sampleHash({ type }),
  );
  t.deepEqual(hashes, ['murmur3', 'murmur3', 'murmur3', 'mix64', 'mix64', 'mix64', 'mix64']);
  for (const type of ['double', 'float', 'scaled_float', 'unsigned_long', 'date', 'boolean', 'ip', 'version', 'text', 'object'])
    t.is(sampleHash({ type }), null, type);
  t.is(sampleHash({ type: 'keyword', normalized: true }), null);
}); // prettier-ignore

test('values shown as one are one key', (t) => {
  const shownAs = new Map([['M', 'Male'], ['m', 'Male']]); // prettier-ignore
  t.deepEqual(
    sampleOfValues(['M', 'm', 'Female'], 'murmur3', shownAs),
    sampleOfValues(['Male', 'Female'], 'murmur3', new Map()),
  );
  t.deepEqual(
    sampleOfValues(['1', '2'], 'mix64', new Map([['1', 'one']])),
    sampleOfValues(['one', '2'], 'murmur3', new Map()),
  );
});

test('a sample that does not fit has more parts', (t) => {
  const keys = new SampleKeys('mix64', 1);
  for (let value = 0; value < 20_000; value += 1) keys.add(String(value));
  const { parts, keys: count } = keys.sample();
  t.is(parts, 4);
  t.true(count > 4_700 && count < 5_300, String(count));
});

test('an integer has one key, however it is printed', (t) => {
  const of = (value: string) => sampleOfValues([value], 'mix64', new Map());
  t.deepEqual(of('-0'), of('0'));
  t.notDeepEqual(of('9007199254740993'), of('9007199254740992'));
});
