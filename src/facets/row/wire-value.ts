import { z } from 'zod';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';

/** How many, as GraphQL's Int says it. */
export const count = z.custom<number>(isCount);

/**
 * A part of a remote node's answer, as it is said to be.
 * @param field where it stands
 * @throws TributaryError NODE_BAD_RESPONSE
 */
export const checked = <T>(schema: z.ZodType<T>, value: unknown, field: string): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedAnswer([field, ...(parsed.error.issues[0]?.path ?? [])], parsed.error);
};
