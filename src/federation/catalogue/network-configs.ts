import type { DownloadsConfig, PortalConfigs } from '../../introspection/fields/catalogue-config.ts';
import type { NetworkConfig } from '../config/nodes.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';

/** The server's own settings, for what the network's file leaves out. */
export interface NetworkDefaults {
  readonly downloads: DownloadsConfig;
  /** The limit on offset + first. */
  readonly maxResultsWindow: number;
}

/** The nodes' fields as one, and the nodes they come from. */
export interface ConfiguredFields {
  readonly network: Pick<NetworkFields, 'fields'>;
  readonly nodes: readonly NodeView[];
}

/**
 * What a portal is told of the network: the same as of a catalogue, derived from its fields.
 * @param _config the network's file
 */
export const networkConfigs = (
  _config: NetworkConfig,
  { network }: ConfiguredFields,
  { downloads, maxResultsWindow }: NetworkDefaults,
): PortalConfigs => ({
  extended: [...network.fields.values()]
    .filter(({ isArray }) => isArray)
    .map(({ path }) => ({ fieldName: path, isArray: true })),
  table: { columns: null, defaultSorting: [], maxResultsWindow, rowIdFieldName: '_key' },
  facets: null,
  matchbox: [],
  charts: {},
  downloads,
});
