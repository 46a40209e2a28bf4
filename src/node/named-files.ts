import { dirname, resolve } from 'node:path';
import { asTributaryError, TributaryError } from '../errors/errors.ts';
import type { NetworkConfig, NodeConfig } from '../federation/config/nodes.ts';
import { readValueFile } from '../federation/config/value-file.ts';
import type { Hierarchy } from '../hierarchies/hierarchy.ts';
import { openHierarchy } from '../hierarchies/open-hierarchies.ts';
import { textIn } from '../hierarchies/read-hierarchy.ts';
import type {
  CatalogueConfig,
  ExtendedEntry,
  HierarchyFiles,
} from '../introspection/fields/catalogue-config.ts';
import type { Networks } from './networks.ts';
import { closest } from '../text/unknown-keys.ts';

/**
 * Networks and catalogues with what they name other files for.
 * @throws TributaryError CONFIG_INVALID for a file that nodes.json names
 */
export const withFiles = async (networks: Networks): Promise<Networks> => ({
  ...networks,
  catalogues: await withHierarchies(networks.catalogues),
  server: networks.server && (await withNamedFiles(networks.server)),
});

/** Catalogues with the hierarchies of their fields; a file that cannot be read fails its catalogue. */
export const withHierarchies = (catalogues: readonly CatalogueConfig[]): Promise<readonly CatalogueConfig[]> =>
  Promise.all(
    catalogues.map(async (config) => {
      const { hierarchies = {}, extended, places } = config;
      try {
        const fieldHierarchies = await hierarchiesOf(extended, hierarchies, places?.extended ?? 'extended.json');
        return fieldHierarchies.size === 0 ? config : { ...config, fieldHierarchies };
      } catch (error) {
        return { ...config, problems: [...config.problems, asTributaryError(error).message] };
      }
    }),
  ); // prettier-ignore

/**
 * A network with what its file names other files for.
 * @throws TributaryError CONFIG_INVALID
 */
export const withNamedFiles = async (network: NetworkConfig): Promise<NetworkConfig> => {
  const { hierarchyFiles = new Map(), sections, where } = network;
  const folder = dirname(resolve(where));
  const files = Object.fromEntries(
    [...hierarchyFiles].map(([name, { file, relations }]) => [
      name,
      { path: resolve(folder, file), file, relations },
    ]),
  );
  const hierarchies = await hierarchiesOf(sections?.extended ?? [], files, `${where}: network.extended`);
  const nodes = await Promise.all(network.nodes.map((node) => withValueFiles(node, folder)));
  return { ...network, nodes, ...(hierarchies.size > 0 && { hierarchies }) };
};

const withValueFiles = async (node: NodeConfig, folder: string): Promise<NodeConfig> => {
  if (node.valueFiles === undefined) return node;
  const values = new Map(node.values);
  const wider = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const [path, file] of node.valueFiles) {
    const read = readValueFile(await textIn(resolve(folder, file), file), file);
    values.set(path, read.values);
    if (read.wider.size > 0) wider.set(path, read.wider);
  }
  return { ...node, values, ...(wider.size > 0 && { wider }) };
};

/** Reads every file, so that a wrong one is found before it is used. @returns by the paths of fields */
const hierarchiesOf = async (
  extended: readonly ExtendedEntry[],
  files: HierarchyFiles,
  where: string,
): Promise<ReadonlyMap<string, Hierarchy>> => {
  const byName = new Map<string, Hierarchy>();
  for (const [name, { path, file, relations }] of Object.entries(files))
    byName.set(name, await openHierarchy({ name, path, file, relations }));
  return new Map(
    extended.flatMap(({ fieldName, hierarchy }) => {
      if (hierarchy === undefined || hierarchy === '') return [];
      const found = byName.get(hierarchy);
      if (found === undefined) throw unknownHierarchy(`${where}: ${fieldName}`, hierarchy, [...byName.keys()]);
      return [[fieldName, found] as const];
    }),
  );
}; // prettier-ignore

const unknownHierarchy = (where: string, name: string, known: readonly string[]): TributaryError => {
  const near = closest(name, known);
  const hint = near?.isSlip ? `did you mean ${JSON.stringify(near.name)}?` : `known are ${known.join(', ') || 'none'}`; // prettier-ignore
  return new TributaryError(
    'CONFIG_INVALID',
    `${where}: there is no hierarchy ${JSON.stringify(name)}: ${hint}`,
  );
};
