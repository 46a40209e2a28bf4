import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { collectGarbage } from '../../../lib/runtime/garbage-collection.ts';
import type { CursorValue, HitsQuery } from '../../engine.ts';
import { named } from './shared-parts.ts';

/** Identifies a state of an index: every write adds or removes a document or extends the mapping. */
export interface IndexState {
  readonly tree: object;
  readonly root: { readonly count: number };
  readonly liveCount: number;
}

/** Everything that a result depends on besides the state of the index, as a text; no filter depends on the clock. */
export const keptKey = (...parts: readonly unknown[]): KeptKey =>
  // JSON writes infinity as null, and repeats parts that filters share
  serialize(named(parts)).toString('latin1') as KeptKey;

type KeptKey = string & { readonly kept: never };

/**
 * Keeps results for one state of an index; those used least recently are dropped beyond its size. Wrong only if a
 * result depends on something that is neither in its key nor in the state.
 */
export class KeptResults<Value extends object> {
  readonly #kept: LRUCache<KeptKey, Value>;
  #state: Pick<IndexState, 'tree' | 'liveCount'> & { readonly count: number } = {
    tree: {},
    count: 0,
    liveCount: 0,
  };

  /** @param sizeOf the size of a result; all results and their keys together take at most `maxSize` */
  constructor(maxSize: number, sizeOf: (value: Value) => number) {
    this.#kept = new LRUCache({ maxSize, sizeCalculation: (value, key) => sizeOf(value) + key.length });
  }

  /** The kept result, or the result of `find`. It is shared: never write to it. */
  result(state: IndexState, key: KeptKey, find: () => Value): Value {
    const known = this.get(state, key);
    if (known !== undefined) return known;
    const result = find();
    this.set(state, key, result);
    return result;
  }

  /** @returns undefined where there is none for this state of the index */
  get(state: IndexState, key: KeptKey): Value | undefined {
    this.#forgetOutdated(state);
    return this.#kept.get(key);
  }

  set(state: IndexState, key: KeptKey, value: Value): void {
    this.#forgetOutdated(state);
    this.#kept.set(key, value);
  }

  delete(key: KeptKey): void {
    this.#kept.delete(key);
  }

  #forgetOutdated({ tree, root: { count }, liveCount }: IndexState): void {
    const { tree: known, ...counts } = this.#state;
    if (known === tree && counts.count === count && counts.liveCount === liveCount) return;
    this.#kept.clear();
    this.#state = { tree, count, liveCount };
  }
}

/** The maximum number of documents found ahead for one reader, 4 bytes each. */
const maxBatch = 32_768;
/** A reader for whom this many are found at once reads very many. */
const farBatch = maxBatch / 8;
/** Room for the documents found ahead of 16 such readers, or of many more with less. */
const maxKeptBytes = 16 * maxBatch * 4;

/** Documents found ahead of a reader's requests. */
interface Run {
  readonly ordinals: Uint32Array;
  /** The number requested when they were found. */
  readonly requested: number;
}

/**
 * Finds pages for readers that go through all hits by cursor, such as downloads. Finding one page costs about as much
 * as finding many, so the further a reader gets, the more is found at once. Results are valid until the next write.
 */
export class ReadAhead {
  readonly #runs = new KeptResults<Run>(maxKeptBytes, ({ ordinals }) => ordinals.buffer.byteLength);
  readonly #collect: () => void;

  /** @param collect called once a reader has read far, to free memory for the rest */
  constructor(collect = collectGarbage) {
    this.#collect = collect;
  }

  /**
   * The ordinals of a page.
   * @param find finds the first documents of the query, up to a number
   * @param cursorOf the cursor of a document, in the form used by the query for the next page
   */
  page(
    state: IndexState,
    query: HitsQuery,
    find: (size: number) => Uint32Array,
    cursorOf: (ordinal: number) => readonly CursorValue[],
  ): Uint32Array {
    const { searchAfter, size, offset } = query;
    if (searchAfter === null || offset > 0 || size === 0) return find(size);
    const key = keyOf(query, searchAfter);
    const known = this.#runs.get(state, key) ?? { ordinals: new Uint32Array(0), requested: size };
    this.#runs.delete(key);
    const run = known.ordinals.length < size ? foundAfter(known, size, find) : known;
    if (run.requested >= farBatch && known.requested < farBatch) this.#collect();
    const page = run.ordinals.subarray(0, size);
    if (page.length === size) {
      const rest = { ...run, ordinals: run.ordinals.subarray(size) };
      this.#runs.set(state, keyOf(query, cursorOf(page.at(-1)!)), rest);
    }
    return page;
  }
}

const foundAfter = ({ requested }: Run, size: number, find: (size: number) => Uint32Array): Run => {
  const more = Math.max(size, Math.min(requested * 2, maxBatch));
  return { ordinals: find(more), requested: more };
};

/** The cursor is JSON, as a number received from another thread may serialize differently from the same number in a column. */
const keyOf = ({ filter, sort }: HitsQuery, cursor: readonly CursorValue[]): KeptKey =>
  keptKey(filter, sort, JSON.stringify(cursor));
