import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { networkJson, readNetworkJson } from '../../federation/config/network-json.ts';
import { readNetworkLeniently, type NetworkConfig } from '../../federation/config/nodes.ts';
import { nodesFile } from '../../federation/config/nodes-file.ts';
import { readNodes } from '../../federation/config/read-nodes.ts';
import { networkIdOf, serverNetworkId } from '../http/callers/served.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { faultAt, noticeAt, problemsOf, readAll, type Problem } from '../../lib/text/problem.ts';
import { closest, unknownKeys } from '../../lib/text/unknown-keys.ts';
import type { Capability } from '../http/capability.ts';
import { rejectAbsent } from './absent.ts';
import { requireDisclosureRules } from './anonymous-caller.ts';

export interface Networks {
  /** The catalogues; their problems include an invalid network.json, and an index that must not be shared. */
  readonly catalogues: readonly CatalogueConfig[];
  /** The networks of nodes.json and of network.json files, by the ids under which they are served. */
  readonly networks: ReadonlyMap<string, NetworkConfig>;
  /** Unknown keys of network.json files. */
  readonly warnings: readonly Problem[];
}

/**
 * The networks of a configuration, validated.
 * @throws TributaryError CONFIG_INVALID for nodes.json; an invalid network.json only fails its catalogue
 */
export const readNetworks = (config: Config): Networks => {
  const server = readServerNetwork(config);
  const networks = new Map<string, NetworkConfig>(server === null ? [] : [[serverNetworkId, server]]);
  const warnings =
    config.nodes === null ? [] : [...unread(nodesFile, config.nodes.content, config.nodes.file)];
  const catalogues = withSharedIndexes(config.catalogues).map((catalogue) => {
    const { network, catalogueId, folder, places } = catalogue;
    if (network === undefined) return catalogue;
    const where = places?.network ?? 'network.json';
    const within = (one: Problem): Problem => ({ ...one, file: join(folder, one.file ?? '') });
    warnings.push(...unread(networkFile, network, where, 1).map(within));
    try {
      const own = readNetworkJson(network, where, catalogueId);
      if (own.nodes.length > 0) networks.set(networkIdOf(catalogueId), own);
      else
        warnings.push(
          within(noticeAt(where, '', 'names no node: the catalogue is served without a network')),
        );
      return catalogue;
    } catch (error) {
      return { ...catalogue, problems: [...catalogue.problems, ...problemsOf(error)] };
    }
  });
  return { catalogues, networks, warnings };
};

/** The network of nodes.json; null without the file. @throws TributaryError CONFIG_INVALID */
export const readServerNetwork = ({ nodes }: Pick<Config, 'nodes'>): NetworkConfig | null =>
  nodes === null ? null : readNodes(nodes.content, nodes.file);

/**
 * The configuration, once what the files of the server say besides those of its catalogues has been checked, as far as it
 * can be known without opening anything.
 * @param mayBeOpen whether catalogues that withhold their records may be reached by others without an access file
 * @throws TributaryError CONFIG_INVALID with every problem
 */
export const sound = (
  config: Config,
  capabilities: readonly Capability[],
  { mayBeOpen = false } = {},
): Config => {
  rejectAbsent(config, capabilities);
  readAll({
    network: () => readServerNetwork(config),
    ...Object.fromEntries(capabilities.map(({ name, check }) => [name, () => check?.(config)])),
  });
  if (!mayBeOpen) requireDisclosureRules(config, capabilities);
  return config;
};

const networkFile = z.object({ network: networkJson });

/**
 * The keys of a network's file that nothing reads; in nodes.json these are refused earlier.
 * @param hidden how many steps of a key's path the file leaves out
 */
const unread = (schema: z.ZodType, content: unknown, file: string, hidden = 0): readonly Problem[] =>
  unknownKeys(schema, readNetworkLeniently(content, file).content).map(({ path, key, known }) => {
    const at = [...path.slice(hidden), key].map((step) =>
      typeof step === 'number' ? `[${step}]` : `.${step}`,
    );
    const near = closest(key, known)?.name;
    const reason = `is unknown and not read: the closest known one is ${near}`;
    return { ...noticeAt(file, at.join('').slice(1), reason), ...(near !== undefined && { near }) };
  });

/** The catalogues, of which those that cannot be served beside each other have that as a problem. */
export const withSharedIndexes = (catalogues: readonly CatalogueConfig[]): readonly CatalogueConfig[] => {
  const shared = sharedIndexProblems(catalogues);
  return catalogues.map((catalogue) => {
    const problem = shared.get(catalogue.catalogueId);
    const isKnown = catalogue.problems.some(({ reason }) => reason === problem?.reason);
    return problem === undefined || isKnown
      ? catalogue
      : { ...catalogue, problems: [...catalogue.problems, problem] };
  });
};

/**
 * Why catalogues with a disclosure.json cannot be served whose index another catalogue also shows: two releases over the
 * same records can be compared, and an open catalogue shows what the other one hides.
 * @returns by catalogue id; both are named
 */
export const sharedIndexProblems = (
  catalogues: readonly Pick<CatalogueConfig, 'catalogueId' | 'esIndex' | 'disclosure'>[],
): ReadonlyMap<string, Problem> => {
  const problems = new Map<string, Problem>();
  const byIndex = Map.groupBy(catalogues, ({ esIndex }) => esIndex);
  for (const [index, sharing] of byIndex) {
    if (index === null || sharing.length < 2 || !sharing.some(({ disclosure }) => disclosure)) continue;
    const names = sharing.map(({ catalogueId }) => catalogueId).join(' and ');
    const reason = `is of an index that ${names} serve, which can have only one release: give each its own index`;
    sharing.forEach(({ catalogueId }) => problems.set(catalogueId, faultAt('disclosure.json', '', reason)));
  }
  return problems;
};
