import type { SortValue } from '../../semantics/cursor.ts';

/** One sort key over a list of documents, which are named by their positions in the list. */
export interface Order {
  /**
   * For each position a number: the document with the smaller one comes first. They are quick to compare, but may be
   * equal where `compare` knows better, unless `isExact`.
   */
  readonly ranks: Float64Array;
  readonly isExact: boolean;
  /** Negative when the left document comes first, 0 when the key does not tell. */
  compare(left: number, right: number): number;
  /**
   * Where a cursor's value stands.
   * @throws TributaryError BAD_USER_INPUT for a value that the field cannot have
   */
  against(cursor: SortValue): Bound;
  /** What the document is sorted by. */
  value(position: number): SortValue;
}

/** A cursor's value among the documents. */
export interface Bound {
  /** Documents with a smaller rank come before it, those with a larger one after it. */
  readonly rank: number;
  /** Positive for documents that come after it. */
  compare(position: number): number;
}
