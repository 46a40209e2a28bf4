import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { Filter } from '../../../sqon/filter.ts';
import type { Bitset } from './bitset.ts';

/** The size limit of the cached bits, in bytes; each document of an index takes one bit. */
const maxBytes = 4 << 20;

/** A condition on one field. */
export type Leaf = Extract<Filter, { field: unknown }>;

/** Identifies a state of an index's values; deletions do not change them. */
interface ValuesState {
  readonly tree: object;
  readonly root: { readonly count: number };
}

/**
 * Caches which objects satisfy a condition. Portal users add one condition at a time, so most conditions of a search
 * were in the previous one. Entries are valid until the next document or field is added.
 */
export class LeafCache {
  readonly #kept = new LRUCache<string, Bitset>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }, key) => byteLength + key.length,
  });
  #found: { readonly tree: object; readonly count: number } | null = null;

  /** The cached bits of a condition, or the result of `find`. They are shared: never write to them. */
  bits(state: ValuesState, leaf: Leaf, find: () => Bitset): Bitset {
    this.#forgetOutdated(state);
    // JSON cannot tell infinity from null
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
