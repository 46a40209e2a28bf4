import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { collectGarbage } from '../../../runtime/garbage-collection.ts';
import type { CursorValue, HitsQuery } from '../../engine.ts';

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

/** Identifies a state of an index: every write adds or removes a document or extends the mapping. */
export interface IndexState {
  readonly tree: object;
  readonly root: { readonly count: number };
  readonly liveCount: number;
}

/**
 * Finds pages for readers that go through all hits by cursor, such as downloads. Finding one page costs about as much
 * as finding many, so the further a reader gets, the more is found at once. Results are valid until the next write.
 */
export class ReadAhead {
  readonly #runs = new LRUCache<string, Run>({ max: readers });
  #found: { readonly tree: object; readonly count: number; readonly liveCount: number } | null = null;
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
    this.#forgetOutdated(state);
    const name = nameOf(query, searchAfter);
    const known = this.#runs.get(name) ?? { ordinals: new Uint32Array(0), requested: size };
    this.#runs.delete(name);
    const run = known.ordinals.length < size ? foundAfter(known, size, find) : known;
    if (run.requested >= farBatch && known.requested < farBatch) this.#collect();
    const page = run.ordinals.subarray(0, size);
    if (page.length === size) {
      const rest = { ...run, ordinals: run.ordinals.subarray(size) };
      this.#runs.set(nameOf(query, cursorOf(page.at(-1)!)), rest);
    }
    return page;
  }

  #forgetOutdated({ tree, root, liveCount }: IndexState): void {
    const found = this.#found;
    if (found?.tree !== tree || found.count !== root.count || found.liveCount !== liveCount)
      this.#runs.clear();
    this.#found = { tree, count: root.count, liveCount };
  }
}

const foundAfter = ({ requested: asked }: Run, size: number, find: (size: number) => Uint32Array): Run => {
  const more = Math.max(size, Math.min(asked * 2, maxBatch));
  return { ordinals: find(more), requested: more };
};

/**
 * Filters are serialized because they share parts that JSON would repeat; cursors are JSON because a number received
 * from another thread may serialize differently from the same number read from a column.
 */
const nameOf = ({ filter, sort }: HitsQuery, cursor: readonly CursorValue[]): string =>
  serialize([filter, sort, JSON.stringify(cursor)]).toString('latin1');
