import type { Checkpoint } from '../columns/checkpoint.ts';
import { neverStopped } from '../columns/checkpoint.ts';

/** The number of facets already claimed by the threads that share a search, in shared memory. */
export type FacetWorkQueue = Int32Array;

/** How a search runs. */
export interface SearchRun {
  readonly checkpoint: Checkpoint;
  /** Whether it interrupts another search of this thread: nothing may change then. */
  readonly isInside?: boolean;
  /** Shared with other threads that answer the same query: the facets they claim are null here. */
  readonly facetQueue?: FacetWorkQueue | undefined;
}

/** Runs alone and to completion. */
export const uninterrupted: SearchRun = { checkpoint: neverStopped };

/** With none claimed yet. */
export const newFacetWorkQueue = (): FacetWorkQueue => new Int32Array(new SharedArrayBuffer(4));

/**
 * The positions of the facets this thread is to answer: all of `count`, or, with a queue, the next unclaimed one each
 * time, so that a thread with expensive facets takes fewer.
 */
export const claimFacets = function* (count: number, queue: FacetWorkQueue | undefined): Generator<number> {
  if (queue === undefined) for (let index = 0; index < count; index++) yield index;
  else for (let index = next(queue); index < count; index = next(queue)) yield index;
};

const next = (queue: FacetWorkQueue): number => Atomics.add(queue, 0, 1);
