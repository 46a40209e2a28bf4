import type { DistinctSample } from '../../engines/measure.ts';
import { SampleKeys } from '../../engines/semantics/sample-keys.ts';
import { forEachKey } from '../../engines/semantics/sample-levels.ts';

/** The keys of some samples, each once, in the order of their first occurrence; an open-addressing hash table. */
export class KeyUnion {
  size = 0;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  /** Places plus one; 0 means free. */
  readonly #slots: Uint32Array;

  /** @param most the number of keys that may be added */
  constructor(most: number) {
    this.#high = new Uint32Array(most);
    this.#low = new Uint32Array(most);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
  }

  /** The place of a key, adding it if it is new. */
  add(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    // the lowest bits are those that all keys of a sample share
    let slot = (high ^ Math.imul(low, 0x9e3779b1)) & mask;
    for (let place = this.#slots[slot]!; place !== 0; place = this.#slots[slot]!) {
      if (this.#low[place - 1] === low && this.#high[place - 1] === high) return place - 1;
      slot = (slot + 1) & mask;
    }
    const place = this.size++;
    this.#high[place] = high;
    this.#low[place] = low;
    this.#slots[slot] = this.size;
    return place;
  }

  forEach(visit: (high: number, low: number) => void): void {
    for (let place = 0; place < this.size; place += 1) visit(this.#high[place]!, this.#low[place]!);
  }
}

/** The largest number of parts of some samples: at this one they can be merged. */
export const commonParts = (samples: readonly DistinctSample[]): number =>
  samples.reduce((most, { parts }) => Math.max(most, parts), 1);

/** Samples of the same hash as one, at their common number of parts. */
export const unionOf = (samples: readonly DistinctSample[]): KeyUnion => {
  const parts = commonParts(samples);
  const union = new KeyUnion(samples.reduce((sum, { keys }) => sum + keys, 0));
  for (const sample of samples) forEachKey(sample, parts, (high, low) => void union.add(high, low));
  return union;
};

/** The same as a sample, for another network; null when they are hashed differently, or there are none. */
export const mergedSample = (samples: readonly (DistinctSample | null)[]): DistinctSample | null => {
  const [first] = samples;
  if (!first || samples.some((sample) => sample?.hash !== first.hash)) return null;
  const all = samples as readonly DistinctSample[];
  if (all.length === 1) return first;
  const keys = new SampleKeys(first.hash, commonParts(all));
  unionOf(all).forEach((high, low) => keys.addKey(high, low));
  return keys.sample();
};
