import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { AccessConfig, Config, EngineConfig } from '../config/config.ts';
import type { ClusterSettings } from '../../engines/cluster/cluster-settings.ts';
import type { Engine } from '../../engines/engine.ts';
import { capacityOf } from '../../engines/open/open-engine.ts';
import type { Network } from '../../federation/network.ts';
import type { AppParts } from '../http/app.ts';
import {
  doorsOf,
  guardOf,
  type Capability,
  type OpenAccess,
  type OpenCapability,
  type ProcessParts,
  type ReloadReport,
  type Ruled,
} from '../http/capability.ts';
import type { TokenAccess } from '../http/callers/access-filters.ts';
import { callerNames } from '../http/callers/caller-name.ts';
import { Gate } from '../http/callers/gate.ts';
import { serverNetworkId } from '../http/callers/served.ts';
import { openPersistedQueries } from '../http/graphql/graphql-request.ts';
import type { AccessFilter } from '../http/callers/access-filters.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { openSpoolStorage, type SpoolStorage } from '../../local/download/spool.ts';
import { cursorSeal } from '../../local/hits/hits-query.ts';
import type { Registry } from '../../local/registry.ts';
import { usageOfProcess } from '../../lib/concurrency/yield-to-event-loop.ts';
import { memoryForRequests, MemoryAccount } from '../../lib/runtime/memory-account.ts';
import { serverKey } from '../../lib/runtime/server-key.ts';
import { withoutFolders } from '../../lib/text/escaped-text.ts';
import { problemText } from '../../lib/text/problem.ts';
import { rejectAbsent } from './absent.ts';
import { openEngines, setStores, type CatalogueEngines } from './catalogue-engines.ts';
import { degradations, exportGauges, metricsOf } from './node-gauges.ts';
import { openAudit } from './open-audit.ts';
import {
  discard,
  joinNetworks,
  openBeside,
  openCatalogues,
  readServed,
  type LastingParts,
  type Server,
} from './open-server.ts';
import { serveCatalogue, servedEngine } from './serve-catalogue.ts';
import { swap, type ConfigFiles } from './swap.ts';
import { anonymousCaller, requireDisclosureRules, withoutAccess } from './anonymous-caller.ts';

export interface NodeOptions {
  readonly log: Logger;
  /** The value of an environment variable, for the credentials of other nodes. */
  readonly secret: (variable: string) => string | undefined;
  /** What it serves beside search and federation; unset: nothing. */
  readonly capabilities?: readonly Capability[];
  /** An access filter from the application, replacing the configured one. */
  readonly accessFilter?: AccessFilter;
  /** Runs before the catalogues are opened. */
  readonly prepare?: (engine: Engine) => Promise<void>;
}

/** The components of a node, wired together and ready to serve. */
export interface OpenNode {
  /** Shared with code that fills the indexes in this process; closed by this node. */
  readonly engine: Engine;
  /** The memory account of all requests. */
  readonly memory: MemoryAccount;
  /** What its capabilities have opened. */
  readonly opened: readonly OpenCapability[];
  /** What is served now. */
  readonly now: () => Server;
  /** Joins the networks and starts discovery: to be called once, when this node can itself be queried. */
  readonly join: () => AppParts;
  /**
   * Serves the configuration files as they are now, as a whole, or nothing of them but what narrows access or disclosure.
   * @param again nodes of networks to be discovered again
   */
  readonly reload: (
    files: ConfigFiles,
    serve: ServeNext,
    again?: ReadonlySet<string>,
  ) => Promise<ReloadReport>;
  /** Leaves the networks and closes the engine. */
  readonly close: () => Promise<void>;
}

/**
 * Serves an application from the next request on.
 * @param ended called when the requests of the one before have ended
 */
export type ServeNext = (parts: AppParts, ended: () => void) => void;

/**
 * Opens the engine, the saved sets and the catalogues of a configuration.
 * @throws TributaryError CONFIG_INVALID, and errors of the engine; then nothing stays open
 */
