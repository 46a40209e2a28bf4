import type { Config } from '../config/config.ts';
import { asTributaryError } from '../errors.ts';
import { readNetworkJson } from '../federation/network-json.ts';
import type { NetworkConfig } from '../federation/nodes.ts';
import { readNodes } from '../federation/nodes.ts';
import type { CatalogueConfig } from '../introspection/catalogue-config.ts';

export interface Networks {
  /** The catalogues, those whose network.json is wrong with that as a problem. */
  readonly catalogues: readonly CatalogueConfig[];
  /** The network of nodes.json. */
  readonly server: NetworkConfig | null;
  /** The networks of network.json files, by catalogue id. */
  readonly ofCatalogues: ReadonlyMap<string, NetworkConfig>;
}

/**
 * The networks a configuration names, checked.
 * @throws TributaryError CONFIG_INVALID for nodes.json; a catalogue's own network.json fails that catalogue only
 */
export const readNetworks = (config: Config): Networks => {
  const server = config.nodes === null ? null : readNodes(config.nodes.content, config.nodes.file);
  const ofCatalogues = new Map<string, NetworkConfig>();
  const catalogues = config.catalogues.map((catalogue) => {
    if (catalogue.network === undefined) return catalogue;
    try {
      ofCatalogues.set(
        catalogue.catalogueId,
        readNetworkJson(catalogue.network, 'network.json', catalogue.catalogueId),
      );
      return catalogue;
    } catch (error) {
      return { ...catalogue, problems: [...catalogue.problems, asTributaryError(error).message] };
    }
  });
  return { catalogues, server, ofCatalogues };
};
