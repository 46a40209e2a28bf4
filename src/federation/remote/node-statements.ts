import { z } from 'zod';
import { guardedTiers } from '../../introspection/fields/disclosure-config.ts';
import type { CatalogueResult } from '../../search/query.ts';
import type { ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import { displayNameOf } from '../../introspection/fields/names.ts';

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

const maxValues = 1_000;
const label = z.string().min(1).max(1_000);
const text = z.string().min(1).max(10_000);
/** Whatever is not as it should be counts as not said. */
const orNothing = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const inLanguages = (one: z.ZodString) =>
  orNothing(z.object({ en: orNothing(one), fr: orNothing(one), de: orNothing(one) }));

const displayValues = z
  .record(z.string().max(1_000), z.union([label, z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= maxValues);

const saidEntry = z.object({
  fieldName: z.string(),
  type: z.string(),
  displayName: orNothing(label),
  displayNames: inLanguages(label),
  displayType: orNothing(label),
  displayValues: orNothing(displayValues),
  description: orNothing(text),
  descriptions: inLanguages(text),
  unit: orNothing(label),
  rangeStep: orNothing(z.number().positive()),
  quickSearchEnabled: orNothing(z.boolean()),
});

/**
 * What a node's configs say of its fields beyond their defaults, which every server fills in.
 * @param extended the answer to `configs { extended }`, untrusted
 */
export const readSaidEntries = (extended: unknown): readonly ExtendedEntry[] =>
  !Array.isArray(extended)
    ? []
    : extended.flatMap((entry: unknown) => {
        const parsed = saidEntry.safeParse(entry);
        return parsed.success ? [beyondDefaults(parsed.data)] : [];
      });

const beyondDefaults = ({ fieldName, type, ...said }: z.output<typeof saidEntry>): ExtendedEntry => {
  const byDefault: Readonly<Record<string, unknown>> = {
    displayName: displayNameOf(fieldName),
    displayType: type,
    quickSearchEnabled: false,
  };
  const own = Object.entries(said).filter(
    ([key, value]) => value !== undefined && value !== byDefault[key] && !isEmpty(value),
  );
  return { fieldName, ...Object.fromEntries(own) };
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && Object.values(value!).every((one) => one === undefined);
