import Router from '@koa/router';
import Koa from 'koa';
import {
  answerFailed,
  serveAt,
  challengeCallers,
  showResource,
  type WaitingMember,
  type ChallengeParts,
} from './callers/require-access.ts';
import {
  findServed,
  namedLook,
  networksIn,
  servedBy,
  type Place,
  type Served,
  type ServedNetwork,
  type Target,
} from './callers/served.ts';
import type { Logger } from 'pino';
import type { Network } from '../../federation/network.ts';
import type { SpoolStorage } from '../../local/download/spool.ts';
import type { Registry } from '../../local/registry.ts';
import { jsonSender, sendInBounds } from './answers/send-json.ts';
import { downloadFiles, noSuchDownload, type DownloadParts } from './catalogue/download-routes.ts';
import { usageOfProcess } from '../../lib/concurrency/yield-to-event-loop.ts';
import { accessIn, type TokenAccess } from './callers/access-filters.ts';
import { callerOf, type NameCaller } from './callers/caller-name.ts';
import { admission, Gate } from './callers/gate.ts';
import { graphqlEndpoints } from './graphql/graphql-endpoint.ts';
import { auditQuestions, recordRequests, type AuditParts } from './ops/record-requests.ts';
import { answerNoEndpoint, queryTarget, type GraphQLParts } from './graphql/graphql-routes.ts';
import { showRoot, showServiceInfo, ping, ready, showMetrics } from './ops/ops-routes.ts';
import {
  describeAt,
  describeOnly,
  describeSqon,
  describeTarget,
  listCatalogues,
  listNetwork,
  tagIntrospection,
} from './catalogue/introspection-routes.ts';
import { describeTerms, lookUpTerms } from './catalogue/hierarchy-routes.ts';
import type { HttpContext, Middleware, RequestState } from './koa/http-context.ts';
import { nothingAt, accountMemory, carryCaller } from './koa/http-context.ts';
import {
  allowOrigins,
  nameRequest,
  rejectOtherOrigins,
  rejectUnreadableUrl,
  respondToErrors,
} from './koa/middleware.ts';
import type { Metrics } from './ops/metrics.ts';
import { describeNetwork } from './network/network-routes.ts';
import { openPersistedQueries, type PersistedQueries } from './graphql/graphql-request.ts';
import { memoryForRequests, MemoryAccount } from '../../lib/runtime/memory-account.ts';
import type { HttpSettings } from './koa/settings.ts';
import type { AddRoutes } from './capability.ts';
import type { Door } from './doors/door.ts';
import { embeddedIn, serveDoor, serveServerDoor, type DoorParts } from './doors/serve-door.ts';

/** Without access, everyone may see everything of the catalogues that say nothing else themselves. */
export interface AppParts extends Partial<TokenAccess> {
  readonly registry: Registry;
  /** By their ids: serverNetworkId, or networkIdOf a catalogue. */
  readonly networks: ReadonlyMap<string, Network>;
  readonly settings: HttpSettings;
  /** Ways to query catalogues and networks other than GraphQL; unset: none. */
  readonly doors?: readonly Door[];
  /** Where downloads of several files are spooled. */
  readonly spools: SpoolStorage;
  /** The names of the capabilities, as /service-info lists them; unset: none. */
  readonly capabilities?: readonly string[];
  /** Routes of capabilities; unset: none. */
  readonly routes?: readonly AddRoutes[];
  readonly log: Logger;
  /** What an invited node of the network of nodes.json proposes; null: it has not dialled; unset: there are no invitations. */
  readonly waiting?: (nodeId: string) => WaitingMember | null;
  /** Names callers to the nodes of networks, as callerNames does; unset: nodes do not tell them apart. */
  readonly nameCaller?: NameCaller;
  /** The key by which other servers know this server; unset: it has none. */
  readonly serverKey?: string;
  /** Whether this server is about to stop, and no longer ready; unset: never. */
  readonly isStopping?: () => boolean;
  /** Aborted when the time for requests in progress is over, with the error that ends downloads; unset: never. */
  readonly late?: AbortSignal;
  /** Problems to report with readiness although this server answers; unset: none. */
  readonly degradations?: () => readonly string[];
  /** Where queries are audited, as currently configured; unset or null: nowhere. */
  readonly audit?: { readonly parts: AuditParts | null };
  /** Where searches wait for their turns; unset: one of this application's own. */
  readonly gate?: Gate;
  /** The memory account of all requests together; unset: as much as the memory of this process allows. */
  readonly memory?: MemoryAccount;
  /** The metrics, served at /metrics to callers with the configured token. */
  readonly metrics?: Metrics;
  /** The queries that clients name by their hashes; unset: none yet. */
  readonly persisted?: PersistedQueries;
}

