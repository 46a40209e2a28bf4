import { isDeepStrictEqual } from 'node:util';
import { asTributaryError, invalidConfig, TributaryError } from '../lib/errors/errors.ts';
import type { CatalogueState, Catalogue } from '../search/catalogue.ts';
import type { NetworkConfig, NodeConfig, RemoteSource } from './config/nodes.ts';
import { networkFields, type NetworkFields } from './nodes/network-fields.ts';
import { localNode } from './nodes/local-node.ts';
import type { NodeHandle, NodeObserver, NodeChange, NodeReport, NodeView } from './nodes/node-view.ts';
import { RemoteNode } from './nodes/remote-node.ts';
import { repeatedNodes } from './remote/network-node.ts';
import { tunnelTransport, type Transport, type Tunnel } from './remote/http-executor.ts';
import type { TrackedState } from '../search/node-states.ts';
import type { Logger } from 'pino';
import type { GraphQLFieldConfig, GraphQLSchema } from 'graphql';
import type { Fields } from '../introspection/fields/field.ts';
import { buildCatalogueSchema } from '../local/schema/schema.ts';
import type { RequestContext } from '../search/request-context.ts';
import { networkSearch } from './catalogue/network-search.ts';
import type { NetworkSnapshot } from './catalogue/query-network.ts';
import type { CatalogueSettings } from './catalogue/network-catalogue.ts';
import { networkCatalogue, networkDocumentType } from './catalogue/network-catalogue.ts';
import { refusedDefaults } from './catalogue/network-configs.ts';
import { convertedView, isConverted } from './conversion/converted-node.ts';
import type { Semaphore } from '../lib/concurrency/locks.ts';
import { resolveNetwork, nameCollisions, networkField, networkSchema } from './schema/schema.ts';
import { buildSupergraph, takenRootField, type Supergraph } from './supergraph/supergraph.ts';

/** A node with all that it was opened from. */
export interface OpenNode {
  readonly config: NodeConfig;
  /** The header with this server's credential for it; empty: none. */
  readonly credential: Readonly<Record<string, string>>;
  readonly handle: NodeHandle;
}

/** The nodes of one configuration, and what was built from them. */
export interface OpenNodes {
  /** In file order. */
  readonly nodes: readonly OpenNode[];
  readonly now: () => BuiltNetwork;
  readonly reports: () => readonly NodeReport[];
  /** Resolves once discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  /** ISO 8601. */
  readonly since: string;
}

/** What the nodes of one configuration share with those of the next configuration. */
export interface NodeSurroundings {
  readonly local: (catalogueId: string) => CatalogueState | undefined;
  readonly transport: Transport;
  readonly observer: NodeObserver;
  readonly settings: NetworkSettings;
}

/**
 * @param before nodes in use: those with an equal entry are taken over
 * @throws TributaryError CONFIG_INVALID when a credential's variable is not set; no discovery has started then
 */
export const openNodes = (
  config: NetworkConfig,
  before: readonly OpenNode[],
  surroundings: NodeSurroundings,
): OpenNodes => {
  const { local, settings } = surroundings;
  const { log, secret } = settings;
  const entries = config.nodes.map((node) => ({
    config: node,
    credential: credentialOf(config, node, secret),
  }));
  const { nodes, added } = openEntries(entries, before, surroundings);
  // the table's window limits what portals reach
  const maxResultsWindow = config.sections?.table?.maxResultsWindow ?? settings.maxResultsWindow;
  const handles = nodes.map(({ handle }) => handle);
  const now = builtNetwork(config, nodes, local, { ...settings, maxResultsWindow });
  const reports = () => now().nodes.map((node, at) => reportOf(handles[at]!.report(), node));
  const ready = Promise.all(handles.map((handle) => handle.ready))
    .then(() => {
      if (!log) return;
      for (const [at, { nodeId: node, state, lastErrorCode: code, lastError: reason }] of reports().entries())
        if (state !== handles[at]!.report().state)
          log.warn({ network: config.displayName, node, state, code, reason }, messages[state]);
      logWarnings(log, config.displayName, added, now().warnings());
    })
    // every query reports it again; awaiting the nodes must not fail because of it
    .catch((error: unknown) =>
      log?.warn({ network: config.displayName, err: error }, 'network cannot be built'),
    );
  return { nodes, now, reports, ready, since: new Date().toISOString() };
};

