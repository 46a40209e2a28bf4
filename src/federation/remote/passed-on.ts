import { z } from 'zod';
import { TributaryError } from '../../errors/errors.ts';
import type { RequestContext } from '../../search/request-context.ts';

/** The keys of the networks that a question passed, outermost first. */
const pathHeader = 'tributary-path';
/** How long the querying network still waits, in milliseconds. */
export const deadlineHeader = 'tributary-deadline-ms';

/** How many networks may be above a catalogue. */
const maxLevels = 3;
/** Reserved for the querying network, for the time in transit. */
const wayMs = 10;

/** The headers that tell another network where a question has been, and by when it is to be answered. */
export const passedOn = ({ through = [], dueAtMs }: RequestContext): Readonly<Record<string, string>> => ({
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
export const passingOn = (context: RequestContext, key: string, reserveMs: number): RequestContext => {
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
    ? new TributaryError('NETWORK_LOOP', 'asked through itself')
    : new TributaryError(
        'NETWORK_LOOP',
        `asked through too many networks: at most ${maxLevels} may follow one another`,
        { details: { maxLevels } },
      );

const loop = z.object({
  extensions: z.object({
    code: z.literal('NETWORK_LOOP'),
    details: z.object({ maxLevels: z.int().positive() }).optional().catch(undefined),
  }),
});

/** How a network reports it; null for another error. */
export const readLoop = (error: unknown): TributaryError | null => {
  const parsed = loop.safeParse(error);
  if (!parsed.success) return null;
  const { message } = networkLoop(parsed.data.extensions.details?.maxLevels ?? null);
  return new TributaryError('NODE_REFUSED', message);
};

/** @throws TributaryError BAD_USER_INPUT for what no network sends */
const keysIn = (header: string | undefined): readonly string[] => {
  if (header === undefined || header === '') return [];
  const keys = header.split(',').map((key) => key.trim());
  if (keys.length <= 16 && keys.every((key) => /^[\w-]{1,64}$/.test(key))) return keys;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `the header ${pathHeader} takes the keys of at most 16 servers, separated by commas`,
  );
};
