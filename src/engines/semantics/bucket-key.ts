import { isIntegerType, kindOf } from '../../introspection/fields/field.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { CalendarInterval } from '../measure.ts';

/** Whether the numbers of a mapped type are integers, including dates. */
export const isWhole = (type: string): boolean => isIntegerType(type) || kindOf(type) === 'date';

/**
 * The bucket key of a number as Elasticsearch prints it: fractions always with a decimal point.
 * @param whole the result of isWhole for the type
 */
export const numberKey = (value: number | bigint, whole: boolean): string =>
  whole || typeof value === 'bigint' || !Number.isInteger(value) ? String(value) : `${value}.0`;

/** The bucket key of an interval, its lower end: integers are written out in digits, however large. */
export const intervalKey = (start: number, whole: boolean): string =>
  whole && Math.abs(start) >= 1e21 ? BigInt(start).toString() : String(start);

/** The text form of a boolean bucket key, 1 or 0. */
export const booleanLabel = (key: string): string => (key === '1' ? 'true' : 'false');

/** The nearest half_float. Math.f16round exists in the runtime but not yet in the compiler's library. */
export const roundToHalf = (Math as unknown as { f16round(value: number): number }).f16round;

/** More buckets than this cannot be drawn, and cost memory wherever they are counted. */
export const maxHistogramBuckets = 65_536;

/** @throws TributaryError BAD_USER_INPUT for an interval no engine can use */
export const assertInterval = (path: string, interval: number): void => {
  if (interval > 0 && Number.isFinite(interval)) return;
  throw badUserInput(`histogram of ${path} has interval ${interval}, it must be above 0`);
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
 * The error for an interval known to be the smallest one possible: a width or a calendar interval.
 * @param measure the measure that was requested
 */
export const intervalTooSmall = (
  path: string,
  smallestInterval: number | CalendarInterval,
  measure: 'histogram' | 'date_histogram' = 'histogram',
): TributaryError =>
  badUserInput(
    `${measure} of ${path} has more than ${maxHistogramBuckets} buckets, its interval must be at least ${smallestInterval}`,
    { details: { field: path, smallestInterval } },
  );
