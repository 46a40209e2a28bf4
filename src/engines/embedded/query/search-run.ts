import { neverStopped, type Checkpoint } from '../columns/checkpoint.ts';
import type { FacetWorkQueue } from './facet-work-queue.ts';

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
