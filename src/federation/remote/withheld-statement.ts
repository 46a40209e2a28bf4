import { z } from 'zod';
import { guardedTiers } from '../../introspection/fields/disclosure-config.ts';

/** What a node says about the answers of a tier that sees no records; nothing else that it may say is passed on. */
export const withheldStatement = z.object({
  tier: z.enum(guardedTiers),
  threshold: z.int().min(1).max(1_000_000),
  counted: z
    .string()
    .max(200)
    .regex(/^[\w .:@/-]*$/)
    .catch(''),
  date: z.iso.date().nullable().catch(null),
});

/** What a node says about the characteristics that it released. */
export const releasedStatement = z
  .array(
    z.object({
      fieldName: z.string().min(1).max(1_000),
      edges: z.array(z.number()).max(1_000).optional(),
    }),
  )
  .max(100);
