import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GraphQLFieldConfig, GraphQLSchema } from 'graphql';
import { maxAnswerBytes } from '../lib/net/bodies.ts';
import { noSwitches, type PortalConfigs } from '../introspection/fields/catalogue-config.ts';
import type { Fields } from '../introspection/fields/field.ts';
import type { Catalogue, CatalogueState } from '../search/catalogue.ts';
import type { RequestContext } from '../search/request-context.ts';
import { networkConfigs } from './catalogue/network-configs.ts';
import type { DownloadSource } from '../local/download/open-download.ts';
import { networkFiles } from './download/network-files.ts';
import { fieldReports, type FieldReport } from './nodes/network-fields.ts';
import { errorCodes } from '../lib/errors/errors.ts';
import type { NodeObserver, NodeReport, NodeView } from './nodes/node-view.ts';
import { changesBetween, type NetworkConfig } from './config/nodes.ts';
import type { NetworkSettings, BuiltNetwork, OpenNode, OpenNodes } from './open-nodes.ts';
import { logChange, openNodes } from './open-nodes.ts';
import { maxRequestsInFlight } from './query/fanout.ts';
import { openSemaphore } from '../lib/concurrency/locks.ts';
import { openTransport, type Transport } from './remote/http-executor.ts';

export interface NetworkState {
  readonly displayName: string;
  /** Whether it is open. */
  readonly ready: boolean;
  readonly configuration: ConfigurationState;
  readonly nodes: readonly NodeReport[];
  /** Nodes of this server whose fields are not known yet, since their engine has been away from the start. */
  readonly unopened: readonly string[];
  /** Conflicts between nodes' fields, and names that are not valid. */
  readonly warnings: readonly string[];
  /** The network's fields and how each node covers them. */
  readonly fields: readonly FieldReport[];
  /** Its fields, and their configs for portals, in the form of a catalogue's. */
  readonly portal: {
    readonly fields: Fields;
    readonly configs: PortalConfigs;
  };
}

/** Since when the current configuration is served, and what was wrong with its files when last read. */
export interface ConfigurationState {
  /** ISO 8601. */
  readonly since: string;
  /** null: the files are in effect. */
  readonly problem: string | null;
}

/** Many nodes queried as one. */
export interface Network {
  /** Resolves once discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  /** Resolves once it is open; never rejects. */
  readonly opened: Promise<void>;
  /**
   * Whether it is described and queried: discovery has ended, or `readyWaitMs` are over. Nodes that have not been
   * discovered by then do not delay the others: answers list them as `discovering`.
   */
  isOpen(): boolean;
  state(): NetworkState;
  readonly config: NetworkConfig;
  /** The nodes as they are now, in file order. */
  readonly nodes: () => readonly NodeView[];
  /** The network as a catalogue; null until it is open, and when its documents have no common name. */
  catalogue(): Catalogue | null;
  /** The network's own root fields, for documents that name no node: the same object until the fields change. */
  ownSchema(): GraphQLSchema;
  /** The schema of /network/graphql, including the nodes: built on first use, then cached in the same way. */
  schema(): GraphQLSchema;
  /** The root field `network` for a catalogue's own endpoint: the same object until the nodes' fields change. */
  field(): GraphQLFieldConfig<unknown, RequestContext>;
  /**
   * The records of all nodes as they are now, as files.
   * @param pageRows how many rows of each node are held in memory at a time, unless the network's file says so
   */
  files(context: RequestContext, pageRows: number): DownloadSource;
  /** What the network that takes the place of this one takes over. */
  readonly inUse: NetworkInUse;
  /**
   * Ends what this network has and another does not, which takes its place or stays in it. Queries in progress end on the
   * nodes they began with.
   */
  retire(inFavourOf: Network): void;
  close(): Promise<void>;
}

/** A network's nodes, and what lasts while its configuration changes. */
export interface NetworkInUse {
  readonly nodes: OpenNodes;
  readonly transport: Transport;
  readonly observer: NodeObserver;
  readonly own: Pick<NetworkSettings, 'key' | 'slots'>;
  /** The name by which its nodes are logged. */
  readonly named: { name: string };
}

/** The network whose place another takes. */
export interface NetworkBefore {
  readonly network: Network;
  /** Its nodes that are to be discovered again. */
  readonly again?: ReadonlySet<string>;
}

const defaults: Omit<NetworkSettings, 'key' | 'slots'> = {
  secret: () => undefined,
  maxResponseBytes: maxAnswerBytes,
  maxResultsWindow: 10_000,
  strictFilters: false,
  switches: noSwitches,
  downloads: { allowCustomMaxRows: false, rowCap: null },
  problem: () => null,
  log: null,
  observer: null,
  readyWaitMs: 2_000,
  recheckMs: 3_600_000,
};

/**
 * Opens a network and starts the discovery of its remote nodes, all at once.
 * @param local the state of a catalogue of this process, looked up for every query
 * @param before the network in whose place it is to be served: unchanged entries keep what is known about them, including
 *   failures
 * @throws TributaryError CONFIG_INVALID when a credential's variable is not set
 */
