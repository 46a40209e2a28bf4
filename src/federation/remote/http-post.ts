import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { TributaryError } from '../../errors/errors.ts';
import { readBody, tooLarge, type BodyLimits, type RawAnswer } from './read-body.ts';

/** A URL computes them anew whenever they are read. */
export type Address = Pick<URL, 'origin' | 'pathname' | 'search'>;

export interface HttpPost extends BodyLimits {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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

/**
 * Reads an answer as it arrives; may throw. The promises of a request may be old when it is answered: what they resolve
 * to is moved to where only a long collection frees it, and whole answers are not to be.
 */
export type TakeHttp<Taken> = (answer: HttpAnswer) => Taken | Promise<Taken>;

/** Takes all of it. */
export const wholeAnswer: TakeHttp<HttpAnswer> = (answer) => answer;

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
 *   undici or `take` throws, or the signal's reason
 */
export const httpPost = <Taken>(
  agent: Dispatcher,
  { origin, pathname, search }: Address,
  sent: HttpPost,
  take: TakeHttp<Taken>,
): Promise<Taken> => {
  // as it was given
  if (sent.signal.aborted) return Promise.reject(sent.signal.reason as Error);
  // deflate is ambiguous: two formats go by that name
  const headers = { ...sent.headers, 'accept-encoding': 'gzip' };
  const request = {
    origin,
    path: pathname + search,
    method: 'POST',
    headers,
    body: bytesOf(sent.body),
  } as const;
  return readBody(agent, request, sent, (raw) => {
    const answer = readHttp(raw, sent);
    return answer instanceof Promise ? answer.then(take) : take(answer);
  });
};

let encoded = { text: '', bytes: Buffer.alloc(0) };

/** A thousand nodes are sent one text in turn, which is encoded once. */
const bytesOf = (text: string): Buffer => {
  if (encoded.text !== text) encoded = { text, bytes: Buffer.from(text) };
  return encoded.bytes;
};

const readHttp = (
  { status, headers, body }: RawAnswer,
  { maxBytes }: BodyLimits,
): HttpAnswer | Promise<HttpAnswer> => {
  const answer = {
    status,
    retryAfter: headerText(headers['retry-after']),
    contentType: headerText(headers['content-type']),
    etag: headerText(headers['etag']),
    schema: headerText(headers['tributary-schema']),
    body,
  };
  const encoding = headerText(headers['content-encoding'])?.trim().toLowerCase() ?? '';
  // an answer without content, such as a 304, may name the encoding of what it stands for
  if (body === null || body.byteLength === 0 || encoding === '' || encoding === 'identity') return answer;
  return unpacked(body, encoding, maxBytes).then((plain) => ({ ...answer, body: plain }));
};

const headerText = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : String(value);

const unpacked = async (body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> => {
  if (!isPacked(encoding)) throw malformed('the answer uses a content encoding that was not requested');
  try {
    return await unpackers[encoding](body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw malformed('the answer cannot be decompressed', error);
  }
};

const malformed = (reason: string, cause?: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', reason, { cause });
