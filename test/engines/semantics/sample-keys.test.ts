import test from 'ava';
import { mix64, murmur3, partitionSeed } from '../../../src/engines/semantics/sample-keys.ts';

const hashOf = (text: string, seed: number): number => {
  const bytes = Buffer.from(`..${text}..`);
  return murmur3(bytes, 2, bytes.length - 2, seed) >>> 0;
};

test('texts are hashed as the verification values of MurmurHash3 say', (t) => {
  t.deepEqual(
    [
      hashOf('', 0),
      hashOf('', 1),
      hashOf('', 0xffffffff),
      hashOf('aaaa', 0x9747b28c),
      hashOf('aaa', 0x9747b28c),
    ],
    [0, 0x514e28b7, 0x81f16f39, 0x5a97808a, 0x283e0130],
  );
  t.deepEqual(
    [hashOf('aa', 0x9747b28c), hashOf('a', 0x9747b28c), hashOf('ππππππππ', 0x9747b28c)],
    [0x5d211726, 0x7fa09ea6, 0xd58063c1],
  );
  t.is(hashOf('The quick brown fox jumps over the lazy dog', 0x9747b28c), 0x2fa826cd);
  t.is(partitionSeed, 31);
});

test('integers of 64 bits are mixed without rounding', (t) => {
  const mask = 2n ** 64n - 1n;
  const plain = (value: bigint): bigint => {
    const first = ((value ^ (value >> 32n)) * 0x4cd6944c5cc20b6dn) & mask;
    const second = ((first ^ (first >> 29n)) * 0xfc12c5b19d3259e9n) & mask;
    return second ^ (second >> 32n);
  };
  const into = new Uint32Array(2);
  for (let power = 0n; power < 64n; power += 1n)
    for (const value of [
      2n ** power - 1n,
      2n ** power,
      mask - 2n ** power,
      (2n ** power * 12_345_678_901n) & mask,
    ]) {
      mix64(Number(value >> 32n), Number(value & 0xffffffffn), into);
      t.is((BigInt(into[1]!) << 32n) | BigInt(into[0]!), plain(value), String(value));
    }
});