export const openNetwork = (
  config: NetworkConfig,
  local: (catalogueId: string) => CatalogueState | undefined,
  settings: Partial<NetworkSettings> = {},
  before: NetworkBefore | null = null,
): Network => {
  const { own, transport, observer, named } = before?.network.inUse ?? newInUse(config, settings);
  named.name = config.displayName;
  const all = { ...defaults, ...settings, ...own };
  const nodes = openNodes(config, before === null ? [] : nodesBefore(before), {
    local,
    transport,
    observer,
    settings: all,
  });
  const open = flagOf(withinWait(nodes.ready, all.readyWaitMs));
  const files: Network['files'] = (context, pageRows) => {
    const now = nodes.now();
    const table = networkConfigs(config, now, all);
    const downloaded = { ...all, ...now, config: table, catalogue: local };
    return networkFiles(downloaded, context, config.sections?.downloads?.chunkSize ?? pageRows);
  };
  const endBut = (others: readonly OpenNode[]): void => {
    const left = new Set(others.map(({ handle }) => handle));
    for (const { handle } of nodes.nodes) if (!left.has(handle)) handle.close();
  };
  return {
    ready: Promise.all([nodes.ready, open.set]).then(() => undefined),
    opened: open.set,
    isOpen: open.isSet,
    config,
    state: () => stateOf(config, nodes, open.isSet(), all),
    nodes: () => nodes.now().nodes,
    catalogue: () => (open.isSet() ? nodes.now().catalogue : null),
    ownSchema: () => nodes.now().ownSchema(),
    schema: () => nodes.now().schema(),
    field: () => nodes.now().field,
    files,
    inUse: { nodes, transport, observer, own, named },
    retire: ({ inUse, config: { displayName } }) => {
      named.name = displayName;
      endBut(inUse.nodes.nodes);
    },
    close: async () => {
      endBut([]);
      await transport.close();
    },
  };
};

const newInUse = (
  { displayName }: NetworkConfig,
  settings: Partial<NetworkSettings>,
): Omit<NetworkInUse, 'nodes'> => {
  const { key = randomBytes(32).toString('base64url'), slots = openSemaphore(maxRequestsInFlight) } =
    settings;
  const named = { name: displayName };
  return {
    transport: openTransport(settings.maxResponseBytes ?? defaults.maxResponseBytes),
    observer: notifyAll(() => named.name, { ...defaults, ...settings }),
    own: { key, slots },
    named,
  };
};

/**
 * What a network changes that has taken the place of another.
 * @param again nodes that were discovered again
 * @returns one line for each node; none for an equal configuration
 */
export const networkChanges = (
  before: Network,
  after: Network,
  again: ReadonlySet<string> = new Set(),
): readonly string[] => [
  ...changesBetween(before.config, after.config),
  ...discoveredAgain(after.inUse.nodes, again),
];

/** The nodes without those that are to be discovered again. */
const nodesBefore = ({ network, again = new Set() }: NetworkBefore): readonly OpenNode[] =>
  network.inUse.nodes.nodes.filter(({ config }) => !again.has(config.nodeId));

/** The states of nodes that were rediscovered. */
const discoveredAgain = ({ reports }: OpenNodes, again: ReadonlySet<string>): readonly string[] =>
  reports()
    .filter(({ nodeId }) => again.has(nodeId))
    .map(({ nodeId, state, lastError }) => `node "${nodeId}" was discovered again: ${lastError ?? state}`);

const stateOf = (
  config: NetworkConfig,
  { reports, now, since }: OpenNodes,
  ready: boolean,
  settings: NetworkSettings,
): NetworkState => ({
  displayName: config.displayName,
  ready,
  configuration: { since, problem: settings.problem() },
  get nodes() {
    return reports();
  },
  get unopened() {
    return now().nodes.flatMap(({ config: { nodeId, source }, status }) =>
      source.kind === 'local' && status.kind === 'down' && errorCodes[status.code].status >= 500
        ? [nodeId]
        : [],
    );
  },
  get warnings() {
    return warningsOf(config, now());
  },
  get fields() {
    const { network, nodes } = now();
    return fieldReports(network, nodes);
  },
  get portal() {
    const built = now();
    return { fields: built.network.fields, configs: networkConfigs(config, built, settings) };
  },
});

/** Problems of a network that are not failures. */
const warningsOf = (config: NetworkConfig, built: BuiltNetwork): readonly string[] => [
  ...(config.warnings ?? []),
  ...built.warnings(),
];

/** Whether a promise, which never rejects, has resolved. */
const flagOf = (promise: Promise<void>): { readonly set: Promise<void>; readonly isSet: () => boolean } => {
  let is = false;
  const set = promise.then(() => {
    is = true;
  });
  return { set, isSet: () => is };
};

/** Resolves once discovery has ended or the wait is over, and leaves no timer behind. */
const withinWait = async (ready: Promise<void>, waitMs: number): Promise<void> => {
  const ended = new AbortController();
  const wait = sleep(waitMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
  await Promise.race([ready, wait]);
  ended.abort();
};

const notifyAll = (
  network: () => string,
  { log, observer }: Pick<NetworkSettings, 'log' | 'observer'>,
): NodeObserver => ({
  changed: (change) => {
    if (log) logChange(log, network(), change);
    observer?.changed(change);
  },
  called: (call) => observer?.called(call),
});
