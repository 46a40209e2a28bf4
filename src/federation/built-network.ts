import type { GraphQLFieldConfig, GraphQLSchema } from 'graphql';
import type { Fields } from '../introspection/fields/field.ts';
import type { Caller } from '../search/query.ts';
import { memoizePerDocument } from '../graphql/memoize-per-document.ts';
import { saidEntries } from './catalogue/said-entries.ts';
import { planCache } from './query/plan-cache.ts';
import type { NetworkFields } from './nodes/network-fields.ts';
import { networkFields } from './nodes/network-fields.ts';
import type { NodeHandle } from './nodes/node-handle.ts';
import type { NodeView } from './nodes/node-view.ts';
import type { NetworkConfig } from './config/nodes.ts';
import type { NetworkNow } from './schema/resolvers.ts';
import { resolveNetwork } from './schema/resolvers.ts';
import { nameCollisions, networkField, networkSchema } from './schema/schema.ts';
import { planSelection } from './schema/selection.ts';
import type { Supergraph } from './supergraph/supergraph.ts';
import { buildSupergraph } from './supergraph/supergraph.ts';

/** The nodes as they are now, and everything derived from their fields. */
export interface BuiltNetwork extends NetworkNow {
  readonly warnings: () => readonly string[];
  readonly field: GraphQLFieldConfig<unknown, Caller>;
  /** The root field alone, and the schema that also holds the nodes themselves; built on first use. */
  readonly ownSchema: () => GraphQLSchema;
  readonly schema: () => GraphQLSchema;
}

export interface BuildSettings {
  /** The limit on `offset` + `first`, and the largest page. */
  readonly maxResultsWindow: number;
  /** A filter on a field that no node has is an error instead of a warning. */
  readonly strictFilters: boolean;
}

/**
 * The network as it stands, rebuilt only when some node's fields change: a catalogue came, went or grew.
 * @param assertReady throws while queries cannot be answered yet
 */
export const builtNetwork = (
  config: NetworkConfig,
  sources: readonly NodeHandle[],
  assertReady: () => void,
  { maxResultsWindow, strictFilters }: BuildSettings,
): (() => BuiltNetwork) => {
  const lists = declaredLists(config);
  let key: readonly (Fields | null)[] | null = null;
  let built: Omit<BuiltNetwork, 'nodes'> | null = null;
  const current = () => {
    assertReady();
    return now();
  };
  const now = (): BuiltNetwork => {
    const nodes = sources.map((source) => source.view());
    const fields = nodes.map(({ status }) => (status.kind === 'up' ? status.fields : null));
    if (!built || fields.some((one, index) => one !== key?.[index])) {
      const network = networkFields(config.fields, nodes, lists);
      const field = networkField(network.fields, resolveNetwork(current, strictFilters));
      built = build(network, nodes, field, maxResultsWindow);
    }
    key = fields;
    return { ...built, nodes };
  };
  return now;
};

const declaredLists = ({ sections }: NetworkConfig): ReadonlySet<string> =>
  new Set(sections?.extended?.flatMap(({ fieldName, isArray }) => (isArray === true ? [fieldName] : [])));

const build = (
  network: NetworkFields,
  nodes: readonly NodeView[],
  field: BuiltNetwork['field'],
  maxResultsWindow: number,
): Omit<BuiltNetwork, 'nodes'> => {
  const ownWarnings = [
    ...network.warnings,
    ...nameCollisions(network.fields),
    ...saidEntries(network, nodes).warnings,
  ];
  const settings = {
    maxResultsWindow,
    countMatches: nodes.some(({ config }) => config.unavailableBucket),
  };
  let own: GraphQLSchema | null = null;
  const ownSchema = (): GraphQLSchema => (own ??= networkSchema(field));
  let whole: Supergraph | null = null;
  return {
    network,
    plan: planCache(network),
    select: memoizePerDocument((info) => planSelection(info, network, settings)),
    field,
    warnings: () => [...ownWarnings, ...(whole?.warnings ?? [])],
    ownSchema,
    schema: () => (whole ??= buildSupergraph(ownSchema(), nodes)).schema,
  };
};