/**
 * The nodes, and those of them that were not there before. Apart, as no closure of the nodes may keep those before them in
 * memory.
 */
const openEntries = (
  entries: readonly Omit<OpenNode, 'handle'>[],
  before: readonly OpenNode[],
  { local, transport, observer, settings }: NodeSurroundings,
): { readonly nodes: readonly OpenNode[]; readonly added: readonly NodeHandle[] } => {
  const { key, recheckMs } = settings;
  const known = new Map(before.map((node) => [node.config.nodeId, node]));
  const open = ({ config, credential }: Omit<OpenNode, 'handle'>): NodeHandle => {
    const { source, nodeId } = config;
    if (source.kind === 'local') return localNode(config, source, local, observer, key);
    const way = wayTo(nodeId, source, { transport, settings });
    return new RemoteNode({ config, source, ...way, credential, observer, recheckMs });
  };
  const nodes = entries.map((entry): OpenNode => {
    const { handle, ...same } = known.get(entry.config.nodeId) ?? {};
    if (handle === undefined || !isDeepStrictEqual(same, entry)) return { ...entry, handle: open(entry) };
    return { ...entry, handle: handle.over?.(local) ?? handle };
  });
  const handlesBefore = before.map(({ handle }) => handle);
  const added = nodes.map(({ handle }) => handle).filter((handle) => !handlesBefore.includes(handle));
  return { nodes, added };
};

/** How requests reach a remote node: at its address, or through its tunnel. */
const wayTo = (
  nodeId: string,
  { dialsIn }: RemoteSource,
  { transport, settings }: Pick<NodeSurroundings, 'transport' | 'settings'>,
): { readonly transport: Transport; readonly tunnel: Tunnel | null } => {
  if (dialsIn === undefined) return { transport, tunnel: null };
  const tunnel =
    dialsIn.key === null ? closedTunnel : (settings.tunnelTo?.(nodeId, dialsIn.key) ?? closedTunnel);
  return { transport: tunnelTransport(tunnel, transport.maxResponseBytes), tunnel };
};

/** The tunnel of a node that has not been accepted, and of all nodes that dial in where nothing listens for them. */
const closedTunnel: Tunnel = {
  dispatcher: {
    dispatch: () => {
      throw new TributaryError('NODE_DISCONNECTED', 'has not dialled in');
    },
  },
  isConnected: () => false,
  absence: () => 'has not dialled in',
  onChange: () => () => undefined,
};

const credentialOf = (
  { where }: NetworkConfig,
  { nodeId, source }: NodeConfig,
  secret: NetworkSettings['secret'],
): Readonly<Record<string, string>> => {
  if (source.kind === 'local' || source.credential === null) return {};
  const { header, variable } = source.credential;
  const value = secret(variable);
  if (value) return { [header]: value };
  throw invalidConfig(`${where}: node "${nodeId}": credential.env names ${variable}, which is not set`);
};

const messages: Readonly<Record<TrackedState, string>> = {
  discovering: 'node is being discovered',
  ok: 'node is well',
  failing: 'node fails',
  discoveryFailed:
    'node failed discovery and is not queried until its entry changes, its "rediscover" is over or the server restarts',
  unavailable: 'node is unavailable',
  circuitOpen: 'node paused after repeated failures',
  disconnected: 'node is not connected: it dials in',
  invited: 'node has not been accepted yet',
};

