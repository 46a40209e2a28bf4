import type { BucketAnswer } from '../../search/facet-answer.ts';

/** A 32-bit integer, as in GraphQL's Int. */
export const isInt = (value: number): boolean => value === (value | 0);

/** Whether GraphQL can represent a bucket unchanged. */
export const bucketFits = ({ key, keyAsString, count, upperBound = count }: BucketAnswer): boolean =>
  isInt(count) &&
  isInt(upperBound ?? count) &&
  typeof key === 'string' &&
  (keyAsString === undefined || typeof keyAsString === 'string');
