import type { DistinctSample, SampleHash } from '../measure.ts';
import { encodeLevels, partsFor } from './sample-levels.ts';

/** Values that are sampled as others. */
export type ShownAs = ReadonlyMap<string, string>;

/**
 * The sample of all distinct values of a field, each passed once.
 * @param shownAs values that are sampled as others, which are texts: with any of these, all values are sampled as texts
 */
export const sampleOfValues = (
  values: readonly string[],
  hash: SampleHash,
  shownAs: ShownAs,
): DistinctSample => {
  const keys = new SampleKeys(shownAs.size > 0 ? 'murmur3' : hash, partsFor(values.length));
  for (const value of values) keys.add(shownAs.get(value) ?? value);
  return keys.sample();
};

/** Collects the keys of a sample: 64-bit hashes of values, each once. */
export class SampleKeys {
  readonly #hash: SampleHash;
  readonly #parts: number;
  #keys = new BigUint64Array(1024);
  #length = 0;

  constructor(hash: SampleHash, parts: number) {
    this.#hash = hash;
    this.#parts = parts;
  }

  /** Adds a text, as UTF-8, if it belongs to part 0. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    const low = murmur3(bytes, start, end, partitionSeed);
    if ((low & (this.#parts - 1)) === 0) this.addKey(murmur3(bytes, start, end, upperSeed), low);
  }

  addText(value: string): void {
    const bytes = encoder.encode(value);
    this.addBytes(bytes, 0, bytes.length);
  }

  /** Adds an integer if it belongs to part 0. @param value in digits */
  addInteger(value: string): void {
    const number = Number(value);
    if (Number.isSafeInteger(number)) mix64(Math.floor(number / 2 ** 32), number >>> 0, words);
    else {
      const exact = BigInt.asUintN(64, BigInt(value));
      mix64(Number(exact >> 32n), Number(exact & 0xffffffffn), words);
    }
    if ((words[0]! & (this.#parts - 1)) === 0) this.addKey(words[1]!, words[0]!);
  }

  /** Adds a value as the sample's hash takes it. */
  add(value: string): void {
    if (this.#hash === 'murmur3') this.addText(value);
    else this.addInteger(value);
  }

  /** Adds a key of part 0. */
  addKey(high: number, low: number): void {
    if (this.#length === this.#keys.length) {
      const larger = new BigUint64Array(2 * this.#length);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[this.#length++] = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }

  /** The sample, with more parts if there are too many keys to be written. */
  sample(): DistinctSample {
    let keys = this.#distinct();
    for (let parts = this.#parts; ; parts *= 2) {
      keys = parts === this.#parts ? keys : keys.filter((key) => (key & BigInt(parts - 1)) === 0n);
      const levels = encodeLevels(keys, parts);
      if (levels !== null) return { hash: this.#hash, parts, keys: keys.length, levels };
    }
  }

  #distinct(): BigUint64Array {
    const sorted = this.#keys.slice(0, this.#length).sort();
    let length = 0;
    for (const key of sorted) if (length === 0 || sorted[length - 1] !== key) sorted[length++] = key;
    return sorted.subarray(0, length);
  }
}

/** The seed of the upper half of a text's key; search servers use the lower half only. */
const upperSeed = 0x7ab1e5;

const encoder = new TextEncoder();

const words = new Uint32Array(2);

/**
 * The hashes by which search servers split the values of a field into partitions (`terms.include` with `partition` and
 * `num_partitions`): text with MurmurHash3 (Appleby), integers with David Stafford's 64-bit mixer, variant 9.
 * The cases of test/engines prove that both agree with real servers.
 */

/** The seed that search servers use. */
export const partitionSeed = 31;

/** MurmurHash3_x86_32 of some bytes, as a signed word. */
export const murmur3 = (bytes: Uint8Array, start: number, end: number, seed: number): number => {
  const tail = start + ((end - start) & ~3);
  let hash = seed;
  for (let at = start; at < tail; at += 4) {
    const block = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash ^= mixedBlock(block);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = end - 1; at >= tail; at -= 1) rest = (rest << 8) | bytes[at]!;
  if (tail < end) hash ^= mixedBlock(rest);
  hash ^= end - start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
};

const mixedBlock = (block: number): number => {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
};

/**
 * Mixes a 64-bit integer in two words.
 * @param into receives the low word, then the high one
 */
export const mix64 = (high: number, low: number, into: Uint32Array): void => {
  multiply(high, low ^ high, 0x4cd6944c, 0x5cc20b6d, into);
  const mixedLow = into[0]!;
  const mixedHigh = into[1]!;
  const shifted = (mixedHigh << 3) | (mixedLow >>> 29);
  multiply(mixedHigh ^ (mixedHigh >>> 29), mixedLow ^ shifted, 0xfc12c5b1, 0x9d3259e9, into);
  into[0]! ^= into[1]!;
};

/** The low 64 bits of a product of two unsigned integers. */
const multiply = (high: number, low: number, byHigh: number, byLow: number, into: Uint32Array): void => {
  const a = low >>> 16;
  const b = low & 0xffff;
  const c = byLow >>> 16;
  const d = byLow & 0xffff;
  const middle = a * d + ((b * d) >>> 16);
  const other = b * c + (middle & 0xffff);
  const carried = a * c + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
  into[0] = Math.imul(low, byLow);
  into[1] = carried + Math.imul(high, byLow) + Math.imul(low, byHigh);
};
