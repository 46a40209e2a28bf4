import { z } from 'zod';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';

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
