import { z } from 'zod';
import type { CountedBucket } from '../../engines/measure.ts';
import { malformedAnswer } from '../../search/malformed-answer.ts';
import { wireBounds } from './wire-bounds.ts';
import { checked, count } from './wire-value.ts';

/**
 * A reader of `{ buckets { key doc_count } }` in a remote node's answer.
 * @param max the maximum number of buckets
 */
export const countsReader = (key: z.ZodType<string>, max: number) => {
  const bucket = z.object({ key, doc_count: count, upper_bound: z.unknown(), estimate: z.unknown() });
  const schema = z.object({
    buckets: z.array(bucket.partial({ upper_bound: true, estimate: true })).max(max),
  });
  return (value: unknown, field: string): readonly CountedBucket[] =>
    checked(schema, value, field).buckets.map((one, index) => {
      if (one.upper_bound === undefined) return { key: one.key, count: one.doc_count };
      const bounds = wireBounds(one.doc_count, one.upper_bound, one.estimate);
      if (bounds === 'malformed') throw malformedAnswer([field, 'buckets', index, 'upper_bound']);
      return { key: one.key, count: one.doc_count, ...bounds };
    });
};

/** A number as text. */
export const numeral = z
  .string()
  .regex(/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/)
  .refine((text) => Number.isFinite(Number(text)));
