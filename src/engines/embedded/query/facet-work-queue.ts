/** How many facets of one search have been taken by the threads that answer it together, on shared memory. */
export type FacetWorkQueue = Int32Array;

/** None taken yet. */
export const newFacetWorkQueue = (): FacetWorkQueue => new Int32Array(new SharedArrayBuffer(4));

/**
 * The places of the facets that are this thread's to answer: all of `count`, or each time the next that no thread has
 * taken, so that threads with dear facets take fewer.
 */
export const claimFacets = function* (count: number, queue: FacetWorkQueue | undefined): Generator<number> {
  if (queue === undefined) for (let place = 0; place < count; place++) yield place;
  else for (let place = next(queue); place < count; place = next(queue)) yield place;
};

const next = (queue: FacetWorkQueue): number => Atomics.add(queue, 0, 1);
