import type { CursorValue } from '../engine.ts';

/** One sort key over a list of documents, which are named by their positions in the list. */
export interface Order {
  /** Negative when the left document comes first, 0 when the key does not tell. */
  compare(left: number, right: number): number;
  /**
   * Compares documents with a cursor's value: positive for those that come after it.
   * @throws TributaryError BAD_USER_INPUT for a value that the field cannot have
   */
  against(cursor: CursorValue): (position: number) => number;
  /** The document's value as cursors show it. */
  print(position: number): CursorValue;
}
