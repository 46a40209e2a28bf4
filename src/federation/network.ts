import type { GraphQLFieldConfig, GraphQLSchema } from 'graphql';
import { maxAnswerBytes } from '../max-answer-bytes.ts';
import { TributaryError } from '../errors.ts';
import type { DownloadsConfig, PortalConfigs } from '../introspection/fields/catalogue-config.ts';
import type { Fields } from '../introspection/fields/field.ts';
import type { CatalogueState } from '../search/catalogue.ts';
import type { Caller } from '../search/query.ts';
import type { BuildSettings, BuiltNetwork } from './built-network.ts';
import { builtNetwork } from './built-network.ts';
import { networkConfigs } from './catalogue/network-configs.ts';
import type { NetworkDownload, NetworkDownloadOptions } from './download/open-network-download.ts';
import { openNetworkDownload } from './download/open-network-download.ts';
import { unknownTypes } from './nodes/declared-names.ts';
import type { FieldReport } from './nodes/field-report.ts';
import { fieldReports } from './nodes/field-report.ts';
import { localNode } from './nodes/local-node.ts';
import type { NetworkLog } from './nodes/log-nodes.ts';
import { logChange, logWarnings } from './nodes/log-nodes.ts';
import type { NodeObserver, NodeReport, NodeHandle } from './nodes/node-handle.ts';
import type { NetworkConfig } from './config/nodes.ts';
import { remoteNode } from './nodes/remote-node.ts';
import type { NetworkNow } from './schema/resolvers.ts';
import { openTransport } from './remote/transport.ts';

export interface NetworkSettings extends BuildSettings {
  /** The value of an environment variable, for nodes' credentials. */
  readonly secret: (variable: string) => string | undefined;
  /** The largest response accepted from a node, in bytes after decompression. */
  readonly maxResponseBytes: number;
  /** The row limit of a download. */
  readonly downloads: DownloadsConfig;
  /** One line per change of a node's state, plus the start-up messages. */
  readonly log: NetworkLog | null;
  /** Notified of every call to a node and every change of its state. */
  readonly observer: NodeObserver | null;
}

export interface NetworkState {
  readonly displayName: string;
  /** False until every remote node has answered discovery or its discovery window has elapsed. */
  readonly ready: boolean;
  readonly nodes: readonly NodeReport[];
  /** Conflicts between nodes' fields, and names that are not valid. */
  readonly warnings: readonly string[];
  /** The network's fields and how each node covers them. */
  readonly fields: readonly FieldReport[];
  /** Its fields, and what a portal is told of them, as of a catalogue. */
  readonly portal: { readonly fields: Fields; readonly configs: PortalConfigs };
}

/** Many nodes queried as one. */
export interface Network {
  /** Resolves once discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  state(): NetworkState;
  /** The nodes that are catalogues of this process: node id -> catalogue id. */
  readonly catalogues: ReadonlyMap<string, string>;
  /** The root field `network` alone, for documents that name no node: the same object until the fields change. */
  ownSchema(): GraphQLSchema;
  /** The schema of /network/graphql, including the nodes: built on first use, then cached in the same way. */
  schema(): GraphQLSchema;
  /** The root field `network` for a catalogue's own endpoint: the same object until the nodes' fields change. */
  field(): GraphQLFieldConfig<unknown, Caller>;
  /**
   * Files of all nodes' records, as openNetworkDownload makes them.
   * @throws TributaryError NOT_READY while discovery runs, and whatever openNetworkDownload throws
   */
  download(sent: unknown, caller: Caller, options: NetworkDownloadOptions): Promise<NetworkDownload>;
  close(): Promise<void>;
}

const defaults: NetworkSettings = {
  secret: () => undefined,
  maxResponseBytes: maxAnswerBytes,
  maxResultsWindow: 10_000,
  strictFilters: false,
  downloads: { allowCustomMaxRows: false, maxRows: null },
  log: null,
  observer: null,
};

/**
 * Opens a network and starts the discovery of its remote nodes, all at once.
 * @param local the state of a catalogue of this process, looked up for every query
 * @throws TributaryError CONFIG_INVALID when a credential's variable is not set
 */
