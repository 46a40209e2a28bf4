import { setTimeout } from 'node:timers/promises';
import { badUserInput, TributaryError } from '../../errors/errors.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { rejectFilters, type CatalogueQuery, type CatalogueResult } from '../../search/query.ts';
import { closest } from '../../text/unknown-keys.ts';
import { auditedRefusal, type AuditTarget } from '../callers/audit-questions.ts';
import type { AllowanceOf } from '../callers/admission.ts';
import { closedNodes, refusalOf, requireAccess, viewFor } from '../callers/require-access.ts';
import {
  answerFailed,
  onlyCatalogue,
  serveCatalogue,
  type FailedState,
  assertDiscovered,
  requireNetwork,
  servedNetwork,
  type NetworkParts,
  type ServedNetwork,
} from '../callers/find-target.ts';
import { nothingAt, originOf, requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { describeErrors } from '../koa/middleware.ts';
import { readJsonBody, type BodyLimits } from '../koa/request-body.ts';
import { auditOf, noteDoor } from '../koa/request-questions.ts';
import { openPart } from '../network/network-routes.ts';
import type { Door, DoorModule, Entrance, Listed, Visit } from './door.ts';

export interface DoorParts extends NetworkParts {
  readonly allowanceOf: AllowanceOf;
  readonly body: BodyLimits;
}

/** A request to a door. */
interface Call {
  readonly context: HttpContext;
  readonly segment: string;
  readonly parts: DoorParts;
}

type CatalogueDoor = Extract<Door, { of: 'catalogue' }>;
type ServerDoor = Extract<Door, { of: 'server' }>;

/**
 * The paths of a door below a server or a catalogue: `/beacon`, `/{catalogue}/beacon`, `/network/beacon`.
 * @param name the catalogue's name, or `network`; null: the only catalogue, or the server's network if there are several
 */
export const serveDoor = async (
  context: HttpContext,
  door: CatalogueDoor,
  name: string | null,
  parts: DoorParts,
): Promise<void> => {
  const { serve } = await enter(context, door, parts);
  const call = { context, segment: door.segment, parts };
  const isNetwork = name === 'network' || (name === null && onlyCatalogue(parts.registry.states()) === null);
  if (isNetwork) return serve(context, await visitNetwork(call, servedNetwork(null, parts)));
  await serveCatalogue(context, name, parts, async (state) => {
    if (state === null) throw nothingAt(context.path);
    if (state.status === 'failed') return answerFailed(context, state);
    await serve(context, await visitCatalogue(call, state, name));
  });
};

/** The paths of a door below a network of a catalogue: `/{catalogue}/network/beacon`. */
export const serveNetworkDoor = async (
  context: HttpContext,
  door: CatalogueDoor,
  name: string,
  parts: DoorParts,
): Promise<void> => {
  const { serve } = await enter(context, door, parts);
  await serve(
    context,
    await visitNetwork({ context, segment: door.segment, parts }, servedNetwork(name, parts)),
  );
};

/** The path of a door for the whole server. */
export const serveServerDoor = async (
  context: HttpContext,
  door: ServerDoor,
  parts: DoorParts,
): Promise<void> => {
  const { serve } = await enter(context, door, parts);
  const call = { context, segment: door.segment, parts };
  const path = segmentsOf(call);
  const entrance = await entranceOf(call, path).catch(auditedRefusal(auditOf(context), nowhere));
  await serve(context, entrance);
};

/** How long a page waits for its part for search engines. */
const embedMs = 1_000;

/** What doors add to a portal page for search engines, as far as its caller may see it; null: nothing, or not in time. */
export const embeddedIn = async (
  context: HttpContext,
  doors: readonly Door[],
  parts: DoorParts,
): Promise<unknown> => {
  const door = doors.find((one) => one.of === 'server' && one.embed !== undefined);
  if (door?.of !== 'server' || door.embed === undefined) return null;
  const describe = await door.embed();
  noteDoor(context, door.name);
  // a caller without access, or a catalogue that does not answer, must not make the page fail
  const described = entranceOf({ context, segment: door.segment, parts }, [])
    .then(describe)
    .catch(() => null);
  return Promise.race([described, setTimeout(embedMs, null, { ref: false })]);
};

const enter = async <To>(
  context: HttpContext,
  door: { readonly name: string; readonly segment: string; readonly load: () => Promise<DoorModule<To>> },
  parts: DoorParts,
): Promise<DoorModule<To>> => {
  noteDoor(context, door.name);
  context.set('cache-control', 'no-store');
  const module = await door.load();
  // the host of a POST has not been checked so far; without a valid one, the path would be parsed as the host
  const origin = originOf(context, parts.settings);
  // identifiers of RDF are made from it
  if (!URL.canParse(origin) || /["<>{}|\\^`]/.test(origin))
    throw badUserInput('the host of the request cannot be read');
  const url = addressOf(context, door.segment, parts);
  describeErrors(context, (error, status) => module.errorBody(error, status, url));
  return module;
};

type AvailableState = Exclude<CatalogueState, FailedState>;

const visitCatalogue = async (call: Call, state: AvailableState, name: string | null): Promise<Visit> => {
  const { context, segment, parts } = call;
  const { catalogueId, switches } = state.config;
  const target = { catalogueId, network: null };
  const { catalogue, tier } = await requireAccess(context, [state], parts)
    .then(() => viewFor(context, state.catalogue))
    .catch(auditedRefusal(auditOf(context), target));
  const base = name === null ? '' : `/${encodeURIComponent(catalogueId)}`;
  return {
    ...{ catalogue, network: null, tier },
    url: `${originOf(context, parts.settings)}${base}/${segment}`,
    ...visitParts(call, target, { catalogue, switches }),
  };
};

const visitNetwork = async (call: Call, served: ServedNetwork | null): Promise<Visit> => {
  const { context, segment, parts } = call;
  if (served === null) throw nothingAt(context.path);
  const { network, base, switches } = served;
  const target = { catalogueId: null, network: network.displayName() };
  await requireNetwork(context, served, parts).catch(auditedRefusal(auditOf(context), target));
  await network.opened;
  assertDiscovered(network);
  const whole = network.catalogue();
  if (whole === null) throw nothingAt(context.path);
  const closed = await closedNodes(context, network, parts);
  const catalogue = closed.size === 0 ? whole : openPart(whole, network, closed);
  return {
    ...{ catalogue, network, tier: 'records' },
    url: `${originOf(context, parts.settings)}${base}/${segment}`,
    ...visitParts(call, target, { catalogue, switches }),
  };
};

type VisitParts = Pick<Visit, 'path' | 'readBody' | 'search' | 'warnings'>;

const visitParts = (
  call: Call,
  target: AuditTarget,
  { catalogue, switches }: Pick<Visit, 'catalogue'> & Pick<ServedNetwork, 'switches'>,
): VisitParts => {
  const { context, parts } = call;
  const { accessFilter, networkAccess, allowanceOf, settings } = parts;
  const requestContext = requestContextOf(context, {
    ...{ accessFilter, networkAccess },
    allowance: allowanceOf(context),
    timeoutMs: settings.searchTimeoutMs,
  });
  return {
    path: segmentsOf(call),
    readBody: () => readBody(call),
    search: async (query) => {
      if (switches.disableFilters) rejectFilters(query);
      return withinMax(await catalogue.search(query, requestContext), query);
    },
    warnings: () => [...requestContext.trace.warnings],
  };
};

/** A network returns all values that its nodes have listed. */
const withinMax = (result: CatalogueResult, { facets }: CatalogueQuery): CatalogueResult => ({
  ...result,
  facets: result.facets.map((facet, at) => {
    const { measure } = facets[at]!;
    const isList = facet.kind === 'terms' && measure.kind === 'terms';
    return isList ? { ...facet, buckets: facet.buckets.slice(0, measure.max ?? undefined) } : facet;
  }),
});

/** The audit target of requests without a catalogue or network. */
const nowhere: AuditTarget = { catalogueId: null, network: null };

const readBody = ({ context, parts: { body } }: Call): Promise<unknown> =>
  readJsonBody(context, body, 'the body is not JSON');

/** A place to visit, unless the caller has no access. */
interface Place extends Listed {
  readonly target: AuditTarget;
  readonly require: () => Promise<void>;
  readonly open: () => Promise<Visit>;
}

/** @throws TributaryError UNAUTHENTICATED, FORBIDDEN for a caller who has access to nothing */
const entranceOf = async (call: Call, path: Entrance['path']): Promise<Entrance> => {
  const { context, parts } = call;
  const all = placesOf(call);
  const refusals = await Promise.all(all.map(({ require }) => refusalOf(require())));
  const open = all.filter((_, at) => refusals[at] === null);
  const [refusal] = refusals.filter((one) => one !== null);
  if (open.length === 0 && refusal !== undefined) throw refusal;
  return {
    origin: originOf(context, parts.settings),
    url: `${originOf(context, parts.settings)}/${call.segment}`,
    path,
    list: open,
    open: async (id) => {
      const found = open.find((place) => place.id === id);
      if (found !== undefined) return found.open();
      const ids = open.map((place) => place.id);
      const near = closest(id, ids);
      const hint = near?.isSlip ? `did you mean ${near.name}?` : `${ids.join(', ')} are here`;
      const unknown = new TributaryError('NOT_FOUND', `there is no catalogue ${JSON.stringify(id)}: ${hint}`);
      const closed = all.find((place) => place.id === id);
      if (closed !== undefined) auditedRefusal(auditOf(context), closed.target)(unknown);
      throw unknown;
    },
    readBody: () => readBody(call),
  };
};

const placesOf = (call: Call): readonly Place[] => {
  const { context, parts } = call;
  const states = parts.registry.states().filter((state) => state.status === 'available');
  const catalogues = states.map((state) => ({
    id: state.config.catalogueId,
    title: state.config.about?.title ?? state.config.description ?? state.config.catalogueId,
    isNetwork: false,
    target: { catalogueId: state.config.catalogueId, network: null },
    about: state.config.about,
    require: async () => {
      await requireAccess(context, [state], parts);
      await viewFor(context, state.catalogue);
    },
    open: () => visitCatalogue(call, state, state.config.catalogueId),
  }));
  const own = [...parts.catalogueNetworks.keys()].map(
    (id) => [`${id}/network`, servedNetwork(id, parts)] as const,
  );
  const ofServer = servedNetwork(null, parts);
  // that of the only catalogue is the server's too
  const others = own.filter(([, served]) => served?.network !== ofServer?.network);
  const networks = [['network', ofServer] as const, ...others];
  return [
    ...networks.flatMap(([id, served]) =>
      served === null || hasNoCatalogue(served)
        ? []
        : [
            {
              ...{ id, title: served.network.displayName(), isNetwork: true },
              target: { catalogueId: null, network: served.network.displayName() },
              about: served.network.catalogue()?.config.about,
              require: () => requireNetwork(context, served, parts),
              open: () => visitNetwork(call, served),
            },
          ],
    ),
    ...catalogues,
  ];
};

/** Whether the nodes of a network have no document type in common: it is not served like a catalogue. */
const hasNoCatalogue = ({ network }: ServedNetwork): boolean =>
  network.isOpen() && network.catalogue() === null;

/**
 * The segments of a path below a door: its router would decode them before they are separated.
 * @throws TributaryError BAD_USER_INPUT for a segment with invalid percent-encoding
 */
const segmentsOf = ({ context, segment }: Call): readonly string[] => {
  const below = context.path.slice(before(context, segment).length + 1 + segment.length);
  try {
    return below
      .split('/')
      .filter((one) => one !== '')
      .map(decodeURIComponent);
  } catch (cause) {
    throw badUserInput('the path is not percent-encoded text', { cause });
  }
};

/** The address under which a request reached the door. */
const addressOf = (context: HttpContext, segment: string, parts: DoorParts): string =>
  `${originOf(context, parts.settings)}${before(context, segment)}/${segment}`;

/** The path before the door's segment, which routes match case-insensitively. */
const before = ({ path }: HttpContext, segment: string): string =>
  path.split(new RegExp(`/${segment}(?=/|$)`, 'i'))[0]!;
