import { TributaryError } from '../../errors/errors.ts';
import type { CalendarInterval } from '../measure.ts';
import { isWhole } from './bucket-key.ts';

/** More buckets than this cannot be drawn, and cost memory wherever they are counted. */
export const maxHistogramBuckets = 65_536;

/** @throws TributaryError BAD_USER_INPUT for an interval no engine can use */
export const assertInterval = (path: string, interval: number): void => {
  if (interval > 0 && Number.isFinite(interval)) return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `histogram of ${path} has interval ${interval}, it must be above 0`,
  );
};

/**
 * The error for a histogram with more buckets than that, shared by everything that counts them: at the smallest
 * interval it suggests, values within the span never need more.
 * @param span the difference between the largest and smallest value, or more
 */
export const histogramTooFine = (path: string, type: string, span: number): TributaryError => {
  const min = span / (maxHistogramBuckets - 1);
  return intervalTooSmall(path, isWhole(type) ? Math.ceil(min) : min);
};

/**
 * The same for an interval known to be the smallest one possible: a width or a calendar interval.
 * @param measure the measure that was requested
 */
export const intervalTooSmall = (
  path: string,
  smallestInterval: number | CalendarInterval,
  measure: 'histogram' | 'date_histogram' = 'histogram',
): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `${measure} of ${path} has more than ${maxHistogramBuckets} buckets, its interval must be at least ${smallestInterval}`,
    { details: { field: path, smallestInterval } },
  );
