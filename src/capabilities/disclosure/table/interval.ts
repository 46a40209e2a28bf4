import { TributaryError } from '../../../lib/errors/errors.ts';

/** The bounds of a count, both inclusive. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * The intersection of two statements about one count.
 * @throws TributaryError INTERNAL_SERVER_ERROR when they contradict each other: the release is damaged, and any answer
 *   from it would be a guess
 */
export const intersection = (left: Interval, right: Interval): Interval => {
  const lower = Math.max(left.lower, right.lower);
  const upper = Math.min(left.upper, right.upper);
  if (lower > upper) throw inconsistent();
  return { lower, upper };
};

/** The sum over several disjoint groups. */
export const sumOf = (intervals: readonly Interval[]): Interval => ({
  lower: intervals.reduce((sum, { lower }) => sum + lower, 0),
  upper: intervals.reduce((sum, { upper }) => sum + upper, 0),
});

/** What remains of a whole without a part of it. */
export const difference = (whole: Interval, part: Interval): Interval => ({
  lower: Math.max(0, whole.lower - part.upper),
  upper: whole.upper - part.lower,
});

/** The release contradicts itself. */
export const inconsistent = (): TributaryError =>
  new TributaryError('INTERNAL_SERVER_ERROR', 'the release contradicts itself');

/** The bounds of a conjunction or disjunction from those of its parts (Fréchet). */
export const groupBounds = (op: 'and' | 'or', parts: readonly Interval[], whole: Interval): Interval => {
  const sum = sumOf(parts);
  if (op === 'or')
    return {
      lower: Math.max(...parts.map(({ lower }) => lower)),
      upper: Math.min(whole.upper, sum.upper),
    };
  return {
    lower: Math.max(0, sum.lower - (parts.length - 1) * whole.upper),
    upper: Math.min(whole.upper, ...parts.map(({ upper }) => upper)),
  };
};
