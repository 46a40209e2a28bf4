import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { FacetQuery } from '../../engine.ts';
import type { DistinctSampleResult } from '../../measure.ts';
import type { IndexState } from './read-ahead.ts';

/** The size limit of the kept samples, in characters. */
const maxSize = 4 << 20;

/** Keeps the samples of facets, each of which may take a pass over a whole dictionary. Valid until the next write. */
export class KeptSamples {
  readonly #kept = new LRUCache<string, DistinctSampleResult>({
    maxSize,
    sizeCalculation: ({ sample }, key) =>
      (sample?.levels ?? []).reduce((sum, { length }) => sum + length, key.length + 1),
  });
  #found: { readonly tree: object; readonly count: number; readonly liveCount: number } | null = null;

  /** The kept sample of a facet, or the result of `find`. */
  sample(state: IndexState, facet: FacetQuery, find: () => DistinctSampleResult): DistinctSampleResult {
    this.#forgetOutdated(state);
    const { field, filter, objects, measure } = facet;
    // JSON cannot tell infinity from null
    const key = serialize([field.path, filter, objects, measure]).toString('latin1');
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const found = find();
    this.#kept.set(key, found);
    return found;
  }

  #forgetOutdated({ tree, root, liveCount }: IndexState): void {
    const found = this.#found;
    if (found?.tree !== tree || found.count !== root.count || found.liveCount !== liveCount)
      this.#kept.clear();
    this.#found = { tree, count: root.count, liveCount };
  }
}
