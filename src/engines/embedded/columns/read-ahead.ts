import { collectGarbage } from '../../../runtime/garbage-collection.ts';
import type { CursorValue, HitsQuery } from '../../engine.ts';
import { KeptResults, keptKey, type IndexState, type KeptKey } from './kept-results.ts';

/** The maximum number of documents found ahead for one reader, 4 bytes each. */
const maxBatch = 32_768;
/** A reader for whom so many are found at once goes through very many. */
const farBatch = maxBatch / 8;
const readers = 16;

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
  readonly #runs = new KeptResults<Run>({ max: readers });
  readonly #collect: () => void;

  /** @param collect called once a reader has come far, for the memory of what it is still to read */
  constructor(collect = collectGarbage) {
    this.#collect = collect;
  }

  /**
   * The ordinals of a page.
   * @param find finds the first documents of the query, up to the given number
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

/** The cursor is JSON, as a number received from another thread may serialize differently from the same in a column. */
const keyOf = ({ filter, sort }: HitsQuery, cursor: readonly CursorValue[]): KeptKey | null =>
  keptKey(filter, sort, JSON.stringify(cursor));