export const openNetwork = (
  config: NetworkConfig,
  local: (catalogueId: string) => CatalogueState | undefined,
  settings: Partial<NetworkSettings> = {},
): Network => {
  const all = { ...defaults, ...settings };
  const { secret, maxResponseBytes, log, observer } = all;
  const transport = openTransport(maxResponseBytes);
  const told = tellAll(config.displayName, log, observer);
  const sources = config.nodes.map((node): NodeHandle => {
    const { source } = node;
    if (source.kind === 'local') return localNode(node, source, local, told);
    return remoteNode(
      node,
      source,
      transport,
      credentialOf(config, node.nodeId, source.credential, secret),
      told,
    );
  });
  let discovered = false;
  const assertReady = (): void => {
    if (!discovered)
      throw new TributaryError('NOT_READY', 'the network is still being discovered; try again soon');
  };
  const now = builtNetwork(config, sources, assertReady, all);
  const ready = Promise.all(sources.map((source) => source.ready))
    .then(() => {
      discovered = true;
      if (log) logWarnings(log, config.displayName, sources, [...unknownTypes(config), ...now().warnings()]);
    })
    // every query reports it again; awaiting the nodes must not fail because of it
    .catch((error: unknown) =>
      log?.warn({ network: config.displayName, err: error }, 'network cannot be built'),
    );
  return {
    ready,
    catalogues: new Map(
      config.nodes.flatMap(({ nodeId, source }) =>
        source.kind === 'local' ? [[nodeId, source.catalogueId] as const] : [],
      ),
    ),
    state: () => stateOf(config, sources, discovered, now, all),
    ownSchema: () => now().ownSchema(),
    schema: () => now().schema(),
    field: () => now().field,
    download: (sent, caller, options) =>
      downloadOf(config, local, all, () => {
        assertReady();
        return now();
      })(sent, caller, options),
    close: async () => {
      for (const source of sources) source.close();
      await transport.close();
    },
  };
};

const stateOf = (
  config: NetworkConfig,
  sources: readonly NodeHandle[],
  ready: boolean,
  now: () => BuiltNetwork,
  settings: NetworkSettings,
): NetworkState => ({
  displayName: config.displayName,
  ready,
  get nodes() {
    return sources.map((source) => source.report());
  },
  get warnings() {
    return [...unknownTypes(config), ...now().warnings()];
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

const downloadOf =
  (
    file: NetworkConfig,
    catalogue: (catalogueId: string) => CatalogueState | undefined,
    { downloads, maxResultsWindow, strictFilters }: NetworkSettings,
    now: () => Pick<NetworkNow, 'nodes' | 'network'>,
  ): Network['download'] =>
  async (sent, caller, options) => {
    const { nodes, network } = now();
    const config = networkConfigs(file, { nodes, network }, { downloads, maxResultsWindow });
    const asItStands = {
      displayName: file.displayName,
      documentType: 'network',
      nodes,
      network,
      config,
      catalogue,
    };
    const settings = { maxResultsWindow, strictFilters };
    const pageRows = file.sections?.downloads?.chunkSize ?? options.pageRows;
    return openNetworkDownload(sent, { ...asItStands, ...settings }, caller, { ...options, pageRows });
  };

const tellAll = (network: string, log: NetworkLog | null, observer: NodeObserver | null): NodeObserver => ({
  changed: (change) => {
    if (log) logChange(log, network, change);
    observer?.changed(change);
  },
  called: (call) => observer?.called(call),
});

const credentialOf = (
  config: NetworkConfig,
  nodeId: string,
  credential: { readonly header: string; readonly variable: string } | null,
  secret: NetworkSettings['secret'],
): Readonly<Record<string, string>> => {
  if (!credential) return {};
  const value = secret(credential.variable);
  if (value) return { [credential.header]: value };
  throw new TributaryError(
    'CONFIG_INVALID',
    `${config.where}: node "${nodeId}": credential.env names ${credential.variable}, which is not set`,
  );
};
