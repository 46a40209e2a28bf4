import { TributaryError } from '../../errors.ts';
import type { Network } from '../../federation/network.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { Registry } from '../../local/registry.ts';
import type { AccessFilter, RequestContext } from '../koa/request-context.ts';

interface AccessParts {
  readonly registry: Registry;
  readonly accessFilter: AccessFilter;
}

/**
 * Refuses a caller whom no rule lets in to any of some catalogues: what they have and how it is called is told as
 * little as what is in it.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY
 */
export const requireAccess = async (
  context: RequestContext,
  states: readonly CatalogueState[],
  { accessFilter }: Pick<AccessParts, 'accessFilter'>,
): Promise<void> => {
  const asked = await Promise.all(states.map(async (state) => refusalOf(context, state, accessFilter)));
  const refused = asked.filter((refusal) => refusal !== null);
  if (refused.length > 0 && refused.length === states.length) throw refused[0];
};

/** Whether the caller could ask anything here: no one else is shown the name of a field. */
export const mayAsk = async (
  context: RequestContext,
  states: readonly CatalogueState[],
  { accessFilter }: Pick<AccessParts, 'accessFilter'>,
): Promise<boolean> => {
  const asked = await Promise.all(states.map(async (state) => refusalOf(context, state, accessFilter)));
  return asked.includes(null);
};

/**
 * Refuses a caller to whom some catalogue of a network is closed: the network's schema tells of all of them.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY
 */
export const requireOpenNodes = async (
  context: RequestContext,
  network: Network,
  parts: AccessParts,
): Promise<void> => {
  for (const refusal of (await closedNodes(context, network, parts)).values()) throw refusal;
};

/** The nodes of a network that are catalogues of this server and closed to a caller, and why, by their ids. */
export const closedNodes = async (
  context: RequestContext,
  network: Network,
  { registry, accessFilter }: AccessParts,
): Promise<ReadonlyMap<string, TributaryError>> => {
  const closed = new Map<string, TributaryError>();
  for (const [nodeId, catalogueId] of network.catalogues) {
    const state = registry.byId(catalogueId);
    const refusal = state === undefined ? null : await refusalOf(context, state, accessFilter);
    if (refusal !== null) closed.set(nodeId, refusal);
  }
  return closed;
};

/** Why a caller may not look at a catalogue: no valid token, no rule, or no way to know now. */
const refusalOf = async (
  context: RequestContext,
  { config }: CatalogueState,
  accessFilter: AccessFilter,
): Promise<TributaryError | null> => {
  try {
    await accessFilter(context, config.catalogueId);
    return null;
  } catch (error) {
    if (error instanceof TributaryError && refusals.has(error.code)) return error;
    throw error;
  }
};

const refusals: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_READY']);