/** The HTTP edge of a node: health, introspection and GraphQL over its catalogues and its network. */
export const createApp = (parts: AppParts): Koa<RequestState> => {
  const { settings, log } = parts;
  const served = servedOf(parts);
  const app = new Koa<RequestState>();
  app.on('error', (error: unknown) => log.debug({ err: error }, 'connection failed'));
  for (const middleware of aroundRoutes(parts, served, allowOrigins(settings))) app.use(middleware);
  app.use(rejectOtherOrigins(settings));
  app.use(addRoutes(new Router<RequestState>(), parts, served).routes() as unknown as Middleware);
  app.use(answerElsewhere(served));
  return app;
};

/** The routes for a host application: unmatched paths and cross-origin requests are left to it. */
export const createAppRouter = (parts: AppParts): Router<RequestState> => {
  const served = servedOf(parts);
  return addRoutes(new Router<RequestState>().use(...aroundRoutes(parts, served)), parts, served);
};

/** Everything that is served, at the time of a request. */
type ServedNow = () => readonly Served[];

const servedOf =
  (parts: AppParts): ServedNow =>
  () =>
    servedBy(parts);

/** The middleware for every request. @param origins which other origins' pages may read answers; unset: the host decides */
const aroundRoutes = (parts: AppParts, served: ServedNow, origins?: Middleware): Middleware[] => [
  nameRequest,
  recordRequests(parts),
  ...(origins ? [origins] : []),
  challengeCallers(challengeOf(parts)),
  respondToErrors(parts.log, () => namedLook({ ...parts, served })),
  rejectUnreadableUrl,
];

const challengeOf = ({ issuers, settings, doors = [] }: AppParts): ChallengeParts => ({
  ...{ issuers, settings },
  resources: doors.filter((door) => door.of === 'server').map(({ segment }) => `/${segment}`),
});

/** Searches of an engine that is not known. */
const anyNumber = { short: Infinity, long: Infinity, longCost: Infinity };

