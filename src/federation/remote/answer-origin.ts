import { z } from 'zod';
import type { CatalogueResult } from '../../search/query.ts';

/** Sent with the value 1, it asks one of our nodes to report the origin of its answer: `extensions.node`. */
export const originHeader = 'tributary-node';

const name = z
  .string()
  .max(100)
  .regex(/^[\w .+:-]*$/)
  .nullable()
  .catch(null);
const extensions = z.object({
  node: z.object({ version: name.default(null), schema: name.default(null), generation: name.default(null) }),
});

/** The origin that a remote node reports for its answer; empty if it reports none. */
export const originOf = (answered: unknown): Pick<CatalogueResult, 'origin'> => {
  const parsed = extensions.safeParse(answered);
  return parsed.success ? { origin: parsed.data.node } : {};
};
