import { z } from 'zod';
import { guardedTiers, type ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { linkForm } from '../../introspection/sections/sections.ts';
import { displayNameOf } from '../../introspection/fields/field.ts';
import { badUserInput, TributaryError, type ErrorCode } from '../../errors/errors.ts';
import type { RequestContext } from '../../search/request-context.ts';

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
  const own = Object.entries(entry).filter(
    ([key, value]) => value !== undefined && value !== byDefault[key] && !isEmpty(value),
  );
  return { fieldName, ...Object.fromEntries(own) };
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && Object.values(value!).every((one) => one === undefined);

/** The keys of the networks that a query passed, outermost first. */
const pathHeader = 'tributary-path';
/** How long the querying network still waits, in milliseconds. */
export const deadlineHeader = 'tributary-deadline-ms';

/** The maximum number of networks above a catalogue. */
const maxLevels = 3;
/** Reserved by the querying network for the transit time. */
const wayMs = 10;

/** The headers that tell another network which networks a query has passed, and when its answer is due. */
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
 * The caller's context for the queries that a network passes on: with the path so far, and the time that is left.
 * @param key of this network's server
 * @param reserveMs the time that merging the answers takes here
 * @throws TributaryError NETWORK_LOOP for a query that came through this network before, or through too many
 */
export const nextLevel = (context: RequestContext, key: string, reserveMs: number): RequestContext => {
  const through = context.through ?? keysIn(context.caller.headers[pathHeader]);
  if (through.includes(key)) throw networkLoop(null);
  if (through.length >= maxLevels) throw networkLoop(maxLevels);
  const leftMs = Number(context.caller.headers[deadlineHeader] ?? NaN);
  const dueAtMs = Number.isFinite(leftMs) ? performance.now() + Math.max(1, leftMs - reserveMs) : undefined;
  return context.withPath([...through, key], dueAtMs);
};

/** @param maxLevels the limit on nested networks, if exceeded; null if a network contains itself */
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

/** The error of a network that detected a loop, in our own words; null for other errors. */
export const readLoop = (error: unknown): TributaryError | null => {
  const details = loopDetails(error);
  if (details === undefined) return null;
  const { message } = networkLoop(details?.maxLevels ?? null);
  return new TributaryError('NODE_REFUSED', message);
};

/** @throws TributaryError BAD_USER_INPUT for a header that no network sends */
const keysIn = (header: string | undefined): readonly string[] => {
  if (header === undefined || header === '') return [];
  const keys = header.split(',').map((key) => key.trim());
  if (keys.length <= 16 && keys.every((key) => /^[\w-]{1,64}$/.test(key))) return keys;
  throw badUserInput(`the header ${pathHeader} takes the keys of at most 16 servers, separated by commas`);
};

/** Text from another server as plain text on one line: without control or bidi characters, or HTML markup. */
export const plainLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();
