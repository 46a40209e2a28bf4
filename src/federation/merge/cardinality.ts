import type { CardinalityResult } from '../../engines/engine.ts';
import type { MergedTerms } from './buckets.ts';

/** How many distinct values: between these, or exactly. */
export interface CardinalityBounds {
  readonly lower: number;
  readonly upper: number;
  readonly exact: boolean;
}

/**
 * Distinct values over nodes. Exact from whole bucket lists; else between the largest node's number, for all others
 * may repeat its values, and the sum, for none may.
 * @param terms the same field's merged buckets, when they were asked too
 */
export const mergeCardinality = (
  parts: readonly CardinalityResult[],
  terms: MergedTerms | null,
): CardinalityBounds => {
  if (terms?.complete) return { lower: terms.buckets.length, upper: terms.buckets.length, exact: true };
  const lower = parts.reduce((largest, { value }) => Math.max(largest, value), 0);
  const upper = parts.reduce((sum, { value }) => sum + value, 0);
  return { lower, upper, exact: lower === upper && parts.every(({ exact }) => exact) };
};
