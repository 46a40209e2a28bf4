/** How a search runs. */
export interface SearchRun {
  readonly checkpoint: Checkpoint;
  /** Whether it interrupts another search of this thread: nothing may change then. */
  readonly isInside?: boolean;
}

/**
 * Called every few thousand items of a search: far less than a millisecond of work, but enough to make the call's cost
 * negligible. A more urgent search over the same columns may be answered during the call.
 * @throws SearchStopped when no client is waiting for the answer any more
 */
export type Checkpoint = () => void;

/** For work that is never interrupted. */
export const neverStopped: Checkpoint = () => undefined;

/** Runs alone and to completion. */
export const uninterrupted: SearchRun = { checkpoint: neverStopped };

/** The maximum number of items between two checkpoints; loops that advance by one test `& pieceMask`. */
const pieceSize = 1 << 12;
/** `index & pieceMask` is 0 once per piece. */
export const pieceMask = pieceSize - 1;

/** Thrown by work that cannot run during another search and has to wait for its end. */
export class NotNow extends Error {
  constructor() {
    super('not in the middle of another search');
    this.name = 'NotNow';
  }
}

/** Thrown in an abandoned search; its partial result is discarded. */
export class SearchStopped extends Error {
  constructor() {
    super('the search was stopped');
    this.name = 'SearchStopped';
  }
}

/** Wraps `compare` with a checkpoint every few thousand comparisons: sorting cannot be interrupted otherwise. */
export const compareWithCheckpoints = <Item>(
  compare: (left: Item, right: Item) => number,
  checkpoint: Checkpoint,
): ((left: Item, right: Item) => number) => {
  let compared = 0;
  return (left, right) => {
    if ((++compared & pieceMask) === 0) checkpoint();
    return compare(left, right);
  };
};
