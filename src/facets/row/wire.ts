import type { CountBounds, CountedBucket } from '../../engines/measure.ts';
import { z } from 'zod';
import { TributaryError } from '../../errors/errors.ts';

/** NODE_BAD_RESPONSE for an answer that does not match its request. @param at path of names and indexes to the fault */
export const malformedAnswer = (at: readonly PropertyKey[], cause?: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `the answer is malformed at ${at.map(String).join('.')}`, {
    cause,
  });

/** An answer that lists more than was requested. @param what in the plural */
export const tooMany = (found: number, what: string, requested: number): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `returned ${found} ${what} where ${requested} were requested`);

/** The longest string that a search server indexes has so many bytes; a longer key or id cannot be one. */
const maxKeyLength = 32_766;

/** Whether a value may be the key of a bucket or the id of a document. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxKeyLength;

/** Such a key. */
export const key = z.custom<string>(isKey);

/** Whether a value is a count: GraphQL's Int, like every count. */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647;

/** The fields requested of a remote node's buckets besides keys. */
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

/** A count, as GraphQL's Int represents it. */
export const count = z.custom<number>(isCount);

/**
 * Validates a part of a remote node's answer against a schema.
 * @param field the place of the part
 * @throws TributaryError NODE_BAD_RESPONSE
 */
export const checked = <T>(schema: z.ZodType<T>, value: unknown, field: string): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedAnswer([field, ...(parsed.error.issues[0]?.path ?? [])], parsed.error);
};

/** The limit on buckets of a remote node in one list: more are not readable, and cost memory; `max` requests fewer. */
export const maxListed = 500_000;

/** The limit on different values in the merged lists of all nodes: ordering as many takes more than a second. */
export const maxMerged = 1_000_000;

/**
 * A reader of `{ buckets { key doc_count } }` in a remote node's answer.
 * @param max the maximum number of buckets
 */
export const countsReader = (keys: z.ZodType<string>, max: number) => {
  const bucket = z.object({ key: keys, doc_count: count, upper_bound: z.unknown(), estimate: z.unknown() });
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

const maxNumeralLength = 400;

/** A number as text. */
export const numeral = z
  .string()
  .max(maxNumeralLength)
  .regex(/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/)
  .refine((text) => Number.isFinite(Number(text)));
