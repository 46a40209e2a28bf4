import type { DistinctSample, SampleHash } from '../measure.ts';
import { mix64, murmur3, partitionSeed } from './partition-hash.ts';
import { encodeLevels } from './sample-levels.ts';

/** The seed of the upper half of a text's key; search servers use the lower half only. */
const upperSeed = 0x7ab1e5;

const encoder = new TextEncoder();
const words = new Uint32Array(2);

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

  /** The sample, of more parts if the keys are too many to be written. */
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
