import test from 'ava';
import fc from '../../fast-check.ts';
import {
  encodeLevels,
  forEachKey,
  keysIn,
  partsFor,
  sampleHash,
} from '../../../src/engines/semantics/sample-levels.ts';
import { SampleKeys, sampleOfValues } from '../../../src/engines/semantics/sample-keys.ts';

const keysOf = (levels: readonly string[], parts: number, from = parts): readonly bigint[] => {
  const keys: bigint[] = [];
  forEachKey({ hash: 'mix64', parts, keys: 0, levels }, from, (high, low) =>
    keys.push((BigInt(high) << 32n) | BigInt(low)),
  );
  return keys.toSorted((one, other) => (one < other ? -1 : 1));
};

const key = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(64))
  .map(([value, zeros]) => ((value >> BigInt(zeros)) << BigInt(zeros)) & (2n ** 64n - 1n));

test('keys that are written are read again, and fewer at a larger number of parts', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 50 }), fc.nat(8), fc.nat(8), (all, log, more) => {
      const [parts, larger] = [2 ** log, 2 ** (log + more)];
      const within = all.filter((one) => one % BigInt(parts) === 0n);
      const levels = encodeLevels(BigUint64Array.from(within).sort(), parts)!;
      const sorted = within.toSorted((one, other) => (one < other ? -1 : 1));
      t.deepEqual(keysOf(levels, parts), sorted);
      t.deepEqual(
        keysOf(levels, parts, larger),
        sorted.filter((one) => one % BigInt(larger) === 0n),
      );
      t.is(keysIn(levels, parts), within.length);
    }),
  );
});

test('8 192 keys of all values fit, more than twice as many do not', (t) => {
  const keys = (count: number): BigUint64Array =>
    BigUint64Array.from({ length: count }, (_, at) =>
      BigInt.asUintN(64, BigInt(at + 1) * 0x9e3779b97f4a7c15n),
    ).sort();
  const levels = encodeLevels(keys(8_192), 1)!;
  t.true(levels.join('').length <= 96 * 1024);
  t.is(encodeLevels(keys(20_000), 1), null);
});

test('texts that are not keys are not counted', (t) => {
  t.is(keysIn([], 1), 0);
  t.is(keysIn(['AQID'], 2 ** 30), 3);
  t.is(keysIn(['AQID', 'AQID'], 2 ** 30), null, 'there are no more zero bits');
  t.is(keysIn(['AQI!'], 1), null, 'not in base64');
  t.is(keysIn(['gICA'], 1), null, 'cut off');
  t.is(keysIn(['A'.repeat(100_000)], 1), null, 'too long');
});

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
  for (const type of [
    'double',
    'float',
    'scaled_float',
    'unsigned_long',
    'date',
    'boolean',
    'ip',
    'version',
    'text',
    'object',
  ])
    t.is(sampleHash({ type }), null, type);
  t.is(sampleHash({ type: 'keyword', normalized: true }), null);
});

test('values shown as one are one key', (t) => {
  const shownAs = new Map([
    ['M', 'Male'],
    ['m', 'Male'],
  ]);
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
