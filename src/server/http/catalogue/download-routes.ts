import type { Logger } from 'pino';
import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import { catalogueFiles } from '../../../local/download/catalogue-files.ts';
import {
  openDownload,
  planDownload,
  type Download,
  type DownloadSource,
} from '../../../local/download/open-download.ts';
import type { SpoolStorage } from '../../../local/download/spool.ts';
import { requireRecords, auditTargetOf, requireTarget, type TargetParts } from '../callers/require-access.ts';
import { availableIn, type Target } from '../callers/served.ts';
import type { RequestContext } from '../../../search/request-context.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { auditedRefusal } from '../../../search/audited-search.ts';
import { nothingAt, memoryOf, methodNotAllowed, requestContextOf } from '../koa/http-context.ts';
import { auditOf } from '../koa/request-record.ts';
import { parseClientJson, readJsonOrForm, type BodyLimits } from '../koa/request-body.ts';
import type { AllowanceOf } from '../callers/gate.ts';
import { isJsonObject } from '../../../lib/json/json.ts';
import { onAbort } from '../../../lib/concurrency/abort-listener.ts';
import { boundHeapUntilClosed, type Heap } from '../../../lib/runtime/garbage-collection.ts';

export interface DownloadParts extends TargetParts {
  readonly allowanceOf: AllowanceOf;
  readonly body: BodyLimits;
  readonly spools: SpoolStorage;
  readonly log: Logger;
  /** Aborted with an error that ends downloads in progress; unset: never. */
  readonly late?: AbortSignal | undefined;
}

/** /download below a catalogue or a network; with `?manifest`, what is known of the files before they are made. */
export const downloadFiles = async (
  context: HttpContext,
  target: Target,
  parts: DownloadParts,
): Promise<void> => {
  if (target.switches.disableDownloads) throw nothingAt(context.path);
  const { allowanceOf, body, spools } = parts;
  const isPlan = context.query['manifest'] !== undefined;
  // a caller without access is refused first, whatever the request
  const admitted =
    target.kind === 'network' ? requireTarget(context, target) : requireRecords(context, target.catalogue);
  await admitted.catch(
    auditedRefusal(auditOf(context), auditTargetOf(target), isPlan ? 'count' : 'download'),
  );
  const params = await readDownloadParams(context, body);
  const requestContext = requestContextOf(context, { allowance: allowanceOf(context) });
  const files = await filesOf(target, requestContext);
  if (isPlan) {
    assertNoValue(context);
    context.set('cache-control', 'no-store');
    context.body = await planDownload(params, files);
    return;
  }
  memoryOf(context)?.add(downloadBytes);
  const headersOnly = context.method === 'HEAD';
  sendDownload(context, await openDownload(params, files, requestContext, { headersOnly, spools }), parts);
};

const filesOf = async (target: Target, context: RequestContext): Promise<DownloadSource> => {
  const { pageRows } = target;
  if (target.kind === 'catalogue') return catalogueFiles(target.catalogue, context, pageRows);
  await target.network.opened;
  return target.network.files(context, pageRows);
};

/** @throws TributaryError BAD_USER_INPUT */
const assertNoValue = ({ query: { manifest } }: HttpContext): void => {
  if (manifest === '') return;
  throw badUserInput('?manifest takes no value: POST .../download?manifest answers with the manifest alone');
};

/** The memory of a download in addition to its pages: text that waits to be written, packed or read. */
const downloadBytes = 2 * 1024 * 1024;

/**
 * Koa destroys the connection when the body fails, and the body when the connection closes: a truncated file is not
 * terminated properly, and nothing is read for a disconnected client.
 */
export const sendDownload = (
  context: HttpContext,
  opened: Download,
  { log, late }: Pick<DownloadParts, 'log' | 'late'>,
  heap?: Heap,
): void => {
  const { requestId } = context.state;
  opened.content.on('error', (error) => {
    if (!context.res.destroyed) log.error({ requestId, err: error, path: context.path }, 'download failed');
  });
  const remove = late && onAbort(late, () => opened.content.destroy(late.reason as Error));
  opened.content.once('close', () => remove?.());
  context.status = 200;
  context.attachment(opened.fileName);
  context.set({
    'content-type': opened.contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-total-count': String(opened.total),
    'x-truncated': String(opened.isTruncated ?? 'unknown'),
  });
  if (context.method !== 'HEAD') {
    boundHeapUntilClosed(opened.content, opened.total, heap);
    sendOutcome(context, opened, log);
  }
  context.body = opened.content;
};

/** The number of records is known only at the end, so it is sent in trailers. */
const sendOutcome = (
  { req, res, state: { requestId }, path }: HttpContext,
  { content, total, outcome }: Download,
  log: Logger,
): void => {
  // earlier HTTP versions have no trailers
  if (req.httpVersion !== '1.0') res.setHeader('trailer', 'X-Record-Count, X-Complete');
  content.once('end', () => {
    const { records, isComplete, shortcomings } = outcome();
    res.addTrailers({ 'x-record-count': String(records), 'x-complete': String(isComplete) });
    if (shortcomings.length > 0)
      log.warn({ requestId, path, total, records, shortcomings }, 'a download lacks announced records');
  });
};

/** The error for a path of a download that leads nowhere, with those that lead somewhere. */
export const noSuchDownload = ({ served }: Pick<TargetParts, 'served'>): TributaryError => {
  const downloads = availableIn(served())
    .filter(({ switches }) => !switches.disableDownloads)
    .map(({ path }) => `${path}/download`);
  return new TributaryError('NOT_FOUND', 'there is no such download', { details: { downloads } });
};

/**
 * The parameters of a download request: `?params=` of a GET, the field `params` of a form (as a page submits it into an
 * iframe, its other fields ignored), or JSON: `{params}` or the params themselves. Params may be JSON text anywhere.
 * @throws TributaryError BAD_USER_INPUT, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export const readDownloadParams = async (context: HttpContext, limits: BodyLimits): Promise<unknown> => {
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return fromText(context.URL.searchParams.get('params'));
    case 'POST':
      return readPost(context, limits);
    default:
      throw methodNotAllowed(context, 'GET', 'POST');
  }
};

const readPost = async (context: HttpContext, limits: BodyLimits): Promise<unknown> => {
  const sent = await readJsonOrForm(context, limits);
  switch (sent.kind) {
    case 'form':
      return fromText(sent.fields.get('params'));
    case 'json':
      return fromJson(sent.value);
    case 'none':
      throw missing();
  }
};

const fromText = async (params: string | null): Promise<unknown> => {
  if (params === null || params === '') throw missing();
  return parseClientJson(params, 'params is not JSON');
};

const fromJson = async (body: unknown): Promise<unknown> => {
  if (!isJsonObject(body)) throw missing();
  const { params } = body;
  if (typeof params === 'string') return fromText(params);
  if (params !== undefined && params !== null) return params;
  if (body['files'] === undefined) throw missing();
  return body;
};

const missing = (): TributaryError =>
  badUserInput(
    'params is missing: JSON such as {"files": [{"fileName": "a.tsv", "columns": [{"fieldName": "id"}]}]} expected',
  );
