import { neverStopped, type Checkpoint } from '../columns/checkpoint.ts';
import type { TakenFacets } from './facet-places.ts';

/** How a search runs. */
export interface Running {
  readonly checkpoint: Checkpoint;
  /** Whether another search of this thread waits for it: nothing may change then. */
  readonly isInside?: boolean;
  /** Shared with other threads that answer the same query: the facets that they take are null here. */
  readonly taken?: TakenFacets | undefined;
}

/** Alone and to its end. */
export const uninterrupted: Running = { checkpoint: neverStopped };
