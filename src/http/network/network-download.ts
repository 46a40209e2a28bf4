import type { DownloadParts } from '../catalogue/download-routes.ts';
import { badUserInput } from '../../errors/errors.ts';
import { auditedRefusal } from '../callers/audit-questions.ts';
import { downloadBytes, readDownloadParams, sendDownload } from '../catalogue/download-routes.ts';
import { nothingAt, memoryOf, requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { auditOf } from '../koa/request-questions.ts';
import { requireNetwork, servedNetwork, type NetworkParts } from '../callers/find-target.ts';

export type NetworkDownloadParts = DownloadParts & NetworkParts;

/**
 * /network/download, /{catalogue}/network/download; with `?manifest`, the manifest that is known before the file.
 * @param name the catalogue's name; null: the server's network, or that of its only catalogue
 */
export const downloadNetwork = async (
  context: HttpContext,
  name: string | null,
  parts: NetworkDownloadParts,
): Promise<void> => {
  const served = servedNetwork(name, parts);
  if (served === null || served.switches.disableDownloads) throw nothingAt(context.path);
  const { network, switches, pageRows } = served;
  const { accessFilter, networkAccess, allowanceOf, body, spools } = parts;
  // a caller without access is refused first, whatever the request
  const target = { catalogueId: null, network: network.displayName() };
  const kind = context.query['manifest'] === undefined ? 'download' : 'count';
  await requireNetwork(context, served, parts).catch(auditedRefusal(auditOf(context), target, kind));
  const params = await readDownloadParams(context, body);
  const requestContext = requestContextOf(context, {
    accessFilter,
    networkAccess,
    allowance: allowanceOf(context),
  });
  await network.opened;
  const { disableFilters } = switches;
  if (kind === 'count') {
    assertNoValue(context);
    context.set('cache-control', 'no-store');
    context.body = await network.planDownload(params, requestContext, { disableFilters });
    return;
  }
  memoryOf(context)?.add(downloadBytes);
  const opened = await network.download(params, requestContext, {
    pageRows,
    headersOnly: context.method === 'HEAD',
    spools,
    disableFilters,
  });
  sendDownload(context, opened, parts);
};

/** @throws TributaryError BAD_USER_INPUT */
const assertNoValue = ({ query: { manifest } }: HttpContext): void => {
  if (manifest === '') return;
  throw badUserInput('?manifest takes no value: POST .../download?manifest answers with the manifest alone');
};
