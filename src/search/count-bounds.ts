import type { CountBounds } from '../engines/measure.ts';

/** A count with its bounds: one without any is exact. */
export type BoundedCount = { readonly count: number } & Partial<CountBounds>;

/** The highest that a count can be; null: not known. */
export const upperOf = ({ count, upperBound = count }: BoundedCount): number | null => upperBound;

/** Whether there is anything of a count; null: not known. */
export const existsIn = (one: BoundedCount): boolean | null =>
  one.count > 0 ? true : upperOf(one) === 0 ? false : null;

/** The sum over groups that share no record: bounds add up, and so do estimates, where none is unknown. */
export const sumOfCounts = (counts: readonly BoundedCount[]): BoundedCount & CountBounds => {
  const count = counts.reduce((sum, one) => sum + one.count, 0);
  const upperBound = sumUnlessNull(counts.map(upperOf));
  const exact = upperBound === count;
  const guesses = counts.map((one) => (upperOf(one) === one.count ? one.count : (one.estimate ?? null)));
  return { count, upperBound, exact, estimate: exact ? null : sumUnlessNull(guesses) };
};

const sumUnlessNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
