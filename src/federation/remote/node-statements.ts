import { z } from 'zod';
import { guardedTiers, type ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { linkForm } from '../../introspection/fields/portal-sections.ts';
import { displayNameOf } from '../../introspection/fields/field.ts';
import type { ErrorCode } from '../../lib/errors/errors.ts';

/** A node's statement about answers to a tier that sees no records; its other contents are not shown. */
export const withheldStatement = z.object({
  tier: z.enum(guardedTiers),
  threshold: z.int().min(1).max(1_000_000),
  counted: z
    .string()
    .max(200)
    .regex(/^[\w .:@/-]*$/)
    .catch(''),
  date: z.iso.date().nullable().catch(null),
  waits: z.int().min(1).optional().catch(undefined),
  refused: z.iso.date().optional().catch(undefined),
});

/** The dimensions that a node released. */
export const releasedStatement = z
  .array(
    z.object({
      fieldName: z.string().min(1).max(1_000),
      edges: z.array(z.number()).max(1_000).optional(),
    }),
  )
  .max(100);

/** With the value 1, it makes a node of this software report the origin of its answer: `extensions.node`. */
export const originHeader = 'tributary-node';

/** The path of a network's server where nodes dial in. */
export const dialPath = '/network/dial';

/** How long the querying network still waits, in milliseconds. */
export const deadlineHeader = 'tributary-deadline-ms';
/** Reserved by the querying network for the transit time. */
const wayMs = 10;

/** The header that tells a node of this software when its answer is due. */
export const deadlineHeaders = (
  dueAtMs: number | undefined,
): Readonly<Record<typeof deadlineHeader, string>> | undefined =>
  dueAtMs === undefined
    ? undefined
    : { [deadlineHeader]: String(Math.max(1, Math.floor(dueAtMs - performance.now() - wayMs))) };

/** How long the sender of a request waits for the answer, in milliseconds; undefined: it does not say. */
export const timeLeftMs = (headers: Readonly<Record<string, unknown>>): number | undefined => {
  const sent = headers[deadlineHeader];
  return typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Math.max(1, Number(sent)) : undefined;
};

/** Names which of a hub's callers a query is for: opaque, and another one each day. */
export const callerHeader = 'tributary-caller';

const name = z
  .string()
  .max(100)
  .regex(/^[\w .+:-]*$/)
  .nullable()
  .catch(null);
const extensions = z.object({
  node: z.object({
    version: name.default(null),
    schema: name.default(null),
    generation: name.default(null),
    lastUpdated: z.iso.datetime().nullable().catch(null),
  }),
});

/** The origin that a remote node reports for its answer; empty if it reports none. */
export const originOf = (answered: unknown): Pick<CatalogueResult, 'origin'> => {
  const parsed = extensions.safeParse(answered);
  return parsed.success ? { origin: parsed.data.node } : {};
};

/** The form of a catalogue's key: the server's key, and the catalogue's id. */
export const keyForm = z
  .string()
  .max(1_000)
  .regex(/^[\w-]{43}\/[^\s]*$/);

const keyed = z.object({ node: z.object({ key: keyForm }) });

/** The key that identifies the catalogue wherever it is reached; null if it is not reported. */
export const keyIn = (answered: unknown): string | null => {
  const parsed = keyed.safeParse(answered);
  return parsed.success ? parsed.data.node.key : null;
};

/**
 * Reads the details of errors with one code, as servers of this project report them.
 * @returns undefined for an error with another code, or with details in another form
 */
export const errorDetails = <Details extends z.ZodType>(code: ErrorCode, details: Details) => {
  const form = z.object({ extensions: z.object({ code: z.literal(code), details }) });
  return (error: unknown): z.output<Details> | undefined => {
    const parsed = form.safeParse(error) as z.ZodSafeParseResult<{
      extensions: { details: z.output<Details> };
    }>;
    return parsed.data?.extensions.details;
  };
};

const maxValues = 1_000;
const label = z.string().min(1).max(1_000);
const text = z.string().min(1).max(10_000);
/** Malformed values are dropped. */
const orNothing = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const inLanguages = (text: z.ZodString) =>
  orNothing(z.object({ en: orNothing(text), fr: orNothing(text), de: orNothing(text) }));

const displayValues = z
  .record(z.string().max(1_000), z.union([label, z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= maxValues);

const extendedEntry = z.object({
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
  image: orNothing(z.literal(true)),
  link: orNothing(z.union([z.literal(true), z.string().max(1_000).regex(linkForm)])),
  sortable: orNothing(z.literal(false)),
});

/**
 * What a node's configs state about its fields beyond the defaults, which every server fills in.
 * @param extended the answer to `configs { extended }`, untrusted
 */
export const readExtendedEntries = (extended: unknown): readonly ExtendedEntry[] =>
  z
    .array(z.unknown())
    .catch([])
    .parse(extended)
    .flatMap((entry) => {
      const parsed = extendedEntry.safeParse(entry);
      return parsed.success ? [beyondDefaults(parsed.data)] : [];
    });

const beyondDefaults = ({ fieldName, type, ...entry }: z.output<typeof extendedEntry>): ExtendedEntry => {
  const byDefault: Readonly<Record<string, unknown>> = {
    displayName: displayNameOf(fieldName),
    displayType: type,
    quickSearchEnabled: false,
  };
  const members = Object.entries(entry).filter(
    ([key, value]) => value !== undefined && value !== byDefault[key] && !isEmpty(value),
  );
  return { fieldName, ...Object.fromEntries(members) };
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && Object.values(value!).every((member) => member === undefined);

/** Text from another server as plain text on one line: without control or bidi characters, or HTML markup. */
export const plainLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();
