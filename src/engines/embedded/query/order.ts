import type { SortValue } from '../../semantics/cursor.ts';

/** One sort key over a list of documents, which are identified by their positions in the list. */
export interface Order {
  /**
   * A number for each position: the document with the smaller one comes first. They are quick to compare, but may tie
   * where `compare` does not, unless `isExact`.
   */
  readonly ranks: Float64Array;
  readonly isExact: boolean;
  /** Negative when the left document comes first, 0 on a tie. */
  compare(left: number, right: number): number;
  /**
   * The position of a cursor's value.
   * @throws TributaryError BAD_USER_INPUT for a value the field cannot have
   */
  against(cursor: SortValue): Bound;
  /** The document's sort value. */
  value(position: number): SortValue;
}

/** Arrays for the orders of one list after the other. */
export interface OrderRoom {
  readonly ranks: Float64Array;
  readonly codes: Uint32Array;
}

/** @param length of the longest list */
export const orderRoom = (length: number): OrderRoom => ({
  ranks: new Float64Array(length),
  codes: new Uint32Array(length),
});

/** The position of a cursor's value among the documents. */
export interface Bound {
  /** Documents of smaller rank come before it, those of larger rank after it. */
  readonly rank: number;
  /** Positive for documents that come after it. */
  compare(position: number): number;
}
