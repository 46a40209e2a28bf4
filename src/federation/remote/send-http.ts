import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { HeldMemory } from '../../lib/runtime/memory-account.ts';

/** One POST. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts the request, both in the queue and in progress. */
  readonly signal: AbortSignal;
  /** Limit on the response body, before and after decompression. */
  readonly maxBytes: number;
  /** The received bytes are added to it. */
  readonly memory?: Pick<HeldMemory, 'add'> | undefined;
  /** Whether to read the body of a response; it throws to refuse the response. */
  readonly isRead: (status: number, headers: IncomingHttpHeaders) => boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Complete and decompressed; null if the body was not read. */
  readonly body: Buffer | null;
}

/**
 * Sends a request, once: redirects are returned like any other response.
 * @throws TributaryError NODE_BAD_RESPONSE for a body that exceeds its limit or has an unknown encoding; otherwise
 *   undici's error, or the signal's reason
 */
export const sendHttp = async (
  agent: Pick<Dispatcher, 'dispatch'>,
  address: URL,
  sent: HttpRequest,
): Promise<HttpAnswer> => {
  sent.signal.throwIfAborted();
  const answer = await exchange(agent, address, sent);
  const { headers, body } = answer;
  const encoding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  // an answer without content may name an encoding
  if (body === null || body.byteLength === 0 || encoding === '' || encoding === 'identity') return answer;
  const unpacked = await decompress(body, encoding, sent.maxBytes);
  sent.memory?.add(Math.max(0, unpacked.byteLength - body.byteLength) * heldPerByte);
  return { ...answer, body: unpacked };
};

/**
 * One exchange of a request and its response. undici's own `request` keeps a caller who leaves until there is a connection,
 * and takes half as much time again.
 */
const exchange = (
  agent: Pick<Dispatcher, 'dispatch'>,
  { origin, pathname, search }: URL,
  request: HttpRequest,
): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    // deflate is ambiguous: two formats have that name
    const headers = { ...request.headers, 'accept-encoding': 'gzip' };
    agent.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body: request.body },
      new AnswerReader(request, resolve, reject),
    );
  });

/** Collects one response. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (reason: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #start: Omit<HttpAnswer, 'body'> | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isSettled = false;

  constructor(request: HttpRequest, resolve: (answer: HttpAnswer) => void, reject: (reason: Error) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    request.signal.addEventListener('abort', this);
  }

  /** The signal was aborted. */
  handleEvent(): void {
    this.#fail(this.#request.signal.reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // the signal was aborted while the request waited for a connection
    if (this.#isSettled) controller.abort(this.#request.signal.reason as Error);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // early hints are not an answer
    if (status < 200 || this.#isSettled) return;
    this.#attempt(({ isRead, maxBytes }) => {
      this.#start = { status, headers };
      if (!isRead(status, headers)) this.#finish(null);
      else if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
    });
    if (this.#isSettled) controller.abort(new Error('the body is not read'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#attempt(({ maxBytes, memory }) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.byteLength;
      if (this.#bytes > maxBytes) throw tooLarge(maxBytes);
      memory?.add(chunk.byteLength * heldPerByte);
    });
  }

  onResponseEnd(): void {
    if (this.#start !== null)
      this.#finish(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #attempt(step: (request: HttpRequest) => void): void {
    if (this.#isSettled) return;
    try {
      step(this.#request);
    } catch (error) {
      this.#fail(error);
    }
  }

  #finish(body: Buffer | null): void {
    this.#resolve({ ...this.#start!, body });
    this.#settle();
  }

  #fail(reason: unknown): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#reject(reason as Error);
    this.#controller?.abort(reason as Error);
  }

  /** A connection keeps its last handler, which must not retain the answer. */
  #settle(): void {
    this.#isSettled = true;
    this.#chunks = [];
    this.#start = null;
    this.#request.signal.removeEventListener('abort', this);
  }
}

/** Memory per received byte: the byte itself, the values parsed from it, and what is derived from them. */
const heldPerByte = 3;

// undici's interceptor for it is experimental, and passes on what it does not know
const decompressors: Readonly<
  Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

const decompress = async (body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> => {
  if (!Object.hasOwn(decompressors, encoding))
    throw malformed('the answer uses a content encoding that was not requested');
  try {
    return await decompressors[encoding]!(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw malformed('the answer cannot be decompressed', error);
  }
};

/** The error for a body above its limit, compressed or not. */
const tooLarge = (maxBytes: number): TributaryError =>
  malformed(`the answer is larger than ${maxBytes} bytes`);

const malformed = (reason: string, cause?: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', reason, { cause });
