import { TributaryError } from '../../errors/errors.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { auditedBudget, auditedRefusal, type Asked } from '../callers/audit-questions.ts';
import type { AllowanceOf } from '../callers/caller-budgets.ts';
import { closedNodes, requireAccess, viewFor } from '../callers/require-access.ts';
import { answerFailed, nothingAt, onlyCatalogue, serveCatalogue } from '../catalogue/find-catalogue.ts';
import { requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { describeErrors } from '../koa/middleware.ts';
import { readJsonBody, type BodyLimits } from '../koa/request-body.ts';
import { auditOf, noteDoor } from '../koa/request-questions.ts';
import { openPart } from '../network/network-routes.ts';
import {
  assertDiscovered,
  requireNetwork,
  servedNetwork,
  type NetworkParts,
  type ServedNetwork,
} from '../network/served-network.ts';
import type { Door, DoorModule, Visit } from './door.ts';

export interface DoorParts extends NetworkParts {
  readonly allowanceOf: AllowanceOf;
  readonly body: BodyLimits;
}

/** A request to a door, before it is known what it is about. */
interface Call {
  readonly context: HttpContext;
  readonly door: Door;
  readonly module: DoorModule;
  readonly parts: DoorParts;
}

/**
 * The paths of a door below a server or a catalogue: `/beacon`, `/{catalogue}/beacon`, `/network/beacon`.
 * @param name of the catalogue, or `network`; null: the only catalogue, or the server's network where there are several
 */
export const serveDoor = async (
  context: HttpContext,
  door: Door,
  name: string | null,
  parts: DoorParts,
): Promise<void> => {
  const call = await enter(context, door, parts);
  const states = parts.registry.states();
  const isNetwork = name === 'network' || (name === null && onlyCatalogue(states) === null);
  if (isNetwork) return visitNetwork(call, servedNetwork(null, parts));
  await serveCatalogue(context, name, parts, (state) => visitCatalogue(call, state, name));
};

/** The paths of a door below a network of a catalogue: `/{catalogue}/network/beacon`. */
export const serveNetworkDoor = async (
  context: HttpContext,
  door: Door,
  name: string,
  parts: DoorParts,
): Promise<void> => visitNetwork(await enter(context, door, parts), servedNetwork(name, parts));

const enter = async (context: HttpContext, door: Door, parts: DoorParts): Promise<Call> => {
  noteDoor(context, door.name);
  context.set('cache-control', 'no-store');
  const module = await door.load();
  const url = addressOf(context, door, parts);
  describeErrors(context, (error, status) => module.errorBody(error, status, url));
  return { context, door, module, parts };
};

const visitCatalogue = async (
  call: Call,
  state: CatalogueState | null,
  name: string | null,
): Promise<void> => {
  const { context, door, module, parts } = call;
  if (state === null) throw nothingAt(context.path);
  if (state.status === 'failed') return answerFailed(context, state);
  const { catalogueId, switches } = state.config;
  const asked = { catalogueId, network: null };
  const { catalogue, tier } = await requireAccess(context, [state], parts)
    .then(() => viewFor(context, state.catalogue))
    .catch(auditedRefusal(auditOf(context), asked));
  const base = name === null ? '' : `/${encodeURIComponent(catalogueId)}`;
  const { disableFilters } = switches;
  await module.serve(context, {
    ...{ catalogue, network: null, tier, disableFilters },
    url: `${originOf(context, parts)}${base}/${door.segment}`,
    ...asking(call, asked, catalogue),
  });
};

const visitNetwork = async (call: Call, served: ServedNetwork | null): Promise<void> => {
  const { context, door, module, parts } = call;
  if (served === null) throw nothingAt(context.path);
  const { network, base, switches } = served;
  const asked = { catalogueId: null, network: network.displayName() };
  await requireNetwork(context, served, parts).catch(auditedRefusal(auditOf(context), asked));
  await network.opened;
  assertDiscovered(network);
  const whole = network.catalogue();
  if (whole === null) throw nothingAt(context.path);
  const closed = await closedNodes(context, network, parts);
  const catalogue = closed.size === 0 ? whole : openPart(whole, network, closed);
  const { disableFilters } = switches;
  await module.serve(context, {
    ...{ catalogue, network, tier: 'records', disableFilters },
    url: `${originOf(context, parts)}${base}/${door.segment}`,
    ...asking(call, asked, catalogue),
  });
};

type Asking = Pick<Visit, 'path' | 'readBody' | 'search' | 'warnings'>;

const asking = (
  { context, parts: { accessFilter, networkAccess, allowanceOf, body, settings } }: Call,
  asked: Asked,
  { search }: Visit['catalogue'],
): Asking => {
  const requestContext = requestContextOf(context, {
    ...{ accessFilter, networkAccess },
    allowance: allowanceOf(context),
    timeoutMs: settings.searchTimeoutMs,
  });
  return {
    path: segmentsOf(context),
    readBody: () =>
      readJsonBody(context, body, 'the body is not JSON').catch(auditedBudget(auditOf(context), asked)),
    search: (query) => search(query, requestContext),
    warnings: () => [...requestContext.trace.warnings],
  };
};

/** @throws TributaryError BAD_USER_INPUT for what is not percent-encoded text */
const segmentsOf = ({
  params,
}: HttpContext & { readonly params?: Record<string, string> }): readonly string[] => {
  const rest = [params?.['rest'] ?? []].flat().join('/');
  try {
    return rest
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch (cause) {
    throw new TributaryError('BAD_USER_INPUT', 'the path is not percent-encoded text', { cause });
  }
};

/** Where a request found the door. */
const addressOf = (context: HttpContext, { segment }: Door, parts: DoorParts): string => {
  const [before] = context.path.split(new RegExp(`/${segment}(?=/|$)`));
  return `${originOf(context, parts)}${before}/${segment}`;
};

/** Where clients reach this server; by the Host of the request where nothing is configured. */
const originOf = ({ protocol, host }: HttpContext, { settings: { publicOrigin } }: DoorParts): string =>
  publicOrigin ?? `${protocol}://${host}`;
