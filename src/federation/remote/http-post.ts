import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { TributaryError } from '../../errors.ts';
import { readBody } from './read-body.ts';

export interface HttpPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Limit on the response body, after decompression. */
  readonly maxBytes: number;
  /** Whether to read the body of a response with this status. */
  readonly isRead: (status: number) => boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** The response headers of those names; null if absent. */
  readonly retryAfter: string | null;
  readonly contentType: string | null;
  readonly etag: string | null;
  readonly schema: string | null;
  /** Complete and decompressed; null when it was not to be read. */
  readonly body: Buffer | null;
}

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
const isPacked = (encoding: string): encoding is keyof typeof unpackers => Object.hasOwn(unpackers, encoding);

/**
 * Posts JSON, once: redirects are returned like any other response.
 * @throws TributaryError NODE_BAD_RESPONSE for a body that exceeds its limit or has an unknown encoding; else what
 *   undici throws, or the signal's reason
 */
export const httpPost = async (
  agent: Dispatcher,
  { origin, pathname, search }: URL,
  { headers: given, body: sent, signal, maxBytes, isRead }: HttpPost,
): Promise<HttpAnswer> => {
  signal.throwIfAborted();
  // deflate is ambiguous: two formats go by that name
  const asked = { ...given, 'accept-encoding': 'gzip' };
  const request = { origin, path: pathname + search, method: 'POST', headers: asked, body: sent } as const;
  const limits = { signal, maxBytes, isRead, tooLarge: () => tooLarge(maxBytes) };
  const { status, headers, body } = await readBody(agent, request, limits);
  const head = {
    status,
    retryAfter: headerText(headers['retry-after']),
    contentType: headerText(headers['content-type']),
    etag: headerText(headers['etag']),
    schema: headerText(headers['tributary-schema']),
  };
  if (body === null) return { ...head, body };
  const encoding = headerText(headers['content-encoding'])?.trim().toLowerCase() ?? '';
  return { ...head, body: await unpacked(body, encoding, maxBytes) };
};

const headerText = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : String(value);

const unpacked = async (body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> => {
  if (encoding === '' || encoding === 'identity') return body;
  if (!isPacked(encoding)) throw malformed('the answer uses a content encoding that was not requested');
  try {
    return await unpackers[encoding](body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw malformed('the answer cannot be decompressed', error);
  }
};

const tooLarge = (maxBytes: number): TributaryError =>
  malformed(`the answer is larger than ${maxBytes} bytes`);

const malformed = (reason: string, cause?: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', reason, { cause });
