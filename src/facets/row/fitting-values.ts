import type { CountedBucket } from '../../engines/measure.ts';

/** A 32-bit integer, as in GraphQL's Int. */
export const isInt = (value: number): boolean => value === (value | 0);

/** Whether GraphQL can represent a bucket unchanged. */
export const bucketFits = ({ key, keyAsString, count }: CountedBucket): boolean =>
  isInt(count) && typeof key === 'string' && (keyAsString === undefined || typeof keyAsString === 'string');
