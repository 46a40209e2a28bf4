import { z } from 'zod';
import { badUserInput, TributaryError } from '../../errors/errors.ts';
import { malformedAnswer } from '../../facets/row/wire.ts';
import type { Institution } from '../../search/nodes-answer.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { errorDetails, keyForm, plainLine, timeLeftMs } from './node-statements.ts';

// A network is one node of another network: this file holds all that distinguishes it from a catalogue.

const maxNodes = 10_000;

/** What a network is queried for besides its answer: which of its institutions answered. */
export const reportSelection = 'partial nodes { status }';

const reportForm = z.object({
  partial: z.boolean().nullish(),
  nodes: z.array(z.object({ status: z.enum(['OK', 'ERROR']).nullable() })).max(maxNodes),
});

/**
 * What a network's answer lacks, in words; null: nothing.
 * @param hits the value of its field `hits`, untrusted
 * @throws TributaryError NODE_BAD_RESPONSE
 */
export const missingFrom = (hits: unknown): string | null => {
  const { success, data } = reportForm.safeParse(hits);
  if (!success) throw malformedAnswer(['hits', 'nodes']);
  const failed = data.nodes.filter(({ status }) => status === 'ERROR').length;
  if (failed > 0) return `${failed} of its ${data.nodes.length} institutions did not answer`;
  // a network among its nodes answered in part
  return data.partial === true ? 'some of its institutions did not answer' : null;
};

const silence = errorDetails('ENGINE_UNAVAILABLE', z.object({ nodes: z.array(z.unknown()).min(1) }));

/** The error of a network none of whose institutions answered; null for other errors. */
export const readSilence = (error: unknown): TributaryError | null => {
  const nodes = silence(error)?.nodes;
  return nodes
    ? new TributaryError('NODE_UNREACHABLE', `0 of its ${nodes.length} institutions answered`)
    : null;
};

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
  const leftMs = timeLeftMs(context.caller.headers);
  const dueAtMs = leftMs === undefined ? undefined : performance.now() + Math.max(1, leftMs - reserveMs);
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
