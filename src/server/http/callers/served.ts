import type { Network } from '../../../federation/network.ts';
import type { About } from '../../../introspection/fields/about.ts';
import type { CatalogueConfig, CatalogueSwitches } from '../../../introspection/fields/catalogue-config.ts';
import type { Registry } from '../../../local/registry.ts';
import type { Catalogue, CatalogueState } from '../../../search/catalogue.ts';
import type { HttpSettings, PortalLook, QueryLimits } from '../koa/settings.ts';

/** A catalogue or a network, whatever its state. Each has one id and one address, to which its other paths lead. */
export type Served = ServedCatalogue | ServedNetwork;

interface Entry {
  /** A catalogue's id; `network`; `<catalogue>/network`. */
  readonly id: string;
  /** Its address below the server's: `/museum`, `/network`, `/museum/network`. */
  readonly path: string;
  readonly title: string;
  /** The configured description; undefined if nothing is configured. */
  readonly about: About | undefined;
  /** What answers its queries; null: a failed catalogue, and a network without a common document type. */
  readonly catalogue: Catalogue | null;
  readonly limits: QueryLimits;
  readonly switches: CatalogueSwitches;
  /** How many documents a download buffers, of each node. */
  readonly pageRows: number;
}

export interface ServedCatalogue extends Entry {
  readonly kind: 'catalogue';
  readonly state: CatalogueState;
  /** The network of its root field `network`; null: it has no such field. */
  readonly network: Network | null;
}

export interface ServedNetwork extends Entry {
  readonly kind: 'network';
  readonly network: Network;
  /** Access to one of these catalogues gives access to the network, unless it has its own rules. */
  readonly states: readonly CatalogueState[];
  /** Whether it belongs to a catalogue, whose access rules also apply to it. */
  readonly isOfCatalogue: boolean;
}

export interface ServedParts {
  readonly registry: Pick<Registry, 'states'>;
  /** By their ids. */
  readonly networks: ReadonlyMap<string, Network>;
  readonly settings: Pick<HttpSettings, 'network'>;
}

/** Everything that is served now: the server's network first, and the network of a catalogue before it. */
export const servedBy = (parts: ServedParts): readonly Served[] => {
  const { registry, networks } = parts;
  const states = registry.states();
  const network = networks.get(serverNetworkId);
  return [
    ...(network === undefined ? [] : [ofServer(network, states, parts)]),
    ...states.flatMap((state) => {
      const own = networks.get(networkIdOf(state.config.catalogueId));
      const inCatalogue = own ?? (states.length === 1 ? network : undefined);
      return [...(own === undefined ? [] : [ofCatalogue(own, state)]), served(state, inCatalogue ?? null)];
    }),
  ];
};

/** The id of the network of nodes.json. */
export const serverNetworkId = 'network';

/** The id of the network that a catalogue declares; ids of catalogues have no slash. */
export const networkIdOf = (catalogueId: string): string => `${catalogueId}/network`;

/** What the paths below an address are answered from: a network, or a catalogue that did not fail. */
export type Target = AvailableCatalogue | ServedNetwork;

export interface AvailableCatalogue extends ServedCatalogue {
  readonly state: Extract<CatalogueState, { status: 'available' }>;
  readonly catalogue: Catalogue;
}

export const isTarget = (one: Served): one is Target => one.kind === 'network' || one.catalogue !== null;

/** What can be queried like a catalogue: lists for other programs name nothing else. */
export const availableIn = (all: readonly Served[]): readonly Target[] =>
  all.filter((one): one is Target => one.catalogue !== null);

export const networksIn = (all: readonly Served[]): readonly ServedNetwork[] =>
  all.filter((one) => one.kind === 'network');

const pathOf = ({ catalogueId }: CatalogueConfig): string => `/${encodeURIComponent(catalogueId)}`;

const served = (state: CatalogueState, network: Network | null): ServedCatalogue => {
  const { config } = state;
  return {
    kind: 'catalogue',
    id: config.catalogueId,
    path: pathOf(config),
    title: config.about?.title ?? config.description ?? config.catalogueId,
    about: config.about,
    catalogue: state.status === 'available' ? state.catalogue : null,
    ...{ state, network },
    limits: catalogueLimits(config),
    switches: config.switches,
    pageRows: config.downloadBufferRows,
  };
};

const ofServer = (
  network: Network,
  states: readonly CatalogueState[],
  { settings }: Pick<ServedParts, 'settings'>,
): ServedNetwork => {
  return servedNetwork(network, {
    ...{ id: serverNetworkId, path: '/network', states, isOfCatalogue: false },
    limits: settings.network,
    ...{ switches: settings.network.switches, pageRows: settings.network.downloadBufferRows },
  });
};