export const openNode = async (config: Config, options: NodeOptions): Promise<OpenNode> => {
  const { log, secret } = options;
  rejectAbsent(config, options.capabilities ?? []);
  const reading = await readServed(config);
  reading.warnings.forEach((warning) => log.warn(problemText(warning)));
  const metrics = await metricsOf(config);
  const live = newLive(config);
  const engines = await openEngines(
    liveCredentials(config.engine, () => live.config().engine),
    secret,
    (bare) => servedEngine(bare, metrics),
  );
  const closings: (() => unknown)[] = [engines.close];
  try {
    await options.prepare?.(engines.engine);
    const lasting = await openLasting(config, live, { ...options, engines, metrics });
    closings.unshift(lasting.close);
    const opened = await openCatalogues(reading, lasting.parts, { before: null });
    live.take({ ...opened, networks: new Map(), secrets: new Map() });
    lasting.inEffect(config.access);
    warnOfFailures(opened.registry, log);
    return {
      ...{ engine: engines.engine, memory: lasting.app.memory, opened: lasting.opened },
      now: live.server,
      join: () => {
        live.take(joinNetworks(live.server(), lasting.parts, { before: null, secret }));
        lasting.start();
        return lasting.appOf(live.server());
      },
      reload: reloading(live, lasting, options),
      close: async () => {
        for (const { disconnect } of lasting.opened) await disconnect?.();
        for (const network of [...live.server().networks.values(), ...live.leaving]) await network.close();
        lasting.close();
        live.server().registry.close();
        await engines.close();
      },
    };
  } catch (error) {
    for (const close of closings) await close();
    throw error;
  }
};

/** What is served now, and what was. */
type Live = ReturnType<typeof newLive>;

const newLive = (first: Config) => {
  let server: Server | null = null;
  const withholding = new Map<string, CatalogueConfig>();
  return {
    server: () => server!,
    /** null: it is being opened. */
    now: () => server,
    config: () => server?.reading.config ?? first,
    take: (next: Server): void => {
      server = next;
      for (const one of next.reading.catalogues)
        if (one.disclosure !== undefined) withholding.set(one.catalogueId.toLowerCase(), one);
    },
    /** Every catalogue that has withheld records, as it was last configured. */
    withholding: () => [...withholding.values()],
    /** Networks that are no longer served, whose requests have not ended. */
    leaving: new Set<Network>(),
    report: { problems: [] as readonly string[], areRulesStale: false },
  };
};

const reloading =
  (live: Live, lasting: Lasting, { secret, capabilities = [] }: NodeOptions): OpenNode['reload'] =>
  async (files, serve, again = new Set()) => {
    const before = live.server();
    const { parts, audit, opened } = lasting;
    const use = (next: Server): ReloadReport => {
      live.take(next);
      next.registry.use();
      before.registry.close();
      const gone = takenOver(before, next);
      gone.forEach((network) => live.leaving.add(network));
      serve(lasting.appOf(next), () => {
        for (const network of gone) if (live.leaving.delete(network)) void network.close();
      });
      const { access } = next.reading.config;
      if (!isDeepStrictEqual(before.reading.config.access, access)) lasting.inEffect(access);
      const reports = opened.flatMap(({ reload }) => reload?.(next.reading.config) ?? []);
      return {
        changes: reports.flatMap(({ changes }) => changes),
        problems: reports.flatMap(({ problems }) => problems),
      };
    };
    const read = (): Config => {
      const config = files.read();
      rejectAbsent(config, capabilities);
      return config;
    };
    const { areRulesStale, ...report } = await swap({ ...files, read }, again, {
      ...{ before, withholding: live.withholding(), secret, use },
      checkRules: (changed) => {
        anonymousCaller(changed, capabilities);
        requireDisclosureRules(changed, capabilities);
      },
      audit: audit.reload,
      open: (next, opening) => openBeside(next, parts, opening),
      discard: (server) => discard(server, before),
    });
    live.report = { problems: report.problems, areRulesStale };
    return report;
  };

/** @returns the networks that are no longer served */
const takenOver = (before: Server, next: Server): readonly Network[] =>
  [...before.networks].flatMap(([id, network]) => {
    const after = next.networks.get(id);
    if (after === undefined) return [network];
    network.retire(after);
    return [];
  });

/** What lasts as long as the process, whatever is served. */
interface Lasting extends Pick<
  Awaited<ReturnType<typeof openLasting>>,
  'parts' | 'audit' | 'app' | 'opened'
> {
  readonly appOf: (server: Server) => AppParts;
  readonly inEffect: (access: AccessConfig | null) => void;
}

interface LastingOptions extends NodeOptions {
  readonly engines: CatalogueEngines;
  readonly metrics: Metrics | null;
}

