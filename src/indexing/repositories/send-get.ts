import type { Dispatcher, Response } from 'undici';
import { fetch } from 'undici';
import { connectionReason } from '../../net/connection-reason.ts';
import { parseLosslessJson } from '../file-import/records/lossless-json.ts';

/** What came of one request, redirects followed. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** No use in asking again. */
  | { readonly kind: 'refused'; readonly reason: string; readonly cause?: unknown }
  /** May be better in a while. */
  | {
      readonly kind: 'passing';
      readonly reason: string;
      readonly retryAfter: string | null;
      readonly cause?: unknown;
    };

export interface GetRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const maxRedirects = 3;
/** Statuses whose body says what is not there. */
const telling = new Set([400, 404]);

/**
 * Sends one GET. Numbers past 2^53 keep their digits, as strings.
 * @returns an answer of status 200 with its JSON; of 400 or 404 with its JSON, undefined without any
 * @throws the signal's reason
 */
export const sendGet = async (request: GetRequest): Promise<Exchange> => {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    return await follow(request, signal);
  } catch (error) {
    request.signal.throwIfAborted();
    const reason = timeout.aborted
      ? `did not answer within ${request.timeoutMs} ms`
      : `cannot be fetched: ${connectionReason(error)}`;
    return { kind: 'passing', reason, retryAfter: null, cause: error };
  }
};

const follow = async (request: GetRequest, signal: AbortSignal): Promise<Exchange> => {
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, {
      headers: request.headers,
      redirect: 'manual',
      dispatcher: request.dispatcher,
      signal,
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return read(response);
    await response.body?.cancel();
    const next = URL.parse(location, url.href);
    // the credential must not go where it was not meant for
    if (next === null || next.origin !== url.origin)
      return refused(`redirects to ${next?.origin ?? 'no address'}, and only its own host is followed`);
    if (redirects === maxRedirects) return refused(`redirects more than ${maxRedirects} times`);
    url = next;
  }
};

const read = async (response: Response): Promise<Exchange> => {
  const { status } = response;
  if (status !== 200 && !telling.has(status)) {
    await response.body?.cancel();
    return failed(response);
  }
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    await response.body?.cancel();
    return status === 200
      ? refused(`answered ${typeName(type)}`)
      : { kind: 'answered', status, body: undefined };
  }
  const body = await readBody(response.body as AsyncIterable<Uint8Array> | null);
  if (body.kind === 'tooLarge') return refused('answered with more than 64 MiB: ask for smaller pages');
  if (body.kind === 'notUtf8') return refused('answered with text that is not UTF-8');
  try {
    return { kind: 'answered', status, body: parseLosslessJson(body.text).value };
  } catch (cause) {
    return refused('did not answer with JSON', cause);
  }
};

/** Other statuses than those with a body worth reading. */
const failed = (response: Response): Exchange => {
  const { status } = response;
  const reason = `answered HTTP ${status}`;
  if (status >= 500 || status === 408 || status === 425 || status === 429)
    return { kind: 'passing', reason, retryAfter: response.headers.get('retry-after') };
  return refused(status === 401 || status === 403 ? `${reason}: the credential is not accepted` : reason);
};

const refused = (reason: string, cause?: unknown): Exchange => ({ kind: 'refused', reason, cause });

const typeName = (type: string): string =>
  /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0].slice(0, 60) ?? 'without a content type';

/** The largest answer that is read, in bytes after decompression: 64 MiB. */
export const maxBodyBytes = 64 * 1024 * 1024;

export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'notUtf8' };

/**
 * A body as text, as long as it is within the limit; no more than the limit is ever held.
 * @throws what the stream throws
 */
export const readBody = async (stream: AsyncIterable<Uint8Array> | null): Promise<Body> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    // leaving the loop cancels the stream
    if (size > maxBodyBytes) return { kind: 'tooLarge' };
    chunks.push(chunk);
  }
  try {
    return {
      kind: 'text',
      text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size)),
    };
  } catch {
    return { kind: 'notUtf8' };
  }
};
