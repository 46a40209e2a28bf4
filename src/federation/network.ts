import type { GraphQLFieldConfig, GraphQLSchema } from 'graphql';
import { TributaryError } from '../errors.ts';
import type { Fields } from '../introspection/field.ts';
import type { CatalogueState } from '../local/catalogue.ts';
import type { Caller } from '../local/query.ts';
import { localNode } from './local-node.ts';
import type { NetworkFields } from './network-fields.ts';
import { networkFields } from './network-fields.ts';
import type { NodeReport, NodeSource } from './node-source.ts';
import type { NodeView } from './node-view.ts';
import type { NetworkConfig } from './nodes.ts';
import { remoteNode } from './remote-node.ts';
import { resolveNetwork } from './resolvers.ts';
import { nameCollisions, networkField, networkSchema } from './schema.ts';
import { nodeRootFields } from './supergraph.ts';
import { openTransport } from './transport.ts';

export interface NetworkSettings {
  /** The value of an environment variable, for nodes' credentials. */
  readonly secret: (variable: string) => string | undefined;
  /** The largest answer of a node, in bytes after decompression. */
  readonly maxResponseBytes: number;
  /** How far `offset` + `first` reach, and the largest page. */
  readonly maxResultsWindow: number;
}

export interface NetworkState {
  readonly displayName: string;
  /** False until every remote node answered discovery or its window is over. */
  readonly ready: boolean;
  readonly nodes: readonly NodeReport[];
  /** Conflicts between nodes' fields, names that do not fit. */
  readonly warnings: readonly string[];
}

/** Many nodes as one. */
export interface Network {
  /** Resolves once discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  state(): NetworkState;
  /** The schema of /network/graphql: the same object until the nodes' fields change. */
  schema(): GraphQLSchema;
  /** The root field `network` for a catalogue's own endpoint: the same object until the nodes' fields change. */
  field(): GraphQLFieldConfig<unknown, Caller>;
  close(): Promise<void>;
}

const defaults: NetworkSettings = {
  secret: () => undefined,
  maxResponseBytes: 64 * 1024 * 1024,
  maxResultsWindow: 10_000,
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
  const { secret, maxResponseBytes, maxResultsWindow } = { ...defaults, ...settings };
  const transport = openTransport(maxResponseBytes);
  const sources = config.nodes.map((node): NodeSource =>
    node.source.kind === 'local'
      ? localNode(node, node.source, local)
      : remoteNode(
          node,
          node.source,
          transport,
          credentialOf(config, node.nodeId, node.source.credential, secret),
        ),
  );
  let discovered = false;
  const ready = Promise.all(sources.map((source) => source.ready)).then(() => {
    discovered = true;
  });
  const now = memoized(config, sources, () => {
    if (!discovered) throw new TributaryError('NOT_READY', 'the network is still being discovered; try again soon');
  }, maxResultsWindow); // prettier-ignore
  return {
    ready,
    state: () => ({
      displayName: config.displayName,
      ready: discovered,
      nodes: sources.map((source) => source.report()),
      warnings: now().warnings,
    }),
    schema: () => now().schema(),
    field: () => now().field,
    close: async () => {
      for (const source of sources) source.close();
      await transport.close();
    },
  };
};

/** Everything that follows from the nodes' fields. */
interface Built {
  readonly nodes: readonly NodeView[];
  readonly network: NetworkFields;
  readonly warnings: readonly string[];
  readonly field: GraphQLFieldConfig<unknown, Caller>;
  readonly schema: () => GraphQLSchema;
}

/** The network as it stands, built anew only when some node's fields changed: a catalogue came, went or grew. */
const memoized = (
  config: NetworkConfig,
  sources: readonly NodeSource[],
  assertReady: () => void,
  maxResultsWindow: number,
): (() => Built) => {
  let key: readonly (Fields | null)[] | null = null;
  let built: Omit<Built, 'nodes'> | null = null;
  const now = (): Built => {
    const nodes = sources.map((source) => source.view());
    const fields = nodes.map(({ status }) => (status.kind === 'up' ? status.fields : null));
    if (!built || fields.some((one, index) => one !== key?.[index]))
      built = build(networkFields(config.fields, nodes), nodes);
    key = fields;
    return { ...built, nodes };
  };
  const current = () => {
    assertReady();
    return now();
  };
  const build = (network: NetworkFields, nodes: readonly NodeView[]): Omit<Built, 'nodes'> => {
    const field = networkField(network.fields, resolveNetwork(current, maxResultsWindow));
    let schema: GraphQLSchema | null = null;
    const warnings = [...network.warnings, ...nameCollisions(network.fields)];
    return {
      network,
      warnings,
      field,
      schema: () => (schema ??= networkSchema(field, nodeRootFields(nodes))),
    };
  };
  return now;
};

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
