import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { Filter } from '../../../sqon/filter.ts';
import type { Bitset } from './bitset.ts';

/** Of the bits kept, in bytes; the documents of an index take one bit each. */
const maxBytes = 4 << 20;

/** A condition on one field. */
export type Leaf = Extract<Filter, { field: unknown }>;

/** What tells one state of an index's values from the next; deletions leave them as they are. */
interface ValuesState {
  readonly tree: object;
  readonly root: { readonly count: number };
}

/**
 * Remembers what satisfied a condition. Who uses a portal adds one condition after the other, so most of a search's
 * conditions have been in the one before. What was found is good until the next document or field is added.
 */
export class LeafCache {
  readonly #kept = new LRUCache<string, Bitset>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }, key) => byteLength + key.length,
  });
  #found: { readonly tree: object; readonly count: number } | null = null;

  /** The kept bits of a condition, else those that `find` gives. They are shared: read them, never write to them. */
  bits(state: ValuesState, leaf: Leaf, find: () => Bitset): Bitset {
    this.#forgetOutdated(state);
    // JSON would not tell infinity from null
    const key = serialize({ ...leaf, field: leaf.field.path }).toString('latin1');
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const bits = find();
    this.#kept.set(key, bits);
    return bits;
  }

  #forgetOutdated({ tree, root }: ValuesState): void {
    if (this.#found?.tree !== tree || this.#found.count !== root.count) this.#kept.clear();
    this.#found = { tree, count: root.count };
  }
}
