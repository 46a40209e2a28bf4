import type { DistinctSample } from '../../engines/measure.ts';
import { SampleKeys } from '../../engines/semantics/sample-keys.ts';
import { forEachKey } from '../../engines/semantics/sample-levels.ts';

/** A number of distinct values: within these bounds, or exact. */
export interface DistinctEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly exact: boolean;
}

/**
 * Estimates the distinct values behind some samples of the same hash, a value in several counted once: n keys of part 0
 * of N represent n N values, with a standard deviation of N sqrt(n (1 - 1 / N)). The bounds are three of these away:
 * 99.7 of 100 hold. All values are known where N is 1.
 */
export const estimateOf = (samples: readonly DistinctSample[]): DistinctEstimate => {
  const keys = samples.length === 1 ? samples[0]!.keys : unionOf(samples).size;
  return estimateFrom(keys, commonParts(samples));
};

/** The estimate from the number of keys in the samples. */
export const estimateFrom = (keys: number, parts: number): DistinctEstimate => {
  const value = keys * parts;
  const deviation = 3 * parts * Math.sqrt(keys * (1 - 1 / parts));
  return {
    value,
    // no fewer than there are keys
    lower: Math.max(keys, Math.floor(value - deviation)),
    upper: Math.ceil(value + deviation),
    exact: parts === 1,
  };
};

/**
 * The keys of some samples, each once; an open-addressing hash table. Keys are hashes themselves, and samples have them
 * in ascending order: with their highest bits as slots they fill the table from front to back, which is fastest for processors.
 */
export class KeyUnion {
  size = 0;
  /** High and low word of each slot's key; both 0 means free. */
  readonly #words: Uint32Array;
  readonly #shift: number;
  readonly #mask: number;
  #hasZero = false;

  /** @param max the number of keys that may be added */
  constructor(max: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(1.5 * max + 1)));
    this.#words = new Uint32Array(2 << bits);
    this.#shift = 32 - bits;
    this.#mask = (1 << bits) - 1;
  }

  /** The number of slots that keys may take. */
  get slots(): number {
    return this.#mask + 2;
  }

  /** The slot of a key, adding it if it is new. */
  add(high: number, low: number): number {
    if (high === 0 && low === 0) return this.#addZero();
    const words = this.#words;
    for (let slot = high >>> this.#shift; ; slot = (slot + 1) & this.#mask) {
      const heldHigh = words[2 * slot]!;
      const heldLow = words[2 * slot + 1]!;
      if (heldHigh === high && heldLow === low) return slot;
      if (heldHigh !== 0 || heldLow !== 0) continue;
      words[2 * slot] = high;
      words[2 * slot + 1] = low;
      this.size += 1;
      return slot;
    }
  }

  forEach(visit: (high: number, low: number) => void): void {
    const words = this.#words;
    if (this.#hasZero) visit(0, 0);
    for (let at = 0; at < words.length; at += 2)
      if (words[at] !== 0 || words[at + 1] !== 0) visit(words[at]!, words[at + 1]!);
  }

  #addZero(): number {
    if (!this.#hasZero) this.size += 1;
    this.#hasZero = true;
    return this.#mask + 1;
  }
}

/** The largest number of parts of some samples: at this number they can be merged. */
const commonParts = (samples: readonly DistinctSample[]): number =>
  samples.reduce((max, { parts }) => Math.max(max, parts), 1);

/** Samples of the same hash as one, at their common number of parts. */
const unionOf = (samples: readonly DistinctSample[]): KeyUnion => {
  const parts = commonParts(samples);
  const union = new KeyUnion(samples.reduce((sum, { keys }) => sum + keys, 0));
  for (const sample of samples) forEachKey(sample, parts, (high, low) => void union.add(high, low));
  return union;
};

/** The union as a sample, for another network; null when they are hashed differently, or there are none. */
export const mergedSample = (samples: readonly (DistinctSample | null)[]): DistinctSample | null => {
  const [first] = samples;
  if (!first || samples.some((sample) => sample?.hash !== first.hash)) return null;
  const all = samples as readonly DistinctSample[];
  if (all.length === 1) return first;
  const keys = new SampleKeys(first.hash, commonParts(all));
  unionOf(all).forEach((high, low) => keys.addKey(high, low));
  return keys.sample();
};
