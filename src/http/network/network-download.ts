import type { DownloadParts } from '../catalogue/download-routes.ts';
import { badUserInput } from '../../errors/errors.ts';
import { auditedRefusal } from '../callers/audit-questions.ts';
import { downloadBytes, readDownloadParams, sendDownload } from '../catalogue/download-routes.ts';
import { nothingAt, memoryOf, requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { auditOf } from '../koa/request-questions.ts';
import { auditTargetOf, requireTarget } from '../callers/find-target.ts';
import type { ServedNetwork } from '../callers/served.ts';

/** /download below a network; with `?manifest`, the manifest that is known before the file. */
export const downloadNetwork = async (
  context: HttpContext,
  target: ServedNetwork,
  parts: DownloadParts,
): Promise<void> => {
  const { network, switches, pageRows } = target;
  if (switches.disableDownloads) throw nothingAt(context.path);
  const { accessFilter, networkAccess, allowanceOf, body, spools } = parts;
  // a caller without access is refused first, whatever the request
  const kind = context.query['manifest'] === undefined ? 'download' : 'count';
  await requireTarget(context, target, parts).catch(
    auditedRefusal(auditOf(context), auditTargetOf(target), kind),
  );
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
