import type { Network } from '../../federation/network.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import type { HttpSettings, PortalSettings } from '../koa/settings.ts';

export interface PortalConfigParts {
  readonly states: readonly CatalogueState[];
  readonly network: Network | null;
  readonly catalogueNetworks: ReadonlyMap<string, Network>;
  readonly settings: HttpSettings;
  readonly portal: PortalSettings;
  /** Whether POST /portal/links is there. */
  readonly keepsLinks: boolean;
}

/** The body of GET /portal/config.json: what the pages must know before their first request. Holds no data. */
export const portalConfig = ({
  states,
  network,
  catalogueNetworks,
  settings,
  portal,
  keepsLinks,
}: PortalConfigParts) => {
  const names = institutionNames(network);
  return {
    version: serverVersion(),
    publicUrl: portal.publicUrl,
    sources: [
      ...(network === null ? [] : [networkSource('network', 'network', network)]),
      ...states.flatMap((state) => {
        const { catalogueId } = state.config;
        const own = catalogueNetworks.get(catalogueId);
        const path = encodeURIComponent(catalogueId);
        return [
          ...(own === undefined ? [] : [networkSource(`${catalogueId}/network`, `${path}/network`, own)]),
          catalogueSource(state, names.get(catalogueId)),
        ];
      }),
    ],
    flags: {
      downloads: !settings.network.switches.disableDownloads,
      filters: !settings.network.switches.disableFilters,
      playground: !settings.network.switches.disablePlayground,
      links: keepsLinks,
    },
    limits: {
      maxAliases: settings.network.maxAliases,
      maxDepth: settings.network.maxDepth,
      maxBodyBytes: settings.bodyLimitBytes,
    },
    signIn: portal.signIn,
    look: portal.look,
  };
};

/** @param path its part of addresses, before /graphql and /download */
const networkSource = (id: string, path: string, network: Network) => ({
  id,
  kind: 'network' as const,
  path,
  name: network.state().displayName,
  description: null,
  documentType: network.catalogue()?.config.documentType ?? null,
  status: 'available' as const,
});

/** The display names in the network of the institutions that are catalogues of this server, by catalogue. */
const institutionNames = (network: Network | null): ReadonlyMap<string, string> => {
  const names = new Map(network?.state().nodes.map(({ nodeId, displayName }) => [nodeId, displayName]));
  return new Map(
    [...(network?.catalogues() ?? [])].map(([nodeId, catalogueId]) => [catalogueId, names.get(nodeId)!]),
  );
};

const catalogueSource = ({ config, status }: CatalogueState, name: string | undefined) => ({
  id: config.catalogueId,
  kind: 'catalogue' as const,
  path: encodeURIComponent(config.catalogueId),
  name: name ?? config.catalogueId,
  description: config.description ?? null,
  documentType: config.documentType,
  status,
});
