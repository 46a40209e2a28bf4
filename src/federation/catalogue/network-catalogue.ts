import type { CatalogueConfig, CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';
import type { Catalogue, CatalogueState } from '../../search/catalogue.ts';
import { fixedRootFields } from '../../local/schema/connection-type.ts';
import type { NetworkConfig } from '../config/nodes.ts';
import { catalogueFields } from '../nodes/catalogue-fields.ts';
import { combinedSearches } from './combined-searches.ts';
import type { NetworkDefaults } from './network-configs.ts';
import { networkConfigs } from './network-configs.ts';
import type { AskedNetwork } from './ask-network.ts';
import type { NetworkSearchSettings } from './network-search.ts';
import { networkSearch } from './network-search.ts';

/** The id of a network served as a catalogue. No catalogue can have it. */
const networkId = 'network';

export interface CatalogueSettings extends NetworkSearchSettings, NetworkDefaults {
  readonly switches: CatalogueSwitches;
}

/** The name of the documents of all nodes together, or why there is none. */
export type NetworkDocumentType =
  { readonly kind: 'named'; readonly name: string } | { readonly kind: 'none'; readonly warning: string };

/**
 * The network's own document type, else the one that all nodes share, else that of the catalogue it belongs to.
 * @param local the state of a catalogue of this process
 */
export const networkDocumentType = (
  { where, documentType, belongsTo, nodes }: NetworkConfig,
  local: (catalogueId: string) => CatalogueState | undefined,
): NetworkDocumentType => {
  const ofNodes = new Set(
    nodes.flatMap(({ source }) =>
      source.kind === 'remote' ? source.documentType : (local(source.catalogueId)?.config.documentType ?? []),
    ),
  );
  const [shared, ...others] = ofNodes;
  const name =
    documentType ??
    (others.length === 0 ? shared : undefined) ??
    (belongsTo === undefined ? undefined : local(belongsTo)?.config.documentType);
  if (name === undefined || name === '')
    return none(`${where}: the nodes have different document types (${[...ofNodes].join(', ')})`);
  if (fixedRootFields.has(name))
    return none(`${where}: documentType ${name} is a root field of every schema`);
  return { kind: 'named', name };
};

const none = (why: string): NetworkDocumentType => ({
  kind: 'none',
  warning: `${why}: the network is not served like a catalogue; name another one as network.documentType`,
});

/**
 * The network as a catalogue, served like any other.
 * @param now the nodes at the time of a query
 */
export const networkCatalogue = (
  file: NetworkConfig,
  documentType: string,
  { nodes, network }: Pick<AskedNetwork, 'nodes' | 'network'>,
  now: () => AskedNetwork,
  settings: CatalogueSettings,
): Catalogue => {
  const fields = catalogueFields(network);
  const configs = networkConfigs(file, { nodes, network: { ...network, fields } }, settings);
  return {
    id: networkId,
    isNetwork: true,
    config: { ...catalogueConfig(file, documentType, settings), ...configs },
    fields,
    mapping: null,
    aliases: [],
    warnings: network.warnings,
    generatedAt: new Date().toISOString(),
    search: combinedSearches(networkSearch(now, settings)),
  };
};

/** The parts of a catalogue's configuration that a network has no file for. */
const catalogueConfig = (
  { displayName, where, limits }: NetworkConfig,
  documentType: string,
  { switches }: CatalogueSettings,
): Omit<CatalogueConfig, keyof ReturnType<typeof networkConfigs>> => ({
  catalogueId: networkId,
  description: displayName,
  documentType,
  esIndex: null,
  nestingPrefix: null,
  maxAliases: limits?.maxAliases ?? Infinity,
  maxDepth: limits?.maxDepth ?? Infinity,
  disableGraphQLIntrospection: limits?.disableGraphQLIntrospection ?? false,
  enableAdmin: false,
  switches: { ...switches, enableSets: false },
  setsIndex: '',
  downloadBufferRows: 0,
  folder: where,
  problems: [],
});
