import type { CountedBucket } from '../../engines/measure.ts';

/** An integer of 32 bits, as GraphQL's Int. */
export const isInt = (value: number): boolean => value === (value | 0);

/** Whether GraphQL can say a bucket as it is. */
export const bucketFits = ({ key, keyAsString, count }: CountedBucket): boolean =>
  isInt(count) && typeof key === 'string' && (keyAsString === undefined || typeof keyAsString === 'string');
