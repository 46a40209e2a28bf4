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

const keyPattern = /^[\w-]{43}\/[^\s]*$/;
const maxKeyLength = 1_000;

/** How the key of a catalogue is written: that of its server, and its id. */
export const keyForm = z.string().max(maxKeyLength).regex(keyPattern);

/** Whether a value is such a key. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxKeyLength && keyPattern.test(value);
const keyed = z.object({ node: z.object({ key: keyForm }) });

/** What names the catalogue wherever it is met; null if it does not say. */
export const keyIn = (answered: unknown): string | null => {
  const parsed = keyed.safeParse(answered);
  return parsed.success ? parsed.data.node.key : null;
};
