/**
 * How many records, values or documents there are: the number, or the interval that it lies in, for whatever reason it is
 * not known (a list that a node cut, records that it withholds, a node that did not answer).
 */
export type Count = number | CountInterval;

export interface CountInterval {
  readonly lower: number;
  /** null: not known. */
  readonly upper: number | null;
  /** About how many there are, from a release: never a count. Unset: not estimated. */
  readonly estimate?: number;
}

/** The count between two bounds: exact when they are equal. */
export const countBetween = (lower: number, upper: number | null, estimate: number | null = null): Count =>
  lower === upper ? lower : { lower, upper, ...(estimate !== null && { estimate }) };

export const lowerOf = (count: Count): number => (typeof count === 'number' ? count : count.lower);

/** The highest that a count can be; null: not known. */
export const upperOf = (count: Count): number | null => (typeof count === 'number' ? count : count.upper);

/** About how many there are; null for an exact count, and without an estimate. */
export const estimateOf = (count: Count): number | null =>
  typeof count === 'number' ? null : (count.estimate ?? null);

/** Whether it is one number. */
export const isExact = (count: Count): boolean => lowerOf(count) === upperOf(count);

/** The number, if it is known. */
export const exactly = (count: Count | null): number | null =>
  count !== null && isExact(count) ? lowerOf(count) : null;

/** Whether a count is above 0; null: not known. */
export const existsIn = (count: Count): boolean | null =>
  lowerOf(count) > 0 ? true : upperOf(count) === 0 ? false : null;

/** How far a count can be trusted, by the GraphQL fields that show it. */
export interface ShownBounds {
  readonly upper_bound: number | null;
  readonly exists: boolean | null;
  readonly exact: boolean;
  readonly estimate: number | null;
}

export const boundsOf = (count: Count): ShownBounds => ({
  upper_bound: upperOf(count),
  exists: existsIn(count),
  exact: isExact(count),
  estimate: estimateOf(count),
});

/** The sum over groups that share no record: bounds add up, and so do estimates, where none is unknown. */
export const sumOfCounts = (counts: readonly Count[]): Count =>
  countBetween(
    counts.reduce<number>((sum, count) => sum + lowerOf(count), 0),
    sumUnlessNull(counts.map(upperOf)),
    sumUnlessNull(counts.map((count) => exactly(count) ?? estimateOf(count))),
  );

export const sumUnlessNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
