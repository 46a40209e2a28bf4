import type { CountBounds, CountedBucket } from '../../engines/measure.ts';
import { isCount } from '../../search/malformed-answer.ts';

/** What is asked of a remote node's buckets besides keys. */
export const countFields = {
  exact: 'doc_count',
  bounded: 'doc_count upper_bound',
  estimated: 'doc_count upper_bound estimate',
} as const;

/**
 * How far a remote node's count can be trusted.
 * @returns null for an exact count
 */
export const wireBounds = (
  count: number,
  upper: unknown,
  estimate: unknown,
): CountBounds | null | 'malformed' => {
  if (upper === count) return null;
  const isUpper = upper === null || (isCount(upper) && upper > count);
  const isEstimate =
    estimate == null ||
    (isCount(estimate) && estimate >= count && (upper === null || estimate <= Number(upper)));
  if (!isUpper || !isEstimate) return 'malformed';
  return { upperBound: upper, exact: false, estimate: estimate ?? null };
};

/** The bounds of a bucket; null for one that is exact. */
export const boundsIn = ({ count, upperBound, estimate = null }: CountedBucket): CountBounds | null =>
  upperBound === undefined || upperBound === count ? null : { upperBound, exact: false, estimate };
