import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { openNetwork, type Network } from '../../federation/network.ts';
import type { NodeObserver } from '../../federation/nodes/node-view.ts';
import type { AppParts } from '../http/app.ts';
import type { TokenAccess } from '../http/callers/access-filters.ts';
import { networkIdOf, serverNetworkId } from '../http/callers/served.ts';
import type { CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';
import type { LocalSettings } from '../../local/search/settings.ts';
import { openRegistry, type Registry } from '../../local/registry.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { CatalogueEngines, setStores } from './catalogue-engines.ts';
import { withFiles } from './named-files.ts';
import { readNetworks, type Networks } from './networks.ts';
import type { Members } from '../http/capability.ts';

/** A configuration with all that its files name, read and checked as far as it can be known without opening anything. */
export interface Reading extends Networks {
  readonly config: Config;
}

/** @throws TributaryError CONFIG_INVALID; what is wrong in a catalogue's folder is listed in its `problems` */
export const readServed = async (config: Config): Promise<Reading> => ({
  config,
  ...(await withFiles(readNetworks(config))),
});

/** What serves one configuration. */
export interface Server extends Pick<AppParts, 'registry' | 'networks'> {
  readonly reading: Reading;
  readonly registry: Registry;
  readonly access: TokenAccess | null;
  /** The variables that its networks have read, for as long as it is served. */
  readonly secrets: ReadonlyMap<string, string | undefined>;
}

/** What lasts as long as the process, whatever is served. */
export interface LastingParts extends Pick<CatalogueEngines, 'engine' | 'engineOf'> {
  readonly catalogues: Omit<LocalSettings, 'strictFilters' | 'engineOf' | 'setsOf'> & {
    readonly setsOf: ReturnType<typeof setStores>;
  };
  readonly openAccess: (config: Pick<Config, 'access' | 'catalogues'>) => TokenAccess | null;
  readonly observerOf: (network: string) => NodeObserver | null;
  /** unset: no nodes dial in. */
  readonly members: Members | undefined;
  /** The key by which other servers know this one. */
  readonly key: string;
  /** The problem with files that are not in effect; null: they are. */
  readonly problem: () => string | null;
  readonly log: Logger;
}

/** What the catalogues and the access rules need of it. */
export interface CatalogueParts extends Pick<
  LastingParts,
  'engine' | 'engineOf' | 'catalogues' | 'openAccess'
> {
  readonly log: Pick<Logger, 'warn'>;
}

/** Where a server is opened: the first of a process, or beside the one in use. */
export interface Opening {
  readonly before: Server | null;
  readonly secret: (variable: string) => string | undefined;
  /** Nodes to be discovered again. */
  readonly again?: ReadonlySet<string>;
  /** Further catalogues that the access file may name. */
  readonly named?: Config['catalogues'];
}

/** The catalogues and the access rules of a configuration. @throws TributaryError CONFIG_INVALID for the access file */
export const openCatalogues = async (
  reading: Reading,
  { catalogues, engine, engineOf, openAccess, log }: CatalogueParts,
  { before, named = [] }: Pick<Opening, 'before' | 'named'>,
): Promise<Pick<Server, 'reading' | 'registry' | 'access'>> => {
  const { config } = reading;
  const known = [...reading.catalogues, ...named];
  const access = openAccess({ access: config.access, catalogues: known });
  const settings = { ...catalogues, strictFilters: config.strictFilters, engineOf };
  const added = reading.catalogues.filter(
    ({ catalogueId }) => before?.registry.byId(catalogueId) === undefined,
  );
  for (const catalogue of added)
    await engineOf(catalogue)
      .then((own) => catalogues.setsOf(catalogue, own)?.ready())
      .catch((error: unknown) => log.warn({ err: error }, 'saved sets are not available yet'));
  const registry = await openRegistry(reading.catalogues, engine, settings, before?.registry ?? null);
  return { reading, registry, access };
};

/** Joins the networks of a configuration, and starts discovery. @throws TributaryError CONFIG_INVALID */
export const joinNetworks = (
  opened: Pick<Server, 'reading' | 'registry' | 'access'>,
  { observerOf, members, key, problem, log }: LastingParts,
  { before, secret, again }: Opening,
): Server => {
  const { config, networks } = opened.reading;
  const secrets = new Map<string, string | undefined>();
  const noted = (variable: string): string | undefined => {
    const value = secret(variable);
    secrets.set(variable, value);
    return value;
  };
  const settings = {
    maxResultsWindow: config.maxResultsWindow,
    strictFilters: config.strictFilters,
    downloads: config.networkDownloads,
    ...{ secret: noted, key, problem, log },
  };
  const joined = new Map<string, Network>();
  const local = releasedStates(opened.registry.byId);
  try {
    for (const [id, network] of networks) {
      // members dial in to the network of nodes.json
      const own = id === serverNetworkId ? { tunnelTo: members?.tunnelTo } : {};
      const inUse = before?.networks.get(id);
      const taken = inUse === undefined ? null : { network: inUse, ...(again && { again }) };
      const switches = switchesOf(id, opened.reading);
      const all = { ...settings, ...own, switches, ...(inUse === undefined && { observer: observerOf(id) }) };
      joined.set(id, openNetwork(network, local, all, taken));
    }
  } catch (error) {
    leave(joined, before);
    throw error;
  }
  return { ...opened, networks: joined, secrets };
};

/** The switches of a catalogue hold for its network. */
const switchesOf = (network: string, { catalogues, config }: Reading): CatalogueSwitches =>
  catalogues.find(({ catalogueId }) => networkIdOf(catalogueId) === network)?.switches ??
  config.http.network.switches;

/** Opens a server beside the one in use. @throws TributaryError CONFIG_INVALID; nothing of it stays open then */
export const openBeside = async (
  reading: Reading,
  parts: LastingParts,
  opening: Opening,
): Promise<Server> => {
  await parts.members?.prepare(reading.config);
  const server = joinNetworks(await openCatalogues(reading, parts, opening), parts, opening);
  await Promise.all([...server.networks.values()].map((network) => network.opened));
  return server;
};

/** Closes what a server that is not served has, and the one in use does not. */
export const discard = ({ networks, registry }: Server, inUse: Server): void => {
  leave(networks, inUse);
  registry.close();
};

const leave = (networks: ReadonlyMap<string, Network>, inUse: Server | null): void => {
  for (const [id, network] of networks) {
    const kept = inUse?.networks.get(id);
    if (kept === undefined) void network.close();
    else network.retire(kept);
  }
};

/** In networks, catalogues that withhold records show the fields of their release to all callers. */
export const releasedStates = (byId: Registry['byId']): Registry['byId'] => {
  const known = new WeakMap<CatalogueState, CatalogueState>();
  return (id) => {
    const state = byId(id);
    if (state?.status === 'failed' && state.last?.substitute !== undefined)
      return { ...state, last: state.last.substitute };
    if (state?.status !== 'available' || state.catalogue.substitute === undefined) return state;
    const released = known.get(state) ?? { ...state, catalogue: state.catalogue.substitute };
    known.set(state, released);
    return released;
  };
};
