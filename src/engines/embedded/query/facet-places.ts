/** How many facets of one search have been taken by the threads that answer it together, on shared memory. */
export type TakenFacets = Int32Array;

/** None taken yet. */
export const noneTaken = (): TakenFacets => new Int32Array(new SharedArrayBuffer(4));

/**
 * The places of the facets that are this thread's to answer: all of `count`, or each time the next that no thread has
 * taken, so that threads with dear facets take fewer.
 */
export const facetPlaces = function* (count: number, taken: TakenFacets | undefined): Generator<number> {
  if (taken === undefined) for (let place = 0; place < count; place++) yield place;
  else for (let place = next(taken); place < count; place = next(taken)) yield place;
};

const next = (taken: TakenFacets): number => Atomics.add(taken, 0, 1);