const ofCatalogue = (network: Network, state: CatalogueState): ServedNetwork => {
  const { config } = state;
  return servedNetwork(network, {
    ...{ id: networkIdOf(config.catalogueId), path: `${pathOf(config)}/network` },
    ...{ states: [state], isOfCatalogue: true },
    limits: catalogueLimits(config),
    ...{ switches: config.switches, pageRows: config.downloadBufferRows },
  });
};

/** @param usual with the limits where its file sets none */
const servedNetwork = (
  network: Network,
  usual: Omit<ServedNetwork, 'kind' | 'network' | 'title' | 'about' | 'catalogue'>,
): ServedNetwork => ({
  ...usual,
  ...{ kind: 'network', network },
  title: network.config.displayName,
  limits: limitsOf(network, usual.limits),
  // asks every node for its state
  get catalogue() {
    return network.catalogue();
  },
  get about() {
    return network.catalogue()?.config.about;
  },
});

const limitsOf = (network: Network, usual: QueryLimits): QueryLimits => {
  const { limits = {} } = network.config;
  return {
    maxAliases: limits.maxAliases ?? usual.maxAliases,
    maxDepth: limits.maxDepth ?? usual.maxDepth,
    introspectionDisabled: usual.introspectionDisabled,
  };
};

/** The limits of a catalogue's documents. */
const catalogueLimits = ({
  maxAliases,
  maxDepth,
  disableGraphQLIntrospection,
}: CatalogueConfig): QueryLimits => ({
  maxAliases,
  maxDepth,
  introspectionDisabled: disableGraphQLIntrospection,
});

/** What the beginning of a path names. */
export interface Place {
  /** A catalogue by its id or document type; null: the only catalogue. */
  readonly name: string | null;
  /** Whether its network is meant; without a name, the server's or that of the only catalogue. */
  readonly isNetwork: boolean;
}

export type Found =
  | { readonly kind: 'found'; readonly served: Served }
  | { readonly kind: 'ambiguous'; readonly documentType: string; readonly catalogueIds: readonly string[] }
  | { readonly kind: 'unknown' };

const unknown: Found = { kind: 'unknown' };

/** What a path leads to, ignoring case. */
export const findServed = (all: readonly Served[], { name, isNetwork }: Place): Found => {
  const catalogues = all.filter((one) => one.kind === 'catalogue');
  const networkNamed = (id: string): Found => found(all.find((one) => one.id === id));
  const ofServer = name === null && isNetwork ? networkNamed(serverNetworkId) : unknown;
  if (ofServer.kind === 'found') return ofServer;
  const catalogue = name === null ? onlyOf(catalogues) : catalogueNamed(catalogues, name);
  if (catalogue.kind !== 'found' || !isNetwork) return catalogue;
  return networkNamed(networkIdOf(catalogue.served.id));
};

const found = (served: Served | undefined): Found =>
  served === undefined ? unknown : { kind: 'found', served };

/** The only catalogue, whose routes have no prefix. */
const onlyOf = (catalogues: readonly ServedCatalogue[]): Found =>
  catalogues.length === 1 ? found(catalogues[0]) : unknown;

/** By its id, else by its document type. */
const catalogueNamed = (catalogues: readonly ServedCatalogue[], name: string): Found => {
  const wanted = name.toLowerCase();
  const byId = catalogues.find(({ id }) => id.toLowerCase() === wanted);
  if (byId !== undefined) return found(byId);
  const byType =
    wanted === '' ? [] : catalogues.filter(({ state }) => state.config.documentType.toLowerCase() === wanted);
  if (byType.length < 2) return found(byType[0]);
  return {
    kind: 'ambiguous',
    documentType: byType[0]!.state.config.documentType,
    catalogueIds: byType.map(({ id }) => id).sort(),
  };
};

/** The portal's look, named after what its start page shows unless its owners chose a name; null: there is no portal. */
export const namedLook = ({
  settings,
  served,
}: {
  readonly settings: Pick<HttpSettings, 'portal'>;
  readonly served: () => readonly Served[];
}): PortalLook | null => {
  if (settings.portal === null) return null;
  const all = served();
  const name = serverNetwork(all)?.title ?? all.find(({ kind }) => kind === 'catalogue')?.id;
  return { name, ...settings.portal.look };
};

/** The network of nodes.json. */
export const serverNetwork = (all: readonly Served[]): ServedNetwork | undefined =>
  networksIn(all).find(({ isOfCatalogue }) => !isOfCatalogue);
