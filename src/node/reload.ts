import { isDeepStrictEqual } from 'node:util';
import type { Config, NodesFile } from '../config/config.ts';
import { asTributaryError, TributaryError } from '../errors/errors.ts';
import type { Network } from '../federation/network.ts';
import type { NetworkConfig } from '../federation/config/nodes.ts';
import { uniqueIds, type Registry } from '../local/registry.ts';
import type { AccessControl } from './token-access-filter.ts';
import { withHierarchies, withNamedFiles } from './named-files.ts';
import { readNetworks, readServerNetwork, type Networks } from './networks.ts';
import { networkIdOf, serverNetworkId } from '../http/callers/served.ts';
import { tiers, type CatalogueConfig } from '../introspection/fields/catalogue-config.ts';

/** The result of a configuration reload, in lines for the log and the terminal. */
export interface ReloadReport {
  readonly changes: readonly string[];
  /** Changes that have no effect, with the reason. */
  readonly problems: readonly string[];
}

/** Settings with secrets whose change requires a restart. */
interface LastingSettings {
  readonly indexing: Pick<Config['indexing'], 'repositories'>;
}

/** The parts of a running node that a changed configuration reaches. */
export interface ReloadedParts {
  readonly registry: Registry;
  /** By their ids. */
  readonly networks: ReadonlyMap<string, Network>;
  /** null without access control. */
  readonly access: AccessControl | null;
}

/**
 * A reloaded configuration in which files that were there and are missing say what they said before: a file may be missing
 * for a moment only, while a folder is copied or a mount is replaced.
 * @param before the configuration that was read before
 * @param inUse the catalogues that are served
 * @returns also a problem for each missing file
 */
export const withMissingFiles = (
  config: Config,
  before: Pick<Config, 'nodes' | 'hubs'>,
  inUse: readonly CatalogueConfig[],
): { readonly config: Config; readonly problems: readonly string[] } => {
  const nodes = kept(config.nodes, before.nodes);
  const hubs = kept(config.hubs, before.hubs);
  const catalogues = config.catalogues.map((read) => keptCatalogue(read, inUse));
  return {
    config: { ...config, nodes: nodes.file, hubs: hubs.file, catalogues: catalogues.map(({ file }) => file) },
    problems: [nodes, hubs, ...catalogues].flatMap(({ missing }) =>
      missing.map((file) => `${file} is missing: what it said before holds until it is back, or a restart`),
    ),
  };
};

/** A file, or what it said before, with the names of what is missing. */
interface Kept<File> {
  readonly file: File;
  readonly missing: readonly string[];
}

const kept = (read: NodesFile | null, before: NodesFile | null): Kept<NodesFile | null> =>
  read?.content !== undefined || before?.content === undefined
    ? { file: read, missing: [] }
    : { file: before, missing: [before.file] };

/** A catalogue that failed has nothing to keep. */
const keptCatalogue = (read: CatalogueConfig, inUse: readonly CatalogueConfig[]): Kept<CatalogueConfig> => {
  const before = inUse.find(({ folder, problems }) => folder === read.folder && problems.length === 0);
  const missing = before?.files.filter((file) => !read.files.includes(file)) ?? [];
  return before === undefined || missing.length === 0
    ? { file: read, missing: [] }
    : { file: before, missing: missing.map((file) => `catalogue ${before.catalogueId}: ${file}`) };
};

/**
 * Applies a reloaded configuration. Each catalogue and network is checked, built next to the one in use and swapped in as
 * a whole; one that cannot be served stays as it was, is reported, and does not delay the others.
 * @param again nodes of networks to be rediscovered
 */
export const reloadNode = async (
  config: Config,
  parts: ReloadedParts,
  again: ReadonlySet<string> = new Set(),
): Promise<ReloadReport> => {
  // nodes.json is read separately: if it is invalid, the catalogues still use their own files
  const networks = readNetworks({ ...config, nodes: null });
  const inUse = parts.registry.states().map((state) => state.config);
  const read = uniqueIds(networks.catalogues);
  const held = heldDisclosure(inUse, read);
  const wanted = read.map((one) =>
    held.has(one.catalogueId) ? (parts.registry.byId(one.catalogueId)?.config ?? one) : one,
  );
  // before anything that takes time: withdrawn access must end at once
  const access = reloadAccess({ ...config, catalogues: withServed(wanted, inUse) }, parts.access);
  const catalogues = await parts.registry.reconfigure(await withHierarchies(wanted));
  const ofCatalogues = await reloadCatalogueNetworks(networks, parts, again);
  const reports = [
    access,
    ...[...held].map(([catalogueId, problem]) => refused(`catalogue ${catalogueId}: ${problem}`)),
    ...catalogues.map(({ catalogueId, problem }) =>
      problem === null
        ? changed(`catalogue ${catalogueId}: now serves with its changed configuration`)
        : refused(`catalogue ${catalogueId}: ${problem}`),
    ),
    await reloadNetwork(
      config.nodes?.file ?? 'nodes.json',
      parts.networks.get(serverNetworkId),
      async () => {
        const server = readServerNetwork(config);
        return server && withNamedFiles(server);
      },
      again,
    ),
    ...ofCatalogues,
    ...unknownNodes(again, parts),
  ];
  return {
    changes: reports.flatMap(({ changes }) => changes),
    problems: reports.flatMap(({ problems }) => problems),
  };
};

