/** The number of facets already claimed by the threads that share a search, in shared memory. */
export type FacetWorkQueue = Int32Array;

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
