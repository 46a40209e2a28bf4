import { hash } from 'node:crypto';
import type { ManifestStore } from '../../federation/download/manifest-store.ts';
import type { Network } from '../../federation/network.ts';
import { TributaryError } from '../../errors.ts';
import type { CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { printSqon } from '../../sqon/print.ts';
import { callerName } from '../callers/caller-name.ts';
import { requireAccess } from '../callers/require-access.ts';
import { readDownloadParams } from '../catalogue/download-params.ts';
import { sendDownload, type DownloadParts } from '../catalogue/download-routes.ts';
import { findCatalogue, nothingAt, onlyCatalogue } from '../catalogue/find-catalogue.ts';
import { callerOf, type RequestContext } from '../koa/request-context.ts';

export interface NetworkDownloadParts extends DownloadParts {
  readonly network: Network | null;
  /** Networks declared by catalogues, by catalogue id. */
  readonly catalogueNetworks: ReadonlyMap<string, Network>;
  /** Without it, manifests are only included in archives. */
  readonly manifests?: ManifestStore | undefined;
}

/** A network served at some path, with its settings. */
interface ServedNetwork {
  readonly network: Network;
  /** Access to one of these gives access to the network. */
  readonly states: readonly CatalogueState[];
  readonly switches: CatalogueSwitches;
  readonly pageRows: number;
}

/**
 * /network/download, /{catalogue}/network/download.
 * @param name of the catalogue; null: the server's network, or that of its only catalogue
 */
export const downloadNetwork = async (
  context: RequestContext,
  name: string | null,
  parts: NetworkDownloadParts,
): Promise<void> => {
  const { network, states, switches, pageRows } = servedAt(context, name, parts);
  const { accessFilter, allowanceOf, settings, spools, manifests, log } = parts;
  // a caller without access is refused first, whatever the request
  await requireAccess(context, states, parts);
  const params = await readDownloadParams(context, settings.bodyLimitBytes);
  const owner = await ownerName(context, network, parts);
  const caller = callerOf(context, { accessFilter, allowance: allowanceOf(context) });
  const opened = await network.download(params, caller, {
    pageRows,
    spools,
    disableFilters: switches.disableFilters,
    keep: async (manifest) => {
      try {
        await manifests?.keep(manifest.id, owner, manifest);
      } catch (error) {
        // the file is complete without it
        log.warn(
          { requestId: context.state.requestId, err: error },
          'the manifest of a download cannot be kept',
        );
      }
    },
  });
  context.set('tributary-manifest', opened.manifestId);
  sendDownload(context, opened, log);
};

/** GET .../download/manifest/{id}: for the caller who requested the download. */
export const showManifest = async (
  context: RequestContext,
  name: string | null,
  id: string,
  parts: NetworkDownloadParts,
): Promise<void> => {
  const { network, states } = servedAt(context, name, parts);
  await requireAccess(context, states, parts);
  const manifest = await parts.manifests?.find(id, await ownerName(context, network, parts));
  if (manifest === undefined || manifest === null)
    throw new TributaryError(
      'NOT_FOUND',
      'there is no such manifest: it is kept for a day, for whoever asked for the download, once that has ended',
    );
  context.set('cache-control', 'no-store');
  context.body = manifest;
};

/** @throws TributaryError NOT_FOUND, NOT_READY */
const servedAt = (
  context: RequestContext,
  name: string | null,
  parts: NetworkDownloadParts,
): ServedNetwork => {
  const served = name === null ? ofServer(parts) : ofCatalogue(name, parts);
  if (served === null || served.switches.disableDownloads) throw nothingAt(context.path);
  if (!served.network.state().ready)
    throw new TributaryError('NOT_READY', 'the nodes of the network are still being discovered');
  return served;
};

const ofServer = (parts: NetworkDownloadParts): ServedNetwork | null => {
  const { network, registry, settings } = parts;
  const states = registry.states();
  const only = onlyCatalogue(states);
  if (network === null) return only && ofState(only, parts);
  const { switches, downloadBufferRows } = settings.network;
  return { network, states, switches, pageRows: downloadBufferRows ?? usualPageRows };
};

const ofCatalogue = (name: string, parts: NetworkDownloadParts): ServedNetwork | null => {
  const found = findCatalogue(parts.registry.states(), name);
  return found.kind === 'found' ? ofState(found.state, parts) : null;
};

const ofState = (
  state: CatalogueState,
  { catalogueNetworks }: NetworkDownloadParts,
): ServedNetwork | null => {
  const { catalogueId, switches, downloadBufferRows } = state.config;
  const network = catalogueNetworks.get(catalogueId);
  return network ? { network, states: [state], switches, pageRows: downloadBufferRows } : null;
};

const usualPageRows = 200;

/** Who may read a manifest: the same caller with the same rights. */
const ownerName = async (
  context: RequestContext,
  { catalogues }: Network,
  { accessFilter, settings }: NetworkDownloadParts,
): Promise<string> => {
  const rights: unknown[] = [];
  for (const catalogueId of catalogues().values())
    rights.push(await Promise.resolve(accessFilter(context, catalogueId)).then(printSqon, refused));
  const name = callerName(context, settings.cost?.trustedProxies ?? 0);
  return hash('sha256', JSON.stringify([name, rights]));
};

const refused = (error: unknown): string => {
  if (error instanceof TributaryError) return error.code;
  throw error;
};
