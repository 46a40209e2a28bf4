import type { Logger } from 'pino';
import type { GraphQLFieldConfig, GraphQLSchema } from 'graphql';
import { asTributaryError } from '../errors/errors.ts';
import type { Fields } from '../introspection/fields/field.ts';
import { buildCatalogueSchema } from '../local/schema/schema.ts';
import type { Catalogue, CatalogueState } from '../search/catalogue.ts';
import type { RequestContext } from '../search/request-context.ts';
import type { CatalogueSettings } from './catalogue/network-catalogue.ts';
import { networkCatalogue, networkDocumentType } from './catalogue/network-catalogue.ts';
import type { NetworkConfig } from './config/nodes.ts';
import { saidEntries } from './catalogue/network-configs.ts';
import type { NetworkFields } from './nodes/network-fields.ts';
import { networkFields } from './nodes/network-fields.ts';
import type { NodeHandle, NodeObserver, NodeView } from './nodes/node-view.ts';
import type { NodeSlots } from './query/node-slots.ts';
import type { NetworkNow } from './schema/resolvers.ts';
import { resolveNetwork } from './schema/resolvers.ts';
import { nameCollisions, networkField, networkSchema } from './schema/schema.ts';
import { planSelection } from './schema/selection.ts';
import type { Supergraph } from './supergraph/supergraph.ts';
import { buildSupergraph, takenRootField } from './supergraph/supergraph.ts';

/** The nodes as they are now, and everything derived from their fields. */
export interface BuiltNetwork extends NetworkNow {
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
  /** Of all queries to nodes, whatever the configuration they began with. */
  readonly slots: NodeSlots;
}

/** A catalogue of this process, as it is now. */
export type LocalCatalogues = (catalogueId: string) => CatalogueState | undefined;

/** The network as it stands, rebuilt only when some node's fields change: a catalogue came, went or grew. */
export const builtNetwork = (
  config: NetworkConfig,
  sources: readonly NodeHandle[],
  local: LocalCatalogues,
  settings: BuildSettings,
): (() => BuiltNetwork) => {
  const lists = declaredLists(config);
  let key: readonly (Fields | null)[] | null = null;
  let built: Omit<BuiltNetwork, 'nodes'> | null = null;
  const now = (): BuiltNetwork => {
    const nodes = sources.map((source) => source.view());
    const fields = nodes.map(({ status }) => (status.kind === 'up' ? status.fields : null));
    if (!built || fields.some((one, index) => one !== key?.[index])) {
      const network = networkFields(config.fields, nodes, lists);
      const field = networkField(network.fields, resolveNetwork(now, settings.strictFilters));
      const served = servedCatalogue(config, { nodes, network }, local, now, settings);
      built = build(network, nodes, field, served, settings);
    }
    key = fields;
    return { ...built, nodes };
  };
  return now;
};

interface Served {
  readonly catalogue: Catalogue | null;
  /** Why it is not served like a catalogue, and which nodes lose their root fields to it. */
  readonly warnings: readonly string[];
}

const servedCatalogue = (
  config: NetworkConfig,
  { nodes, network }: { readonly nodes: readonly NodeView[]; readonly network: NetworkFields },
  local: LocalCatalogues,
  now: () => NetworkNow,
  settings: BuildSettings,
): Served => {
  const documentType = networkDocumentType(config, local);
  if (documentType.kind === 'none') return { catalogue: null, warnings: [documentType.warning] };
  const catalogue = networkCatalogue(config, documentType.name, { nodes, network }, now, settings);
  try {
    // tried here, as at a catalogue
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

const build = (
  network: NetworkFields,
  nodes: readonly NodeView[],
  field: BuiltNetwork['field'],
  { catalogue, warnings }: Served,
  { maxResultsWindow, key, slots }: BuildSettings,
): Omit<BuiltNetwork, 'nodes'> => {
  const ownWarnings = [
    ...network.warnings,
    ...nameCollisions(network.fields),
    ...saidEntries(network, nodes).warnings,
    ...warnings,
  ];
  const settings = {
    maxResultsWindow,
    countMatches: nodes.some(({ config }) => config.unavailableBucket),
  };
  let own: GraphQLSchema | null = null;
  const ownSchema = (): GraphQLSchema =>
    (own ??= catalogue === null ? networkSchema(field) : buildCatalogueSchema(catalogue, { network: field }));
  let whole: Supergraph | null = null;
  return {
    network,
    key,
    merging: { tookMs: 0 },
    slots,
    select: (info) => planSelection(info, network, settings),
    field,
    catalogue,
    warnings: () => [...new Set([...ownWarnings, ...(whole?.warnings ?? [])])],
    ownSchema,
    schema: () => (whole ??= buildSupergraph(ownSchema(), nodes)).schema,
  };
};

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
  /** How long queries wait for discovery, in milliseconds; nodes that take longer join later. */
  readonly readyWaitMs: number;
  /** How often a healthy node is asked whether it offers anything new, in milliseconds. */
  readonly recheckMs: number;
}