const openLasting = async (config: Config, live: Live, options: LastingOptions) => {
  const { log, engines, metrics, accessFilter, capabilities = [] } = options;
  const key = serverKey(config.serverKeyPath, config.dataPath, log);
  const audit = openAudit(config, key, options);
  const spools = await openSpools(config, log);
  const registry = { states: () => live.now()?.registry.states() ?? [] };
  const ofProcess: ProcessParts = {
    ...{ config, key, log, metrics, registry },
    engineOf: engines.engineOf,
    trail: () => audit.parts?.trail ?? null,
    network: () => live.now()?.networks.get(serverNetworkId) ?? null,
    anonymous: () => (accessFilter ? null : anonymousCaller(live.config(), capabilities)),
    requireDisclosureRules: (changed) => requireDisclosureRules(changed, capabilities),
  };
  const opened = await openAll(capabilities, ofProcess).catch((error: unknown) => {
    audit.close();
    throw error;
  });
  const rules = opened.find(({ access }) => access !== undefined)?.access;
  const members = opened.find((one) => one.members !== undefined)?.members;
  const areRulesStale = (): boolean => live.report.areRulesStale;
  const problems = (): number => live.report.problems.length;
  if (metrics !== null) exportGauges(metrics, { config, areRulesStale, registry, problems });
  const parts: LastingParts = {
    ...{ engine: engines.engine, engineOf: engines.engineOf, members, key: key.thumbprint, log },
    catalogues: localSettings(config, ofProcess, capabilities),
    openAccess: (wanted) => (accessFilter ? null : accessBy(rules, wanted)),
    observerOf: (id) => metrics?.nodeObserver(id) ?? null,
    problem: () => withoutFolders(live.report.problems.join('; ')) || null,
  };
  const app = {
    capabilities: capabilities.map(({ name }) => name),
    routes: opened.flatMap(({ routes }) => routes ?? []),
    doors: doorsOf(capabilities, config.http.doors),
    persisted: openPersistedQueries(),
    ...{ serverKey: key.thumbprint, nameCaller: callerNames(key.derive) },
    ...{ spools, log, audit },
    ...openBounds(config, metrics),
    ...(members !== undefined && { waiting: members.waiting }),
    ...(metrics !== null && { metrics }),
    degradations: () => degradations(config.dataPath, areRulesStale()),
  };
  return {
    ...{ parts, app, audit, opened },
    start: () => opened.forEach(({ start }) => start?.()),
    appOf: ({ reading, registry: catalogues, networks, access }: Server): AppParts => ({
      ...app,
      ...{ registry: catalogues, networks, settings: reading.config.http },
      ...(accessFilter ? { accessFilter } : access),
    }),
    inEffect: (access: AccessConfig | null): void => {
      if (access !== null && !accessFilter) rules?.inEffect(access);
    },
    close: (): void => {
      for (const { close } of opened) close?.();
      audit.close();
    },
  };
};

/** Opens what lasts of each capability. @throws the first error; then nothing of the others stays open */
const openAll = async (
  capabilities: readonly Capability[],
  parts: ProcessParts,
): Promise<readonly OpenCapability[]> => {
  const results = await Promise.allSettled(capabilities.map(async ({ open }) => open?.(parts)));
  const opened = results.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed === undefined) return opened;
  for (const { disconnect, close } of opened) {
    await disconnect?.();
    close?.();
  }
  throw (failed as PromiseRejectedResult).reason;
};

/** @throws TributaryError CONFIG_INVALID, also for an access file that nothing reads: it is never ignored */
const accessBy = (rules: OpenAccess | undefined, { access, catalogues }: Ruled): TokenAccess | null => {
  if (access === null) return null;
  if (rules === undefined) throw withoutAccess(access);
  return rules.of({ access, catalogues });
};

/** What bounds all requests together: the memory that they hold, and the gate where they wait. */
const openBounds = ({ memoryLimitBytes, engine }: Config, metrics: Metrics | null) => {
  const memory = new MemoryAccount(memoryForRequests(memoryLimitBytes));
  const gate = new Gate(capacityOf(engine), usageOfProcess);
  metrics?.watchMemory(memory);
  metrics?.watchGate(gate);
  return { memory, gate };
};

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

/** Where downloads of several files are spooled. A full or read-only disk does not prevent the start. */
const openSpools = async ({ spoolFolder }: Config, log: Logger): Promise<SpoolStorage> => {
  const spools = openSpoolStorage(spoolFolder);
  await spools
    .removeLeftovers()
    .catch((error: unknown) => log.warn({ err: error }, 'leftovers of downloads cannot be removed'));
  return spools;
};

/** The settings of all catalogues, whatever is served. */
const localSettings = (
  { http: { searchTimeoutMs }, dataPath }: Config,
  process: ProcessParts,
  capabilities: readonly Capability[],
): LastingParts['catalogues'] => ({
  setsOf: setStores({ searchTimeoutMs }),
  searchTimeoutMs,
  guard: serveCatalogue(guardOf(capabilities, { dataPath, process })),
  cursors: cursorSeal(process.key.derive('cursors')),
});

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
