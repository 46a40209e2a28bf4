import { z } from 'zod';
import type { CountedBucket } from '../../engines/measure.ts';
import { checked, count } from './wire-value.ts';

/**
 * A reader of `{ buckets { key doc_count } }` in a remote node's answer.
 * @param most the maximum number of buckets
 */
export const countsReader = (key: z.ZodType<string>, most: number) => {
  const schema = z.object({ buckets: z.array(z.object({ key, doc_count: count })).max(most) });
  return (value: unknown, field: string): readonly CountedBucket[] =>
    checked(schema, value, field).buckets.map((bucket) => ({ key: bucket.key, count: bucket.doc_count }));
};

/** A number as text. */
export const numeral = z
  .string()
  .regex(/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/)
  .refine((text) => Number.isFinite(Number(text)));
