import type { Logger } from 'pino';
import type { Config, EngineConfig } from '../config/config.ts';
import type { ClusterSettings } from '../engines/cluster/cluster-settings.ts';
import { rulesInEffect } from '../access/audit/audit-trail.ts';
import { catalogueGuard } from '../disclosure/guard/guard-catalogue.ts';
import { releasedIndexes } from '../disclosure/release/released-indexes.ts';
import { openReleaseStore, type ReleaseStore } from '../disclosure/release/release-store.ts';
import type { Engine } from '../engines/engine.ts';
import { openDoors } from '../doors/doors.ts';
import { openNetwork, type Network } from '../federation/network.ts';
import type { NetworkConfig } from '../federation/config/nodes.ts';
import type { AppParts } from '../http/app.ts';
import { openLinksStore, type LinksStore } from '../http/portal/links-routes.ts';
import type { AccessFilter } from '../http/koa/http-context.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import { cursorSeal } from '../local/hits/hits-query.ts';
import { openSpoolStorage, type SpoolStorage } from '../local/download/spool.ts';
import type { CatalogueState } from '../search/catalogue.ts';
import type { Caller } from '../search/request-context.ts';
import { openRegistry, type Registry } from '../local/registry.ts';
import { capacityOf } from '../engines/open/open-engine.ts';
import { callerNames } from '../http/callers/caller-name.ts';
import { Gate } from '../http/callers/gate.ts';
import { serverNetworkId } from '../http/callers/served.ts';
import { memoryForRequests, MemoryAccount } from '../runtime/memory-account.ts';
import { asTributaryError } from '../errors/errors.ts';
import { withoutFolders } from '../text/escaped-text.ts';
import { atMostEachMinute, degradations, exportGauges, metricsOf } from './node-gauges.ts';
import { withFiles } from './named-files.ts';
import { readNetworks } from './networks.ts';
import {
  reloadAccess,
  reloadNode,
  takesRestart,
  withMissingFiles,
  type ReloadedParts,
  type ReloadReport,
} from './reload.ts';
import { openEngines, setStores, type CatalogueEngines } from './catalogue-engines.ts';
import { openAudit, type NodeAudit } from './open-audit.ts';
import { serveCatalogue, servedEngine } from './serve-catalogue.ts';
import { openReleaseSchedule } from './release-schedule.ts';
import { tunnelsOnDemand, type Tunnels } from './tunnels.ts';
import { serverKey, type ServerKey } from '../runtime/server-key.ts';
import { openInvitations } from '../tunnel/invitations.ts';
import type { DifferentSlash } from '../access/verify-token.ts';
import { anonymousCaller, openAccessControl, type AccessControl } from './token-access-filter.ts';

export interface NodeOptions {
  readonly log: Logger;
  /** The value of an environment variable, for the credentials of other nodes. */
  readonly secret: (variable: string) => string | undefined;
  /** An access filter from the application, replacing the configured one. */
  readonly accessFilter?: AccessFilter;
  /** Runs before the catalogues are opened. */
  readonly prepare?: (engine: Engine) => Promise<void>;
}