/** Fixed paths first: no catalogue can take them. */
const addRoutes = (
  router: Router<RequestState>,
  parts: AppParts,
  served: ServedNow,
): Router<RequestState> => {
  const { settings, log } = parts;
  const endpoints = graphqlEndpoints(log);
  const persisted = parts.persisted ?? openPersistedQueries();
  const memory = parts.memory ?? new MemoryAccount(memoryForRequests(undefined));
  const gate = parts.gate ?? new Gate(anyNumber, usageOfProcess);
  const { allowanceOf, takeTurns } = admission(gate, settings.cost, log);
  const body = { limitBytes: settings.bodyLimitBytes };
  const sendJson = jsonSender(settings.maxResponseBytes);
  const common = { ...parts, served, endpoints, persisted, allowanceOf, body, sendJson };
  const { trustedProxies } = settings.cost;
  const { nameCaller } = parts;
  const access = accessIn(parts);
  router.use(
    carryCaller((context) => ({
      ...access(context),
      nameFor: nameCaller && ((nodeId) => nameCaller(callerOf(context, trustedProxies), nodeId)),
    })),
  );
  router.use(accountMemory(memory, (context) => callerOf(context, trustedProxies).peer));
  router.use(auditQuestions(parts.audit, trustedProxies));
  router.get(settings.readyPath, (context) => ready(context, common));
  addService(router, parts, served);
  addMetrics(router, parts, served);
  // the routes above take no time
  router.use(takeTurns, sendInBounds(sendJson));
  router.use('{/*before}/introspection', tagIntrospection);
  const embedded = (context: HttpContext) => embeddedIn(context, parts.doors ?? [], common);
  for (const add of parts.routes ?? []) add(router, { ...common, embedded });
  router.get('/introspection', (context) => listCatalogues(context, common));
  router.get('/introspection/sqon', describeSqon);
  router.get('/introspection/fields', (context) => describeOnly(context, common));
  router.get('/introspection/:catalogue', (context) =>
    describeAt(context, { name: context.params['catalogue']!, isNetwork: false }, common),
  );
  router.get('/introspection/:catalogue/hierarchies/:name', (context) =>
    lookUpTerms(context, context.params['catalogue']!, context.params['name']!, common),
  );
  for (const base of ['', '/:catalogue']) {
    addNetwork(router, `${base}/network`, common);
    addQueries(router, base, common);
  }
  router.get('/:catalogue/introspection', (context) => describeAt(context, placeOf(context), common));
  for (const door of parts.doors ?? []) addDoor(router, door, common);
  return router;
};

/** Routes that describe the server itself. */
const addService = (router: Router<RequestState>, parts: AppParts, served: ServedNow): void => {
  router.get(parts.settings.pingPath, ping);
  router.get('/service-info', (context) => showServiceInfo(context, { ...parts, served }));
  router.get('/.well-known/oauth-protected-resource{/*rest}', (context) =>
    showResource(context, challengeOf(parts)),
  );
};

/** Added after the paths of catalogues, as a catalogue with the name of a door keeps its paths. */
const addDoor = (router: Router<RequestState>, door: Door, parts: DoorParts): void => {
  if (door.of === 'server') {
    const { publicOrigin, allowedOrigins } = parts.settings;
    const origins = { publicOrigin, allowedOrigins: door.guardsOrigin ? (allowedOrigins ?? []) : null };
    router.all(`/${door.segment}{/*rest}`, rejectOtherOrigins(origins), (context) =>
      serveServerDoor(context, door, parts),
    );
    return;
  }
  const below = `${door.segment}{/*rest}`;
  // the only catalogue, or the network of several
  router.all(`/${below}`, (context) => {
    const isNetwork = findServed(parts.served(), onlyCatalogue).kind === 'unknown';
    return serveDoor(context, door, { name: null, isNetwork }, parts);
  });
  for (const base of ['/:catalogue', '/:catalogue/network'])
    router.all(`${base}/${below}`, (context) =>
      serveDoor(context, door, placeOf(context, base !== '/:catalogue'), parts),
    );
};

const onlyCatalogue: Place = { name: null, isNetwork: false };

type ServedParts = GraphQLParts & DownloadParts;

/** A request whose path has matched a route. */
type Routed = HttpContext & { readonly params: Readonly<Record<string, string | undefined>> };
type Serve<To> = (context: HttpContext, target: To) => Promise<void> | void;

/** A route below an address. @param missing answers where the address leads to nothing */
const serving =
  (
    isNetwork: boolean,
    parts: ServedParts,
    serve: Serve<Target>,
    missing: (context: HttpContext, next: Koa.Next) => Promise<void> | void = throwNothing,
  ) =>
  (context: Routed, next: Koa.Next): Promise<void> => {
    const answer = (target: Target): Promise<void> | void => {
      assertSame(context, target, parts);
      return serve(context, target);
    };
    return serveAt(context, placeOf(context, isNetwork), parts, answer, {
      missing: () => missing(context, next),
    });
  };

