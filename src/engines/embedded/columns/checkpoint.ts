/**
 * Called between pieces of a search, each of a few thousand items: far less than a millisecond of work, and so much
 * that asking costs nothing beside it. A more urgent search may be answered meanwhile, over the same columns.
 * @throws SearchStopped when nobody waits for the answer any more
 */
export type Checkpoint = () => void;

/** For work that is always done to its end. */
export const neverStopped: Checkpoint = () => undefined;

/** The most items between two checkpoints; for loops that are a step each, so that `& pieceMask` tells when. */
const pieceSize = 1 << 12;
export const pieceMask = pieceSize - 1;

/** What cannot be done in the middle of another search: to be done after it. */
export class NotNow extends Error {
  constructor() {
    super('not in the middle of another search');
    this.name = 'NotNow';
  }
}

/** A search that was given up: what it had found is of no use to anybody. */
export class SearchStopped extends Error {
  constructor() {
    super('the search was stopped');
    this.name = 'SearchStopped';
  }
}

/** The same order, with a checkpoint every few thousand comparisons: sorting cannot be interrupted otherwise. */
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