/** The components of a node, wired together and ready to serve. */
export interface OpenNode {
  /** Shared with code that fills the indexes in this process; closed by this node. */
  readonly engine: Engine;
  readonly registry: Registry;
  /** The memory account of all requests. */
  readonly memory: MemoryAccount;
  /** The network of nodes.json. */
  readonly network: NetworkConfig | null;
  /** Joins the networks and starts discovery: to be called once, when this node can itself be queried. */
  readonly join: () => AppParts;
  /** Applies a reloaded configuration, after `join`. Invalid parts are reported, not thrown. */
  readonly reload: (config: Config, again?: ReadonlySet<string>) => Promise<ReloadReport>;
  /** The tunnels of its network's members, and its own to hubs: none until it is served. */
  readonly tunnels: Tunnels;
  /** The most recently read configuration. */
  readonly latest: () => Config;
  /** Like `reload`, for access control alone: when the rest of the configuration cannot be read. */
  readonly reloadAccess: (read: () => Config['access']) => ReloadReport;
  /** Makes the networks report problems of configuration files that are not in effect, until the next reload. */
  readonly noteProblems: (problems: readonly string[]) => void;
  /** Leaves the networks and closes the engine. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the engine, the saved sets and the catalogues of a configuration.
 * @throws TributaryError CONFIG_INVALID, and errors of the engine; then nothing stays open
 */
export const openNode = async (config: Config, options: NodeOptions): Promise<OpenNode> => {
  const { log, secret } = options;
  const networks = await withFiles(readNetworks(config));
  networks.warnings.forEach((warning) => log.warn(warning));
  const metrics = await metricsOf(config);
  let latest = config;
  const engines = await enginesOf(config, () => latest.engine, secret, metrics);
  const spools = await openSpools(config, log);
  const links = openLinks(config);
  const key = serverKey(config.serverKeyPath, config.dataPath, log);
  const { memory, gate } = openBounds(config, metrics);
  try {
    await options.prepare?.(engines.engine);
    const audit = openAudit(config, key, options);
    const note = (changed: Config): void => audit.reload((latest = changed));
    const control = options.accessFilter ? null : openControl(config, { audit, metrics, log });
    const access = options.accessFilter ? { accessFilter: options.accessFilter } : control?.access;
    const registry = await openCatalogues(config, networks.catalogues, { ...engines, key, log });
    const releases = { storeOf: storeOf(config), trail: () => audit.parts?.trail ?? null };
    const schedule = openReleaseSchedule(engines.engineOf, registry, releases, log);
    let problemCount = 0;
    if (metrics !== null)
      exportGauges(metrics, { config, access: control, registry, problems: () => problemCount });
    const settings = { ...networkSettings(config), secret, key: key.thumbprint, log };
    const { joined, join } = networkOpener(registry, settings, metrics);
    const served = unjoined(registry, control);
    const anonymous = (): Caller | null =>
      options.accessFilter ? null : anonymousCaller({ ...config, access: control?.config() ?? null });
    const tunnels = await tunnelsOnDemand({ config, key, log, anonymous }, () => serverNetwork(served));
    const joinAll = (): typeof served => {
      void schedule.run(Date.now());
      return joinNetworks(served, networks, join, tunnels);
    };
    return {
      ...{ engine: engines.engine, registry, memory, tunnels, network: serverNetwork(networks) },
      latest: () => latest,
      ...reloadsOf(served, config, tunnels, { latest: () => latest, note }),
      noteProblems: (problems) => {
        problemCount = problems.length;
        for (const network of joined) network.noteProblem(withoutFolders(problems.join('; ')) || null);
      },
      join: () => ({
        ...joinAll(),
        settings: config.http,
        doors: openDoors(config.http.doors),
        ...namesOf(key),
        ...{ spools, memory, gate },
        waiting: waitingMembers(config),
        ...(links === null ? {} : { links }),
        log,
        ...(metrics === null ? {} : { metrics, metricsToken: () => latest.http.metricsToken }),
        audit,
        ...access,
        degradations: () => degradations(config.dataPath, control),
      }),
      close: async () => {
        await tunnels.close();
        for (const network of joined) await network.close();
        schedule.close();
        links?.close();
        registry.close();
        audit.close();
        await engines.close();
      },
    };
  } catch (error) {
    await engines.close();
    throw error;
  }
};

const enginesOf = (
  { engine }: Config,
  latest: () => EngineConfig,
  secret: NodeOptions['secret'],
  metrics: Metrics | null,
): Promise<CatalogueEngines> =>
  openEngines(liveCredentials(engine, latest), secret, (bare) => servedEngine(bare, metrics));

/** The names by which other servers know this server and its callers. */
const namesOf = ({ thumbprint, derive }: ServerKey) => ({
  serverKey: thumbprint,
  nameCaller: callerNames(derive),
});

/** What bounds all requests together: the memory that they hold, and the gate where they wait. */
const openBounds = ({ memoryLimitBytes, engine }: Config, metrics: Metrics | null) => {
  const memory = new MemoryAccount(memoryForRequests(memoryLimitBytes));
  const gate = new Gate(capacityOf(engine));
  metrics?.watchMemory(memory);
  metrics?.watchGate(gate);
  return { memory, gate };
};

const reloadsOf = (
  served: ReloadedParts,
  config: Config,
  tunnels: Tunnels,
  { latest, note }: { readonly latest: () => Config; readonly note: (changed: Config) => void },
): Pick<OpenNode, 'reload' | 'reloadAccess'> => ({
  reload: async (read, again) => {
    const inUse = served.registry.states().map((state) => state.config);
    const { config: changed, problems: missing } = withMissingFiles(read, latest(), inUse);
    note(changed);
    await tunnels.prepare(changed);
    const { changes, problems } = await reloadNode(changed, served, again);
    // uses the current network
    const ofHubs = tunnels.reload(changed);
    return {
      changes: [...changes, ...ofHubs.changes],
      problems: [...missing, ...problems, ...ofHubs.problems, ...takesRestart(changed, config)],
    };
  },
  reloadAccess: (readAccess) => {
    try {
      const catalogues = served.registry.states().map((state) => state.config);
      const { server, hubs } = latest();
      return reloadAccess({ access: readAccess(), catalogues, server, hubs }, served.access);
    } catch (error) {
      served.access?.markStale();
      return { changes: [], problems: [asTributaryError(error).message] };
    }
  },
});

/** Opens networks by their names in metrics, and lists the open ones. */
const networkOpener = (
  { byId }: Registry,
  settings: Parameters<typeof openNetwork>[2],
  metrics: Metrics | null,
) => {
  const joined: Network[] = [];
  const join = (
    network: NetworkConfig,
    name: string,
    own: Parameters<typeof openNetwork>[2] = {},
  ): Network => {
    const observer = metrics?.nodeObserver(name) ?? null;
    const opened = openNetwork(network, releasedStates(byId), { ...settings, ...own, observer });
    joined.push(opened);
    return opened;
  };
  return { joined, join };
};

/** The network of nodes.json. */
const serverNetwork = <One>({ networks }: { readonly networks: ReadonlyMap<string, One> }): One | null =>
  networks.get(serverNetworkId) ?? null;

/** Opens the networks of a configuration. */
const joinNetworks = (
  served: ReturnType<typeof unjoined>,
  { networks }: Pick<ReturnType<typeof readNetworks>, 'networks'>,
  join: ReturnType<typeof networkOpener>['join'],
  { tunnelTo }: Tunnels,
): typeof served => {
  for (const [id, network] of networks)
    // members dial in to the network of nodes.json
    served.networks.set(id, join(network, id, id === serverNetworkId ? { tunnelTo } : {}));
  return served;
};

/** The parts that are served before the networks are joined. */
const unjoined = (registry: Registry, access: AccessControl | null) => ({
  ...{ registry, access },
  networks: new Map<string, Network>(),
});

const networkSettings = (config: Config) => ({
  maxResultsWindow: config.maxResultsWindow,
  strictFilters: config.strictFilters,
  downloads: config.networkDownloads,
  switches: config.http.network.switches,
});

/** Engine settings whose credentials come from the most recently read configuration. */
const liveCredentials = (first: EngineConfig, latest: () => EngineConfig): EngineConfig => {
  if (first.kind === 'embedded') return first;
  const now = (): ClusterSettings => {
    const read = latest();
    return read.kind === 'embedded' ? first : read;
  };
  return {
    ...first,
    get user() {
      return now().user;
    },
    get password() {
      return now().password;
    },
    get apiKey() {
      return now().apiKey;
    },
  };
};

/** The configured access control, whose changes are audited. */
const openControl = (
  config: Config,
  {
    audit,
    metrics,
    log,
  }: { readonly audit: NodeAudit; readonly metrics: Metrics | null; readonly log: Logger },
): AccessControl | null => {
  const warnOfKeys = atMostEachMinute((error: unknown) =>
    log.warn({ err: error }, 'the keys that tokens are checked with cannot be fetched'),
  );
  const warnOfSlash = atMostEachMinute((issuers: DifferentSlash) =>
    log.warn(
      issuers,
      'a token was refused: its issuer and the configured one differ by the slash at the end',
    ),
  );
  return openAccessControl(config, {
    slashDiffers: warnOfSlash,
    inEffect: (file, rules) => {
      log.info({ file, rules }, 'access rules in effect');
      audit.parts?.trail.write({
        'event.action': rulesInEffect,
        'file.path': file,
        'file.hash.sha256': rules,
      });
    },
    fetchFailed: (error) => {
      metrics?.keysFailed();
      warnOfKeys(error);
    },
    visaRefused: (visa) => log.debug(visa, 'a visa counts for nothing'),
  });
};

/** In networks, guarded catalogues show the fields of their release to all callers. */
export const releasedStates = (byId: Registry['byId']): Registry['byId'] => {
  const known = new WeakMap<CatalogueState, CatalogueState>();
  return (id) => {
    const state = byId(id);
    if (state?.status === 'failed' && state.last?.guarded !== undefined)
      return { ...state, last: state.last.guarded };
    if (state?.status !== 'available' || state.catalogue.guarded === undefined) return state;
    const released = known.get(state) ?? { ...state, catalogue: state.catalogue.guarded };
    known.set(state, released);
    return released;
  };
};

/** Members that have used their invitations, read from the current files. */
const waitingMembers = ({ dataPath }: Config): NonNullable<AppParts['waiting']> => {
  const invitations = openInvitations(dataPath);
  return (nodeId) => {
    const { dialled = null, proposal } = invitations.find(nodeId) ?? {};
    if (dialled === null) return null;
    const { fields = {}, values = {} } = proposal ?? {};
    const maps = Object.values(values).map((map) => Object.keys(map).length);
    return { dialled, fields: Object.keys(fields).length, values: maps.reduce((sum, one) => sum + one, 0) };
  };
};

/** The store of the portal's long links; null without a portal. */
const openLinks = ({ http: { portal } }: Config): LinksStore | null =>
  portal === null ? null : openLinksStore(portal.links.file, portal.links.maxBytes);

/** Where downloads of several files are spooled. A full or read-only disk does not prevent the start. */
const openSpools = async ({ spoolFolder }: Config, log: Logger): Promise<SpoolStorage> => {
  const spools = openSpoolStorage(spoolFolder);
  await spools
    .removeLeftovers()
    .catch((error: unknown) => log.warn({ err: error }, 'leftovers of downloads cannot be removed'));
  return spools;
};

const openCatalogues = async (
  config: Config,
  catalogues: Config['catalogues'],
  { engine, engineOf, key, log }: CatalogueEngines & { readonly key: ServerKey; readonly log: Logger },
): Promise<Registry> => {
  const { searchTimeoutMs } = config.http;
  const setsOf = setStores({ searchTimeoutMs });
  for (const catalogue of catalogues)
    await engineOf(catalogue)
      .then((own) => setsOf(catalogue, own)?.ready())
      .catch((error: unknown) => log.warn({ err: error }, 'saved sets are not available yet'));
  const registry = await openRegistry(catalogues, engine, {
    strictFilters: config.strictFilters,
    setsOf,
    engineOf,
    searchTimeoutMs,
    guard: serveCatalogue(
      catalogueGuard({
        storeOf: storeOf(config),
        warn: (catalogue, error) => log.error({ catalogue, err: error }, 'release cannot be read'),
        nameKey: key.derive('generations'),
        history: releasedIndexes(config.dataPath, (error) =>
          log.warn({ err: error }, 'what is released cannot be recorded'),
        ),
      }),
    ),
    cursors: cursorSeal(key.derive('cursors')),
  });
  warnOfFailures(registry, log);
  return registry;
};

const storeOf =
  ({ dataPath }: Config) =>
  (catalogueId: string): ReleaseStore =>
    openReleaseStore(dataPath, catalogueId);

const warnOfFailures = (registry: Registry, log: Logger): void => {
  for (const state of registry.states())
    if (state.status === 'failed')
      log.warn(
        { catalogue: state.config.catalogueId, folder: state.config.folder, err: state.error },
        'catalogue failed',
      );
    else if (state.catalogue.warnings.length > 0)
      log.warn(
        { catalogue: state.config.catalogueId, warnings: state.catalogue.warnings },
        'catalogue has warnings',
      );
};
