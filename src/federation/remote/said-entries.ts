import { z } from 'zod';
import type { ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import { displayNameOf } from '../../introspection/fields/names.ts';

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
