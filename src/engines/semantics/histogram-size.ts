import { TributaryError } from '../../errors.ts';
import { isIntegerType, kindOf } from '../../introspection/fields/field.ts';

/** More buckets than this are no picture, and cost memory wherever they are counted. */
export const maxHistogramBuckets = 65_536;

/**
 * What is said of a histogram with more buckets than that, whoever counted them: values a span apart never need more
 * at the smallest interval that it names.
 * @param span between the least value and the greatest, or more
 */
export const histogramTooFine = (path: string, type: string, span: number): TributaryError => {
  const least = span / (maxHistogramBuckets - 1);
  const isWhole = isIntegerType(type) || kindOf(type) === 'date';
  return intervalTooSmall(path, isWhole ? Math.ceil(least) : least);
};

/** The same of an interval that is known to be the smallest. */
export const intervalTooSmall = (path: string, smallestInterval: number): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `histogram of ${path} has more than ${maxHistogramBuckets} buckets, its interval must be at least ${smallestInterval}`,
    { details: { field: path, smallestInterval } },
  );
