import { setTimeout } from 'node:timers/promises';
import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import { rejectFilters, type CatalogueQuery, type CatalogueResult } from '../../../search/query.ts';
import { closest } from '../../../lib/text/unknown-keys.ts';
import { auditedRefusal, type AuditTarget } from '../../../search/audited-search.ts';
import type { AllowanceOf } from '../callers/gate.ts';
import {
  assertFieldsKnown,
  disclosureOf,
  refusalOf,
  auditTargetOf,
  requireTarget,
  serveAt,
  viewOf,
  type TargetParts,
} from '../callers/require-access.ts';
import { availableIn, networksIn, type Place, type Served, type Target } from '../callers/served.ts';
import { nothingAt, originOf, requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { describeErrors } from '../koa/middleware.ts';
import { readJsonBody, type BodyLimits } from '../koa/request-body.ts';
import { auditOf, noteDoor } from '../koa/request-record.ts';
import type { Door, DoorModule, Entrance, Visit } from './door.ts';

export interface DoorParts extends TargetParts {
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

/** The paths of a door below a server, a catalogue or a network: `/beacon`, `/{catalogue}/beacon`, `/network/beacon`. */
export const serveDoor = async (
  context: HttpContext,
  door: CatalogueDoor,
  place: Place,
  parts: DoorParts,
): Promise<void> => {
  const { serve } = await enter(context, door, parts);
  const call = { context, segment: door.segment, parts };
  const answer = async (target: Target): Promise<void> => {
    const visited = await visit(call, target);
    try {
      await serve(context, visited);
    } catch (error) {
      const isInvalid = error instanceof TributaryError && error.code === 'BAD_USER_INPUT';
      if (isInvalid && target.kind === 'network') assertFieldsKnown(target.network);
      throw error;
    }
  };
  await serveAt(context, place, parts, answer, {
    missing: () => {
      throw nothingAt(context.path);
    },
  });
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

const visit = async (call: Call, target: Target): Promise<Visit> => {
  const { context, segment, parts } = call;
  const audited = auditTargetOf(target);
  await requireTarget(context, target).catch(auditedRefusal(auditOf(context), audited));
  if (target.kind === 'network') await target.network.opened;
  const { catalogue } = await viewOf(context, target, parts);
  return {
    ...{ catalogue, network: target.kind === 'network' ? target.network : null },
    withheld: await disclosureOf(context, catalogue),
    url: `${originOf(context, parts.settings)}${target.path}/${segment}`,
    ...visitParts(call, { catalogue, switches: target.switches }),
  };
};

type VisitParts = Pick<Visit, 'path' | 'readBody' | 'search' | 'warnings'>;

const visitParts = (
  call: Call,
  { catalogue, switches }: Pick<Visit, 'catalogue'> & Pick<Served, 'switches'>,
): VisitParts => {
  const { context, parts } = call;
  const { allowanceOf, settings } = parts;
  const requestContext = requestContextOf(context, {
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

/** @throws TributaryError UNAUTHENTICATED, FORBIDDEN for a caller who has access to nothing */
const entranceOf = async (call: Call, path: Entrance['path']): Promise<Entrance> => {
  const { context, parts } = call;
  await Promise.all(networksIn(parts.served()).map(({ network }) => network.opened));
  const all = availableIn(parts.served());
  const refusals = await Promise.all(all.map((target) => refusalOf(requireTarget(context, target))));
  const open = all.filter((_, at) => refusals[at] === null);
  const [refusal] = refusals.filter((one) => one !== null);
  if (open.length === 0 && refusal !== undefined) throw refusal;
  return {
    origin: originOf(context, parts.settings),
    url: `${originOf(context, parts.settings)}/${call.segment}`,
    path,
    list: open.map(({ id, title, kind, about }) => ({ id, title, about, isNetwork: kind === 'network' })),
    open: async (id) => {
      const found = open.find((target) => target.id === id);
      if (found !== undefined) return visit(call, found);
      const ids = open.map((target) => target.id);
      const near = closest(id, ids);
      const hint = near?.isSlip ? `did you mean ${near.name}?` : `${ids.join(', ')} are here`;
      const unknown = new TributaryError('NOT_FOUND', `there is no catalogue ${JSON.stringify(id)}: ${hint}`);
      const closed = all.find((target) => target.id === id);
      if (closed !== undefined) auditedRefusal(auditOf(context), auditTargetOf(closed))(unknown);
      throw unknown;
    },
    readBody: () => readBody(call),
  };
};

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
