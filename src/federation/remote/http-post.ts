import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { TributaryError } from '../../errors.ts';

export interface HttpPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Of the answer's body, after decompression. */
  readonly maxBytes: number;
  /** Whether the body of an answer with such a status is worth reading. */
  readonly isRead: (status: number) => boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** The header of that name; null where there is none. */
  readonly retryAfter: string | null;
  /** Whole and unpacked; null when it was not to be read. */
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
 * Posts JSON, once: redirects are answers like any other. A chunk is taken as it comes, without the streams, Request
 * and Response of fetch, which cost more than all the rest of asking a node.
 * @throws TributaryError NODE_BAD_RESPONSE for a body past its limit or in an unknown encoding; else what undici throws,
 *   or the reason of the signal
 */
export const httpPost = async (
  agent: Dispatcher,
  { origin, pathname, search }: URL,
  post: HttpPost,
): Promise<HttpAnswer> => {
  post.signal.throwIfAborted();
  // what goes by the name of deflate is one of two formats
  const headers = { ...post.headers, 'accept-encoding': 'gzip' };
  const options = { origin, path: pathname + search, method: 'POST', headers, body: post.body };
  const { encoding, body, ...head } = await new Promise<PackedAnswer>((resolve, reject) =>
    agent.dispatch(options, collecting(post, resolve, reject)),
  );
  return { ...head, body: body && (await unpacked(body, encoding, post.maxBytes)) };
};

interface PackedAnswer extends HttpAnswer {
  readonly encoding: string;
}

const collecting = (
  { signal, maxBytes, isRead }: HttpPost,
  resolve: (answer: PackedAnswer) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let head = { status: 0, encoding: '', retryAfter: null as string | null };
  let started: Dispatcher.DispatchController | null = null;
  const leave = (): void => {
    // as long as it is being connected there is nothing to abort, and nothing would be said
    reject(signal.reason);
    started?.abort(signal.reason as Error);
  };
  const settled = (): void => signal.removeEventListener('abort', leave);
  signal.addEventListener('abort', leave, { once: true });
  return {
    // told again when the connection broke before anything was sent
    onRequestStart: (controller) => {
      started = controller;
      if (signal.aborted) leave();
    },
    onResponseStart: (controller, code, headers) => {
      // what is below 200 says that the answer is still to come
      if (code < 200) return;
      head = { status: code, encoding: encodingOf(headers), retryAfter: retryAfterOf(headers) };
      if (isRead(code)) return;
      resolve({ ...head, body: null });
      controller.abort(new Error('the body is not wanted'));
    },
    onResponseData: (controller, chunk) => {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes > maxBytes) controller.abort(tooLarge(maxBytes));
    },
    onResponseEnd: () => {
      settled();
      resolve({ ...head, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes) });
    },
    onResponseError: (_controller, error) => {
      settled();
      reject(error);
    },
  };
};

const encodingOf = ({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): string =>
  String(encoding).trim().toLowerCase();

const retryAfterOf = ({ 'retry-after': header }: IncomingHttpHeaders): string | null =>
  header === undefined ? null : String(header);

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
