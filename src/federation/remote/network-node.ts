import { z } from 'zod';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { malformedAnswer } from '../../search/facets/row/wire.ts';
import type { Institution, Reach } from '../../search/nodes-answer.ts';
import type { CatalogueResult } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { errorDetails, keyForm, plainLine } from './node-statements.ts';

// A network is one node of another network: this file holds all that distinguishes it from a catalogue.

/** What a network is queried for besides its answer: how many institutions behind each of its nodes answered. */
export const reachSelection = 'nodes { reach { queried answered } }';

const count = z.int().min(0).max(1_000_000);
const reachForm = z
  .object({
    nodes: z.array(z.object({ reach: z.object({ queried: count, answered: count }) })).max(10_000),
  })
  .transform(({ nodes }) => sumOfReach(nodes.map(({ reach }) => reach)));

/**
 * How many of a network's institutions answered.
 * @param hits the value of its field `hits`, untrusted
 * @throws TributaryError NODE_BAD_RESPONSE
 */
export const readReach = (hits: unknown): Reach => {
  const { success, data } = reachForm.safeParse(hits);
  if (!success) throw malformedAnswer(['hits', 'nodes']);
  return data;
};

const sumOfReach = (parts: readonly Reach[]): Reach => ({
  queried: parts.reduce((sum, { queried }) => sum + queried, 0),
  answered: parts.reduce((sum, { answered }) => sum + answered, 0),
});

/** What the answer of a node lacks, in words; null: nothing. */
export const missingFrom = ({ reach }: Pick<CatalogueResult, 'reach'>): string | null => {
  const missing = reach === undefined ? 0 : reach.queried - reach.answered;
  return missing > 0 ? `${missing} of its ${reach!.queried} institutions did not answer` : null;
};

const silence = errorDetails('ENGINE_UNAVAILABLE', z.object({ nodes: z.array(z.unknown()).min(1) }));

/** The error of a network none of whose institutions answered; null for other errors. */
export const readSilence = (error: unknown): TributaryError | null =>
  silence(error) === undefined
    ? null
    : new TributaryError('NODE_UNREACHABLE', 'none of its institutions answered');

const institutionForm = z.object({
  key: keyForm.nullable().catch(null),
  name: z.string().transform((name) => plainLine(name).slice(0, 300)),
});

/** What a network is queried for at discovery: the institutions behind it. */
export const institutionsSelection = 'nodes { institutions { key name } }';

/** Its field `hits` with that selection, as one list. */
export const institutionsForm = z
  .object({ nodes: z.array(z.object({ institutions: z.array(institutionForm) })) })
  .transform(({ nodes }) => nodes.flatMap(({ institutions }): readonly Institution[] => institutions));

/** Why nodes are refused that lead to an institution which an earlier node leads to, by their ids. */
export const repeatedNodes = (
  nodes: Iterable<readonly [nodeId: string, institutions: readonly Institution[]]>,
): ReadonlyMap<string, string> => {
  const ways = new Map<string, string>();
  const refused = new Map<string, string>();
  for (const [nodeId, institutions] of nodes) {
    const known = institutions.flatMap(({ key, name }) => (key === null ? [] : { key, name }));
    const twice = known.find(({ key }) => ways.has(key));
    if (twice === undefined) for (const { key } of known) ways.set(key, nodeId);
    else
      refused.set(
        nodeId,
        `"${twice.name}" would be reached twice, through node "${ways.get(twice.key)}" and through node "${nodeId}": remove one of them`,
      );
  }
  return refused;
};

/** The keys of the servers that a query passed, outermost first. */
const pathHeader = 'tributary-path';

/** The header that tells another network which servers a query has passed. */
export const pathHeaders = ({ through = [] }: RequestContext): Readonly<Record<string, string>> =>
  through.length > 0 ? { [pathHeader]: through.join(', ') } : {};

/**
 * The caller's context for the queries that a network passes on: with the path so far, and the time that is left.
 * @param key of this network's server; @param reserveMs the time that merging the answers takes here
 * @throws TributaryError NETWORK_LOOP for a query that came through this server before
 */
export const passedOn = (context: RequestContext, key: string, reserveMs: number): RequestContext => {
  const through = context.through ?? keysIn(context.caller.headers[pathHeader]);
  if (through.includes(key)) throw new TributaryError('NETWORK_LOOP', loop);
  const dueAtMs = context.dueAtMs === undefined ? undefined : context.dueAtMs - reserveMs;
  return context.withPath([...through, key], dueAtMs);
};

const loop = 'the network is reached through itself';
const loopForm = z.object({ extensions: z.object({ code: z.literal('NETWORK_LOOP') }) });

/** The error of a network that detected a loop; null for other errors. */
export const readLoop = (error: unknown): TributaryError | null =>
  loopForm.safeParse(error).success ? new TributaryError('NODE_REFUSED', loop) : null;

/** @throws TributaryError BAD_USER_INPUT for a header that no network sends */
const keysIn = (header: string | undefined): readonly string[] => {
  if (header === undefined || header === '') return [];
  const keys = header.split(',').map((key) => key.trim());
  if (keys.length <= 16 && keys.every((key) => /^[\w-]{1,64}$/.test(key))) return keys;
  throw badUserInput(`the header ${pathHeader} takes the keys of at most 16 servers, separated by commas`);
};
