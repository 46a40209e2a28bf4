import { z } from 'zod';
import { guardedTiers, type ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { linkForm } from '../../introspection/sections/sections.ts';
import { displayNameOf } from '../../introspection/fields/field.ts';
import { badUserInput, TributaryError, type ErrorCode } from '../../errors/errors.ts';
import type { RequestContext } from '../../search/request-context.ts';

/** What a node reports about the answers of a tier that sees no records; nothing else of it is shown. */
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

/** The characteristics that a node released. */
export const releasedStatement = z
  .array(
    z.object({
      fieldName: z.string().min(1).max(1_000),
      edges: z.array(z.number()).max(1_000).optional(),
    }),
  )
  .max(100);

/** Sent with the value 1, it makes one of our nodes report the origin of its answer: `extensions.node`. */
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

/** How the key of a catalogue is written: that of its server, and its id. */
export const keyForm = z
  .string()
  .max(1_000)
  .regex(/^[\w-]{43}\/[^\s]*$/);

const keyed = z.object({ node: z.object({ key: keyForm }) });

/** What names the catalogue wherever it is met; null if it does not say. */
export const keyIn = (answered: unknown): string | null => {
  const parsed = keyed.safeParse(answered);
  return parsed.success ? parsed.data.node.key : null;
};

/**
 * Reads the details of errors with one code, as servers of this project report them.
 * @returns undefined for an error with another code, or with details of another form
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
/** Whatever is malformed is dropped. */
const orNothing = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const inLanguages = (one: z.ZodString) =>
  orNothing(z.object({ en: orNothing(one), fr: orNothing(one), de: orNothing(one) }));

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
});

/**
 * What a node's configs say of its fields beyond their defaults, which every server fills in.
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
  const own = Object.entries(entry).filter(
    ([key, value]) => value !== undefined && value !== byDefault[key] && !isEmpty(value),
  );
  return { fieldName, ...Object.fromEntries(own) };
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && Object.values(value!).every((one) => one === undefined);

/** The keys of the networks that a question passed, outermost first. */
const pathHeader = 'tributary-path';
/** How long the querying network still waits, in milliseconds. */
export const deadlineHeader = 'tributary-deadline-ms';

/** How many networks may be above a catalogue. */
const maxLevels = 3;
/** Reserved for the querying network, for the time in transit. */
const wayMs = 10;

/** The headers that tell another network where a question has been, and by when it is to be answered. */
export const levelHeaders = ({
  through = [],
  dueAtMs,
}: RequestContext): Readonly<Record<string, string>> => ({
  ...(through.length > 0 && { [pathHeader]: through.join(', ') }),
  ...(dueAtMs !== undefined && {
    [deadlineHeader]: String(Math.max(1, Math.floor(dueAtMs - performance.now() - wayMs))),
  }),
});

/**
 * A caller as a network passes its question on: with the way it has come, and the time that is left for it.
 * @param key of this network's server
 * @param reserveMs what merging the answers takes here
 * @throws TributaryError NETWORK_LOOP for a question that came through this network before, or through too many
 */
export const nextLevel = (context: RequestContext, key: string, reserveMs: number): RequestContext => {
  const through = context.through ?? keysIn(context.caller.headers[pathHeader]);
  if (through.includes(key)) throw networkLoop(null);
  if (through.length >= maxLevels) throw networkLoop(maxLevels);
  const leftMs = Number(context.caller.headers[deadlineHeader] ?? NaN);
  const dueAtMs = Number.isFinite(leftMs) ? performance.now() + Math.max(1, leftMs - reserveMs) : undefined;
  return context.withPath([...through, key], dueAtMs);
};

/** @param maxLevels how many networks may follow one another, where there are more; null where one is its own node */
const networkLoop = (maxLevels: number | null): TributaryError =>
  maxLevels === null
    ? new TributaryError('NETWORK_LOOP', 'the network is reached through itself')
    : new TributaryError(
        'NETWORK_LOOP',
        `reached through too many networks: at most ${maxLevels} may follow one another`,
        { details: { maxLevels } },
      );

const loopDetails = errorDetails(
  'NETWORK_LOOP',
  z.object({ maxLevels: z.int().positive() }).nullable().catch(null),
);

/** The error of a network that detected a loop, in our own words; null for another error. */
export const readLoop = (error: unknown): TributaryError | null => {
  const details = loopDetails(error);
  if (details === undefined) return null;
  const { message } = networkLoop(details?.maxLevels ?? null);
  return new TributaryError('NODE_REFUSED', message);
};

/** @throws TributaryError BAD_USER_INPUT for what no network sends */
const keysIn = (header: string | undefined): readonly string[] => {
  if (header === undefined || header === '') return [];
  const keys = header.split(',').map((key) => key.trim());
  if (keys.length <= 16 && keys.every((key) => /^[\w-]{1,64}$/.test(key))) return keys;
  throw badUserInput(`the header ${pathHeader} takes the keys of at most 16 servers, separated by commas`);
};

/** A text of another server as plain text on one line: without control or bidi characters, or a page's markup. */
export const plainLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();
