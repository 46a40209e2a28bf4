import { neverStopped, type Checkpoint } from '../columns/checkpoint.ts';
import type { FacetWorkQueue } from './facet-work-queue.ts';

/** How a search runs. */
export interface SearchRun {
  readonly checkpoint: Checkpoint;
  /** Whether another search of this thread waits for it: nothing may change then. */
  readonly isInside?: boolean;
  /** Shared with other threads that answer the same query: the facets that they take are null here. */
  readonly facetQueue?: FacetWorkQueue | undefined;
}

/** Alone and to its end. */
export const uninterrupted: SearchRun = { checkpoint: neverStopped };
