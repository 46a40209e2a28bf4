import test from 'ava';
import fc from '../../fast-check.ts';
import { encodeLevels, forEachKey, keysIn } from '../../../src/engines/semantics/sample-levels.ts';

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

test('texts that are no keys are not counted', (t) => {
  t.is(keysIn([], 1), 0);
  t.is(keysIn(['AQID'], 2 ** 30), 3);
  t.is(keysIn(['AQID', 'AQID'], 2 ** 30), null, 'there are no more zero bits');
  t.is(keysIn(['AQI!'], 1), null, 'not in base64');
  t.is(keysIn(['gICA'], 1), null, 'cut off');
  t.is(keysIn(['A'.repeat(100_000)], 1), null, 'too long');
});