/** One line per change: the node, its new state with reason and time, its previous state and its start. */
export const logChange = (log: NetworkLog, network: string, change: NodeChange): void => {
  const { nodeId, kind, state, code, reason, since, was, wasSince } = change;
  const failure = code === null ? {} : { code, reason };
  const line = { network, node: nodeId, kind, state, ...failure, since, was, wasSince };
  if (state === 'ok') log.info(line, was === 'discovering' ? 'node joined' : 'node recovered');
  else log.warn(line, messages[state]);
};

/** The warnings left by discovery: field conflicts, guesses. */
const logWarnings = (
  log: NetworkLog,
  network: string,
  added: readonly NodeHandle[],
  ofFields: readonly string[],
): void => {
  for (const { nodeId, warnings } of added.map((handle) => handle.report()))
    for (const warning of warnings) log.warn({ network, node: nodeId }, `node has a warning: ${warning}`);
  for (const warning of ofFields) log.warn({ network }, `network has a warning: ${warning}`);
};

/** The nodes as they are now, and everything derived from their fields. */
export interface BuiltNetwork extends NetworkSnapshot {
  readonly warnings: () => readonly string[];
  readonly field: GraphQLFieldConfig<unknown, RequestContext>;
  /** The network as a catalogue; null when its documents have no common name. */
  readonly catalogue: Catalogue | null;
  /** The network's own root fields, and the schema that also holds the nodes themselves; built on first use. */
  readonly ownSchema: () => GraphQLSchema;
  readonly schema: () => GraphQLSchema;
}

export interface BuildSettings extends CatalogueSettings {
  /** The key of this server. */
  readonly key: string;
  /** Shared by all queries to nodes, whatever configuration they began with. */
  readonly slots: Semaphore;
}

/** The current state of a catalogue of this process. */
export type LocalCatalogues = (catalogueId: string) => CatalogueState | undefined;

/** The current network, rebuilt only when some node's fields change: a catalogue appeared, disappeared or grew. */
const builtNetwork = (
  config: NetworkConfig,
  open: readonly OpenNode[],
  local: LocalCatalogues,
  settings: BuildSettings,
): (() => BuiltNetwork) => {
  const views = open.map(({ config: node, handle }) =>
    isConverted(node) ? () => convertedView(handle.view()) : () => handle.view(),
  );
  let key: readonly (Fields | null)[] | null = null;
  let built: Omit<BuiltNetwork, 'nodes'> | null = null;
  const now = (): BuiltNetwork => {
    const nodes = withoutRepeated(views.map((view) => view()));
    const fields = nodes.map(({ status }) => (status.kind === 'up' ? status.fields : null));
    if (!built || fields.some((field, index) => field !== key?.[index]))
      built = build(config, nodes, local, now, settings);
    key = fields;
    return { ...built, nodes };
  };
  return now;
};

const build = (
  config: NetworkConfig,
  nodes: readonly NodeView[],
  local: LocalCatalogues,
  now: () => BuiltNetwork,
  settings: BuildSettings,
): Omit<BuiltNetwork, 'nodes'> => {
  const { displayName } = config;
  const { key, slots } = settings;
  const lists = declaredLists(config);
  const network = networkFields(config.fields, nodes, lists, config.hierarchies, declaredUnits(config));
  const field = networkField(network.fields, resolveNetwork(networkSearch(now, settings)));
  const { catalogue, warnings } = servedCatalogue(config, { nodes, network }, local, now, settings);
  const ofNetwork = [
    ...network.warnings,
    ...nameCollisions(network.fields),
    ...warnings,
    ...refusedDefaults(config, network),
  ];
  let ownSchema: GraphQLSchema | null = null;
  const schemaOfNetwork = (): GraphQLSchema =>
    (ownSchema ??=
      catalogue === null ? networkSchema(field) : buildCatalogueSchema(catalogue, { network: field }));
  let whole: Supergraph | null = null;
  return {
    ...{ network, displayName, key, slots, field, catalogue },
    merging: { tookMs: 0 },
    warnings: () => [...new Set([...ofNetwork, ...(whole?.warnings ?? [])])],
    ownSchema: schemaOfNetwork,
    schema: () => (whole ??= buildSupergraph(schemaOfNetwork(), nodes, { displayName, key })).schema,
  };
};