/** Those of catalogues that are invalid are reported with their catalogue. */
const reloadCatalogueNetworks = (
  read: Networks,
  { networks }: ReloadedParts,
  again: ReadonlySet<string>,
): Promise<readonly ReloadReport[]> => {
  const isInvalid = new Set(
    read.catalogues.flatMap(({ catalogueId, network, problems }) =>
      network !== undefined && problems.length > 0 ? [networkIdOf(catalogueId)] : [],
    ),
  );
  const ids = new Set([...networks.keys(), ...read.networks.keys()]);
  const wanted = [...ids].filter((id) => id !== serverNetworkId && !isInvalid.has(id));
  return Promise.all(
    wanted.map((id) =>
      reloadNetwork(
        `network.json of the catalogue ${id.split('/')[0]}`,
        networks.get(id),
        () => read.networks.get(id) ?? null,
        again,
      ),
    ),
  );
};

const unknownNodes = (wanted: ReadonlySet<string>, { networks }: ReloadedParts): readonly ReloadReport[] => {
  const all = [...networks.values()];
  const known = new Set(all.flatMap((one) => one.state().nodes.map(({ nodeId }) => nodeId)));
  return [...wanted]
    .filter((nodeId) => !known.has(nodeId))
    .map((nodeId) =>
      refused(`no network here has a node "${nodeId}", only ${[...known].join(', ') || 'none'}`),
    );
};

/** Changes, including those of secrets in files, that require a restart. */
export const takesRestart = ({ indexing }: LastingSettings, inUse: LastingSettings): readonly string[] =>
  isDeepStrictEqual(indexing.repositories, inUse.indexing.repositories)
    ? []
    : ['the repositories to index have changed: those before are indexed until a restart'];

const changed = (...changes: readonly string[]): ReloadReport => ({ changes, problems: [] });
const refused = (...problems: readonly string[]): ReloadReport => ({ changes: [], problems });

/** The catalogues of a configuration, and those that were removed from it but are served until a restart. */
const withServed = (
  wanted: readonly CatalogueConfig[],
  inUse: readonly CatalogueConfig[],
): readonly CatalogueConfig[] => {
  const known = new Set(wanted.map(({ catalogueId }) => catalogueId.toLowerCase()));
  return [...wanted, ...inUse.filter(({ catalogueId }) => !known.has(catalogueId.toLowerCase()))];
};

/** Puts changed access rules and keys into effect; while they are invalid, the previous ones stay in effect. */
export const reloadAccess = (
  config: Pick<Config, 'access' | 'catalogues' | 'server' | 'hubs'>,
  control: AccessControl | null,
): ReloadReport => {
  if (control === null) return changed();
  const { file } = control.config();
  try {
    return control.replace(config)
      ? changed(`${file}: the changed access rules and keys hold for every request from now on`)
      : changed();
  } catch (error) {
    if (!(error instanceof TributaryError)) throw error;
    return refused(`${error.message}: the access rules and keys before hold until this is corrected`);
  }
};

/** A problem of one network, such as a credential that is not set, is reported with those of the others. */
const reloadNetwork = async (
  file: string,
  network: Network | undefined,
  read: () => Promise<NetworkConfig | null> | NetworkConfig | null,
  again: ReadonlySet<string>,
): Promise<ReloadReport> => {
  try {
    const config = await read();
    if (network === undefined)
      return config === null
        ? changed()
        : refused(`${file}: the network is new: it is served after a restart`);
    if (config === null)
      return refused(`${file}: the network is no longer configured: it is served until the next restart`);
    return changed(...(await network.reload(config, again)).map((change) => `${file}: ${change}`));
  } catch (error) {
    const { code, message } = asTributaryError(error);
    // configuration errors already name the file
    return refused(code === 'CONFIG_INVALID' ? message : `${file}: ${message}`);
  }
};

type Disclosing = Pick<CatalogueConfig, 'catalogueId' | 'esIndex' | 'disclosure'>;

/**
 * The parts of a reloaded configuration that would show more of guarded records than the current one, and so require a
 * restart: a disclosure.json may be missing for a moment only, while a folder is copied. Ids are compared ignoring case,
 * as by routes; a catalogue that is not in use is not opened by a reload, and has nothing to keep.
 * @returns by catalogue id, why it keeps its current configuration
 */
export const heldDisclosure = (
  inUse: readonly Disclosing[],
  wanted: readonly Disclosing[],
): ReadonlyMap<string, string> => {
  const guarded = inUse.filter(({ disclosure }) => disclosure !== undefined);
  const before = new Map(inUse.map((config) => [config.catalogueId.toLowerCase(), config]));
  return new Map(
    wanted.flatMap((config): (readonly [string, string])[] => {
      const own = before.get(config.catalogueId.toLowerCase());
      if (own === undefined) return [];
      const problem =
        own.disclosure === undefined
          ? sharedIndex(config, guarded)
          : loosened(own.disclosure, config.disclosure);
      return problem === null ? [] : [[config.catalogueId, problem]];
    }),
  );
};

const loosened = (
  { default: before }: NonNullable<Disclosing['disclosure']>,
  after: Disclosing['disclosure'],
): string | null => {
  if (after === undefined)
    return 'disclosure.json is gone: its records stay withheld by the former one until a restart';
  return tiers.indexOf(after.default) > tiers.indexOf(before)
    ? `disclosure.json, default: ${after.default} shows more than ${before}, which holds until a restart`
    : null;
};

const sharedIndex = ({ esIndex }: Disclosing, guarded: readonly Disclosing[]): string | null => {
  const other = guarded.find((one) => one.esIndex === esIndex);
  return other === undefined
    ? null
    : `its index is that of ${other.catalogueId}, whose disclosure.json withholds it until a restart`;
};
