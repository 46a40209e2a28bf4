import type { DistinctSampleResult, Measure } from '../../../src/engines/measure.ts';

const mask32 = 2n ** 32n - 1n;
const mask64 = 2n ** 64n - 1n;

/** MurmurHash3_x86_32 as it is written down: blocks of four bytes from the lowest, then what is left. */
const murmur3 = (text: string, seed: bigint): bigint => {
  const bytes = [...Buffer.from(text)].map(BigInt);
  const rotated = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (32n - by))) & mask32;
  const times = (value: bigint, by: bigint): bigint => (value * by) & mask32;
  const word = (part: readonly bigint[]): bigint => part.reduceRight((sum, byte) => (sum << 8n) | byte, 0n);
  const mixed = (block: bigint): bigint => times(rotated(times(block, 0xcc9e2d51n), 15n), 0x1b873593n);
  const whole = bytes.length - (bytes.length % 4);
  let hash = seed;
  for (let at = 0; at < whole; at += 4) {
    hash = rotated(hash ^ mixed(word(bytes.slice(at, at + 4))), 13n);
    hash = (hash * 5n + 0xe6546b64n) & mask32;
  }
  hash ^= mixed(word(bytes.slice(whole))) ^ BigInt(bytes.length);
  hash = times(hash ^ (hash >> 16n), 0x85ebca6bn);
  hash = times(hash ^ (hash >> 13n), 0xc2b2ae35n);
  return hash ^ (hash >> 16n);
};

const mix64 = (value: bigint): bigint => {
  let mixed = value & mask64;
  mixed = ((mixed ^ (mixed >> 32n)) * 0x4cd6944c5cc20b6dn) & mask64;
  mixed = ((mixed ^ (mixed >> 29n)) * 0xfc12c5b19d3259e9n) & mask64;
  return mixed ^ (mixed >> 32n);
};

const texts = ['keyword', 'constant_keyword', 'wildcard'];
const integers = ['long', 'integer', 'short', 'byte'];

/** A sample of values, each step as it is described. */
export const distinctSample = (
  values: readonly string[],
  { type, normalizer }: { readonly type?: unknown; readonly normalizer?: unknown },
  { values: shownAs = [] }: Measure<'distinct_sample'>,
): DistinctSampleResult => {
  const isText = texts.includes(String(type));
  if ((!isText && !integers.includes(String(type))) || normalizer !== undefined)
    return { kind: 'distinct_sample', sample: null };
  const distinct = new Set(values);
  const level = distinct.size <= 8_192 ? 0 : Math.floor(Math.log2(distinct.size / 4_096));
  const hash = isText || shownAs.length > 0 ? 'murmur3' : 'mix64';
  const shown = new Set([...distinct].map((value) => new Map(shownAs).get(value) ?? value));
  const keys = [...shown]
    .map((value) =>
      hash === 'murmur3' ? (murmur3(value, 0x7ab1e5n) << 32n) | murmur3(value, 31n) : mix64(BigInt(value)),
    )
    .filter((key) => key % 2n ** BigInt(level) === 0n);
  const groups = new Map<number, bigint[]>();
  for (const key of keys) groups.set(zerosOf(key), [...(groups.get(zerosOf(key)) ?? []), key]);
  const last = Math.max(level - 1, ...groups.keys());
  const levels = Array.from({ length: last - level + 1 }, (_, at) =>
    written((groups.get(level + at) ?? []).map((key) => key >> BigInt(level + at))),
  );
  return { kind: 'distinct_sample', sample: { hash, parts: 2 ** level, keys: keys.length, levels } };
};

const zerosOf = (key: bigint): number => {
  let zeros = 0;
  while (zeros < 30 && (key >> BigInt(zeros)) % 2n === 0n) zeros += 1;
  return zeros;
};

const written = (keys: readonly bigint[]): string => {
  const sorted = keys.toSorted((one, other) => (one < other ? -1 : 1));
  const bytes = sorted.flatMap((key, at) => {
    const digits: number[] = [];
    for (let rest = key - (sorted[at - 1] ?? 0n); digits.length === 0 || rest > 0n; rest >>= 7n)
      digits.push(Number(rest % 128n) + (rest > 127n ? 128 : 0));
    return digits;
  });
  return Buffer.from(bytes).toString('base64');
};