/** The nodes; one that leads to an institution that an earlier one leads to has failed discovery. */
const withoutRepeated = (nodes: readonly NodeView[]): readonly NodeView[] => {
  const refused = repeatedNodes(
    nodes.map(({ config, status }) => [config.nodeId, (status.kind === 'up' && status.institutions) || []]),
  );
  return nodes.map((node) => {
    const reason = refused.get(node.config.nodeId);
    if (reason === undefined) return node;
    return { ...node, status: { kind: 'down', code: 'NODE_DISCOVERY_FAILED', reason } };
  });
};

/** The report of a node, as failed if it is refused since its discovery. */
const reportOf = (report: NodeReport, { status }: NodeView): NodeReport =>
  status.kind === 'up' || status.code !== 'NODE_DISCOVERY_FAILED' || report.state === 'discoveryFailed'
    ? report
    : { ...report, state: 'discoveryFailed', lastError: status.reason, lastErrorCode: status.code };

interface Served {
  readonly catalogue: Catalogue | null;
  /** Why it is not served like a catalogue, and which nodes lose their root fields because of it. */
  readonly warnings: readonly string[];
}

const servedCatalogue = (
  config: NetworkConfig,
  { nodes, network }: { readonly nodes: readonly NodeView[]; readonly network: NetworkFields },
  local: LocalCatalogues,
  now: () => NetworkSnapshot,
  settings: BuildSettings,
): Served => {
  const documentType = networkDocumentType(config, local);
  if (documentType.kind === 'none') return { catalogue: null, warnings: [documentType.warning] };
  const catalogue = networkCatalogue(config, documentType.name, { nodes, network }, now, settings);
  try {
    // built here to report errors, as for a catalogue
    const taken = buildCatalogueSchema(catalogue).getQueryType()!.getFields();
    return { catalogue, warnings: config.nodes.flatMap(({ nodeId }) => takenRootField(nodeId, taken) ?? []) };
  } catch (error) {
    const { message } = asTributaryError(error);
    return {
      catalogue: null,
      warnings: [`${config.where}: the network is not served like a catalogue: ${message}`],
    };
  }
};

const declaredLists = ({ sections }: NetworkConfig): ReadonlySet<string> =>
  new Set(sections?.extended?.flatMap(({ fieldName, isArray }) => (isArray === true ? [fieldName] : [])));

const declaredUnits = ({ sections }: NetworkConfig): ReadonlyMap<string, string | null> =>
  new Map(
    sections?.extended?.flatMap(({ fieldName, unit }) => (unit === undefined ? [] : [[fieldName, unit]])),
  );

/** The destination of a network's log lines: JSON, one per event. */
export type NetworkLog = Pick<Logger, 'info' | 'warn'>;

export interface NetworkSettings extends BuildSettings {
  /** The value of an environment variable, for nodes' credentials. */
  readonly secret: (variable: string) => string | undefined;
  /** The largest response accepted from a node, in bytes after decompression. */
  readonly maxResponseBytes: number;
  /** One line per change of a node's state, plus the start-up messages. */
  readonly log: NetworkLog | null;
  /** Notified of every call to a node and every change of its state. */
  readonly observer: NodeObserver | null;
  /** How long queries wait for the first discovery, in milliseconds; nodes that take longer join later. */
  readonly readyWaitMs: number;
  /** The tunnel of a node that dials in; unset: nothing listens for such nodes. */
  readonly tunnelTo?: ((nodeId: string, key: string) => Tunnel) | undefined;
  /** How often a healthy node is rediscovered, in milliseconds. */
  readonly recheckMs: number;
  /** The problem with configuration files that are not in effect; null: they are. */
  readonly problem: () => string | null;
}
