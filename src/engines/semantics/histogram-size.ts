import { TributaryError } from '../../errors.ts';
import type { CalendarInterval } from '../measure.ts';
import { isWhole } from './bucket-key.ts';

/** More buckets than this are no picture, and cost memory wherever they are counted. */
export const maxHistogramBuckets = 65_536;

/** @throws TributaryError BAD_USER_INPUT for an interval that no engine can step by */
export const assertInterval = (path: string, interval: number): void => {
  if (interval > 0 && Number.isFinite(interval)) return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `histogram of ${path} has interval ${interval}, it must be above 0`,
  );
};

/**
 * What is said of a histogram with more buckets than that, whoever counted them: values a span apart never need more
 * at the smallest interval that it names.
 * @param span between the least value and the greatest, or more
 */
export const histogramTooFine = (path: string, type: string, span: number): TributaryError => {
  const least = span / (maxHistogramBuckets - 1);
  return intervalTooSmall(path, isWhole(type) ? Math.ceil(least) : least);
};

/**
 * The same of an interval that is known to be the smallest: a width, or one of the calendar.
 * @param measure as which the histogram was asked
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
