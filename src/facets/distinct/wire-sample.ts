import { z } from 'zod';
import type { DistinctSample } from '../../engines/measure.ts';
import { keysIn } from '../../engines/semantics/sample-levels.ts';
import { maxParts } from '../../engines/semantics/theta-sample.ts';
import { malformedAnswer } from '../../search/malformed-answer.ts';
import { checked, count } from '../row/wire-value.ts';

/** The form that is written; another one is not read. */
const version = 1;

/** A sample as nodes send it. */
export const printSample = (sample: DistinctSample | null) =>
  sample && { v: version, hash: sample.hash, N: sample.parts, n: sample.keys, levels: sample.levels };

const wireSample = z.object({
  v: z.literal(version),
  hash: z.enum(['murmur3', 'mix64']),
  N: z
    .int()
    .min(1)
    .max(maxParts)
    .refine((parts) => Number.isInteger(Math.log2(parts))),
  n: count,
  levels: z.array(z.string()).max(64),
});

const otherForm = z.object({ v: z.int() }).refine(({ v }) => v !== version);

/**
 * Reads a sample that a node sent; null when it has none, or sends another form.
 * @throws TributaryError NODE_BAD_RESPONSE naming the place below `field`
 */
export const readSample = (value: unknown, field: string): DistinctSample | null => {
  if (value === null || otherForm.safeParse(value).success) return null;
  const { hash, N: parts, n: keys, levels } = checked(wireSample, value, field);
  if (keysIn(levels, parts) !== keys) throw malformedAnswer([field, 'levels']);
  return { hash, parts, keys, levels };
};
