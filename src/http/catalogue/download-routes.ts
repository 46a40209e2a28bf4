import type { Logger } from 'pino';
import { TributaryError } from '../../errors/errors.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { openDownload, type Download } from '../../local/download/open-download.ts';
import type { SpoolStorage } from '../../local/download/spool-storage.ts';
import type { Registry } from '../../local/registry.ts';
import { boundHeapUntilClosed } from './download-heap.ts';
import { ambiguousBody, failedElsewhere } from './catalogue-bodies.ts';
import { readDownloadParams } from './download-params.ts';
import { notDisclosed } from '../../disclosure/not-disclosed.ts';
import { viewFor } from '../callers/guarded-view.ts';
import { findCatalogue, nothingAt, onlyCatalogue } from './find-catalogue.ts';
import { requestContextOf, type AccessFilter, type HttpContext } from '../koa/http-context.ts';
import type { AllowanceOf } from '../callers/request-allowances.ts';
import type { HttpSettings } from '../koa/settings.ts';

export interface DownloadParts {
  readonly registry: Registry;
  readonly accessFilter: AccessFilter;
  readonly allowanceOf: AllowanceOf;
  readonly settings: HttpSettings;
  readonly spools: SpoolStorage;
  readonly log: Logger;
}

/** /download: of the only catalogue. */
export const downloadOnly = async (context: HttpContext, parts: DownloadParts): Promise<void> => {
  const only = onlyCatalogue(parts.registry.states());
  if (only === null) throw noSuchPath(parts.registry);
  await download(context, only, parts);
};

/** /{catalogue}/download, by id or document type. */
export const downloadNamed = async (
  context: HttpContext,
  name: string,
  parts: DownloadParts,
): Promise<void> => {
  const found = findCatalogue(parts.registry.states(), name);
  switch (found.kind) {
    case 'found':
      return download(context, found.state, parts);
    case 'ambiguous':
      context.status = 409;
      context.body = ambiguousBody(found.documentType, found.catalogueIds);
      return;
    case 'unknown':
      throw noSuchPath(parts.registry);
  }
};

const download = async (
  context: HttpContext,
  state: CatalogueState,
  { accessFilter, allowanceOf, settings, spools, log }: DownloadParts,
): Promise<void> => {
  if (state.status === 'failed') {
    context.status = 404;
    context.body = failedElsewhere(state);
    return;
  }
  const { config } = state;
  if (config.switches.disableDownloads) throw nothingAt(context.path);
  // a caller without access is refused first, whatever the request
  await accessFilter(context, config.catalogueId);
  const { tier } = await viewFor(context, state.catalogue);
  if (tier !== 'records') throw notDisclosed('records are');
  const params = await readDownloadParams(context, settings.bodyLimitBytes);
  const requestContext = requestContextOf(context, { accessFilter, allowance: allowanceOf(context) });
  const opened = await openDownload(params, state.catalogue, requestContext, {
    pageRows: config.downloadBufferRows,
    spools,
  });
  sendDownload(context, opened, log);
};

/**
 * Koa destroys the connection when the body fails, and the body when the connection closes: a truncated file is not
 * terminated properly, and nothing is read for a disconnected client.
 */
export const sendDownload = (context: HttpContext, opened: Download, log: Logger): void => {
  const { requestId } = context.state;
  opened.content.on('error', (error) => {
    if (!context.res.destroyed) log.error({ requestId, err: error, path: context.path }, 'download failed');
  });
  context.status = 200;
  context.attachment(opened.fileName);
  context.set({
    'content-type': opened.contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-total-count': String(opened.total),
    'x-truncated': String(opened.isTruncated),
  });
  boundHeapUntilClosed(opened.content, opened.total);
  context.body = opened.content;
};

const noSuchPath = (registry: Registry): TributaryError => {
  const downloads = registry
    .states()
    .filter(({ config }) => !config.switches.disableDownloads)
    .map(({ config }) => `/${encodeURIComponent(config.catalogueId)}/download`);
  return new TributaryError('NOT_FOUND', 'there is no such download', { details: { downloads } });
};
