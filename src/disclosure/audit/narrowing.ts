/** Narrows some cells and says whether it did. */
export type Rule = () => boolean;

/** The cells' bounds in arrays, of which a row is every `stride`-th from `start`. */
export interface Cells {
  readonly lower: Int32Array;
  readonly upper: Int32Array;
}

/** Raises a cell's lower bound, if that is more than what is known, and says whether it is. */
export const raise = (cells: Cells, at: number, least: number): boolean => {
  if (cells.lower[at]! >= least) return false;
  cells.lower[at] = least;
  return true;
};

/** The same with its upper bound. */
export const lowerTo = (cells: Cells, at: number, most: number): boolean => {
  if (cells.upper[at]! <= most) return false;
  cells.upper[at] = most;
  return true;
};
