import { hash } from 'node:crypto';
import type { ManifestStore } from '../../federation/download/manifest-store.ts';
import type { Network } from '../../federation/network.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { JsonValue } from '../../json/json.ts';
import { auditing } from '../../search/audited-search.ts';
import { printSqon } from '../../sqon/parse.ts';
import { auditedBudget, auditedRefusal } from '../callers/audit-questions.ts';
import { callerName } from '../callers/caller-budgets.ts';
import type { DownloadParts } from '../catalogue/download-routes.ts';
import { downloadBytes, readDownloadParams, sendDownload } from '../catalogue/download-routes.ts';
import { nothingAt, memoryOf, requestContextOf, tiersOf, type HttpContext } from '../koa/http-context.ts';
import { auditOf } from '../koa/request-questions.ts';
import {
  requireNetwork,
  servedNetwork,
  type NetworkParts,
  type ServedNetwork,
} from '../callers/find-target.ts';

export interface NetworkDownloadParts extends DownloadParts, NetworkParts {
  /** Without it, manifests are only included in archives. */
  readonly manifests?: ManifestStore | undefined;
}

/**
 * /network/download, /{catalogue}/network/download.
 * @param name the catalogue's name; null: the server's network, or that of its only catalogue
 */
export const downloadNetwork = async (
  context: HttpContext,
  name: string | null,
  parts: NetworkDownloadParts,
): Promise<void> => {
  const served = servedAt(context, name, parts);
  const { network, switches, pageRows } = served;
  const { accessFilter, networkAccess, allowanceOf, body, spools, manifests, log } = parts;
  // a caller without access is refused first, whatever the request
  const target = { catalogueId: null, network: network.displayName() };
  const audit = auditOf(context);
  await requireNetwork(context, served, parts).catch(auditedRefusal(audit, target, 'download'));
  const params = await readDownloadParams(context, body).catch(auditedBudget(audit, target, 'download'));
  memoryOf(context)?.add(downloadBytes);
  const owner = await ownerName(context, network, parts);
  const requestContext = requestContextOf(context, {
    accessFilter,
    networkAccess,
    allowance: allowanceOf(context),
  });
  await network.opened;
  const opened = await network.download(params, requestContext, {
    pageRows,
    headersOnly: context.method === 'HEAD',
    spools,
    disableFilters: switches.disableFilters,
    keep: async (manifest) => {
      try {
        await manifests?.keep(manifest.id, owner, manifest);
      } catch (error) {
        // the file is complete without the manifest
        log.warn(
          { requestId: context.state.requestId, err: error },
          'the manifest of a download cannot be kept',
        );
      }
    },
  });
  context.set('tributary-manifest', opened.manifestId);
  sendDownload(context, opened, parts);
};

/** GET .../download/manifest/{id}: for the caller who requested the download. */
export const showManifest = async (
  context: HttpContext,
  name: string | null,
  id: string,
  parts: NetworkDownloadParts,
): Promise<void> => {
  const served = servedAt(context, name, parts);
  const { network } = served;
  const find = async (): Promise<JsonValue> => {
    await requireNetwork(context, served, parts);
    const manifest = await parts.manifests?.find(id, await ownerName(context, network, parts));
    if (manifest !== undefined && manifest !== null) return manifest;
    throw new TributaryError(
      'NOT_FOUND',
      'no such manifest: it is kept for a day after the download ends, and only for the caller who requested it',
    );
  };
  const question = {
    ...{ catalogueId: null, network: network.displayName(), nodes: [], tier: null },
    ...({ filters: null, fields: [], kind: 'manifest' } as const),
  };
  // what the manifest reveals about records was in the answer to another request
  const manifest = await auditing(
    auditOf(context),
    find,
    () => question,
    () => ({}),
  );
  context.set('cache-control', 'no-store');
  context.body = manifest;
};

/** @throws TributaryError NOT_FOUND */
const servedAt = (context: HttpContext, name: string | null, parts: NetworkDownloadParts): ServedNetwork => {
  const served = servedNetwork(name, parts);
  if (served === null || served.switches.disableDownloads) throw nothingAt(context.path);
  return served;
};

/** The caller who may read a manifest, which has exact counts: the same caller with the same rights. */
const ownerName = async (
  context: HttpContext,
  { catalogues }: Network,
  { accessFilter, settings }: NetworkDownloadParts,
): Promise<string> => {
  const rights: unknown[] = [];
  const { tierOf } = tiersOf(context);
  for (const catalogueId of catalogues().values()) {
    rights.push(await Promise.resolve(accessFilter(context, catalogueId)).then(printSqon, refused));
    rights.push(await Promise.resolve(tierOf(catalogueId)).catch(refused));
  }
  const name = callerName(context, settings.cost?.trustedProxies ?? 0);
  return hash('sha256', JSON.stringify([name, rights]));
};

const refused = (error: unknown): string => {
  if (error instanceof TributaryError) return error.code;
  throw error;
};
