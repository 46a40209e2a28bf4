import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { asTributaryError } from '../errors.ts';
import { networkJson, readNetworkJson } from '../federation/config/network-json.ts';
import type { NetworkConfig } from '../federation/config/nodes.ts';
import { readNodes } from '../federation/config/read-nodes.ts';
import type { CatalogueConfig } from '../introspection/fields/catalogue-config.ts';
import { closest, unknownKeys } from '../unknown-keys.ts';

export interface Networks {
  /** The catalogues; an invalid network.json is added to their problems. */
  readonly catalogues: readonly CatalogueConfig[];
  /** The network of nodes.json. */
  readonly server: NetworkConfig | null;
  /** The networks of network.json files, by catalogue id. */
  readonly ofCatalogues: ReadonlyMap<string, NetworkConfig>;
  /** Unknown keys of network.json files. */
  readonly warnings: readonly string[];
}

/**
 * The networks of a configuration, validated.
 * @throws TributaryError CONFIG_INVALID for nodes.json; an invalid network.json only fails its catalogue
 */
export const readNetworks = (config: Config): Networks => {
  const server = config.nodes === null ? null : readNodes(config.nodes.content, config.nodes.file);
  const ofCatalogues = new Map<string, NetworkConfig>();
  const warnings: string[] = [];
  const catalogues = config.catalogues.map((catalogue) => {
    const { network, catalogueId, folder, places } = catalogue;
    if (network === undefined) return catalogue;
    const where = places?.network ?? 'network.json';
    warnings.push(...unread(network).map((warning) => `${folder}: ${where}${warning}`));
    try {
      const own = readNetworkJson(network, where, catalogueId);
      if (own.nodes.length > 0) ofCatalogues.set(catalogueId, own);
      else warnings.push(`${folder}: ${where} names no node: the catalogue is served without a network`);
      return catalogue;
    } catch (error) {
      return { ...catalogue, problems: [...catalogue.problems, asTributaryError(error).message] };
    }
  });
  return { catalogues, server, ofCatalogues, warnings };
};

const unread = (network: unknown): readonly string[] =>
  unknownKeys(z.object({ network: networkJson }), network).map(({ path, key, known }) => {
    const at = path.slice(1).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    const hint = `the closest known one is ${closest(key, known)?.name}`;
    return `${at.length === 0 ? '' : `, ${at.join('').slice(1)}`}: the key ${key} is unknown and not read: ${hint}`;
  });