const throwNothing = ({ path }: HttpContext): never => {
  throw nothingAt(path);
};

/** What is queried and downloaded below an address. @param within the address, perhaps repeated */
const addQueries = (router: Router<RequestState>, within: string, parts: ServedParts): void => {
  const isNetwork = within.includes('/network');
  router.all(
    `${within}/graphql{/*tag}`,
    serving(
      isNetwork,
      parts,
      (context, target) => queryTarget(context, target, parts),
      (context) => answerNoEndpoint(context, parts),
    ),
  );
  router.all(
    `${within}/download`,
    serving(
      isNetwork,
      parts,
      (context, target) => downloadFiles(context, target, parts),
      () => {
        throw noSuchDownload(parts);
      },
    ),
  );
};

/**
 * A network as a catalogue: the server's, or a catalogue's. Clients that know only whole servers take its address for a
 * server's, and append the paths that it lists, which begin with the address: it answers there too.
 */
const addNetwork = (router: Router<RequestState>, base: string, parts: ServedParts): void => {
  const reach = (serve: Serve<ServedNetwork>, missing?: Parameters<typeof serving>[3]) =>
    serving(true, parts, (context, target) => serve(context, target as ServedNetwork), missing);
  router.get(
    base,
    reach(
      (context, network) => describeNetwork(context, network, parts),
      (_, next) => next(),
    ),
  );
  const within = `${base}{/:again/network}`;
  addQueries(router, within, parts);
  router.get(
    `${within}/introspection`,
    reach((context, network) => listNetwork(context, network, parts)),
  );
  router.get(`${within}/introspection/sqon`, describeSqon);
  for (const part of ['fields', 'network'])
    router.get(
      `${within}/introspection/${part}`,
      reach((context, network) => describeTarget(context, network, parts)),
    );
  router.get(
    `${within}/introspection{/network}/hierarchies/:name`,
    reach((context, network) => describeTerms(context, network, context.params['name']!, parts)),
  );
};

/** What a path begins with. `network` is no name of a catalogue: its network is the server's, by its address repeated. */
const placeOf = ({ params }: Pick<Routed, 'params'>, isNetwork = false): Place =>
  named(params['catalogue'], isNetwork);

const named = (name: string | undefined, isNetwork: boolean): Place =>
  name?.toLowerCase() === 'network' ? { name: null, isNetwork: true } : { name: name ?? null, isNetwork };

/** @throws TributaryError NOT_FOUND for an address behind that of another network */
const assertSame = (
  { params: { again }, path }: Routed,
  { id }: Target,
  { served }: Pick<ServedParts, 'served'>,
): void => {
  const appended = again === undefined ? null : findServed(served(), named(again, true));
  if (appended !== null && (appended.kind !== 'found' || appended.served.id !== id)) throw nothingAt(path);
};

const addMetrics = (
  router: Router<RequestState>,
  { metrics, settings: { metricsToken } }: AppParts,
  served: ServedNow,
): void => {
  if (metrics === undefined || metricsToken === undefined) return;
  metrics.watch(() => networksIn(served()));
  router.get('/metrics', (context) => showMetrics(context, metrics, metricsToken));
};

/** Every other path: a failed catalogue reports its failure on all of its paths; the root says where to go; the rest are not found. */
const answerElsewhere =
  (served: ServedNow): Middleware =>
  (context) => {
    const all = served();
    const [only, named] = [null, context.path.split('/')[1] ?? ''].map((name) =>
      findServed(all, { name, isNetwork: false }),
    );
    const found = only!.kind === 'found' ? only! : named!;
    const failed = found.kind === 'found' && found.served.kind === 'catalogue' ? found.served.state : null;
    if (failed?.status === 'failed') return answerFailed(context, failed);
    if (context.path !== '/' || !['GET', 'HEAD'].includes(context.method)) throw nothingAt(context.path);
    return showRoot(context);
  };
