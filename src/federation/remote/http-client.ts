import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import type { HeldMemory } from '../../runtime/memory-account.ts';
import { openSemaphore } from '../../concurrency/locks.ts';
import { TributaryError } from '../../errors/errors.ts';
import { openRetryBudget, retryingErrors, type RetryBudget } from '../../net/retry.ts';

/** Connections to all remote nodes. */
export interface Transport {
  /** Keeps connections open between requests. */
  readonly agent: Pick<Dispatcher, 'dispatch'>;
  /** Makes a connection for each request. */
  readonly freshAgent: Pick<Dispatcher, 'dispatch'>;
  /** The largest response read, in bytes after decompression. */
  readonly maxResponseBytes: number;
  /** Also aborts all requests: a node that hangs must not keep the process alive. */
  close(): Promise<void>;
}

/** The connection to a node that dials in: open while the node has a tunnel. */
export interface Tunnel {
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly isConnected: () => boolean;
  /** Why it is not connected, and since when. */
  readonly absence: () => string;
  /** Calls back when the tunnel opens or closes. @returns removes the listener */
  readonly onChange: (listener: (isConnected: boolean) => void) => () => void;
}

/** Requests through a tunnel, whose connection is the only one. */
export const tunnelTransport = ({ dispatcher }: Tunnel, maxResponseBytes: number): Transport => ({
  agent: dispatcher,
  freshAgent: dispatcher,
  maxResponseBytes,
  close: () => Promise.resolve(),
});

/** A node of this software accepts 1000 connections, from all its clients; further requests to it wait in a queue. */
const maxConnectionsPerNode = 64;

/** Every request has its own deadline, so undici's timeouts for the response are off. */
const options = {
  connections: maxConnectionsPerNode,
  connectTimeout: 10_000,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Opens the transport; no connection is made before the first request. @param maxResponseBytes after decompression */
export const openTransport = (maxResponseBytes: number): Transport => {
  // a server closes an idle connection after the time it announces: a connection about to be closed is not used again,
  // even if this process or the server is busy for a moment
  const agent = new Agent({ ...options, keepAliveTimeout: 30_000, keepAliveTimeoutThreshold: 2_500 });
  const freshAgent = new Agent({ ...options, pipelining: 0 });
  return {
    agent,
    freshAgent,
    maxResponseBytes,
    close: async () => void (await Promise.all([agent.destroy(), freshAgent.destroy()])),
  };
};

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
  /** Whether to read the body of a response with this status. */
  readonly isRead: (status: number) => boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Complete and decompressed; null if the body was not read. */
  readonly body: Buffer | null;
}

/** How long requests to a node that lost a kept connection are sent over new connections. */
const distrustMs = 60_000;

/**
 * Sends requests to one node. A server may close a kept connection at any time, and does when it restarts: a request lost
 * with it is sent once more over a new one, below the circuit, so that it counts once. For a while all other requests also
 * use new connections.
 */
export class NodeConnection {
  readonly maxResponseBytes: number;
  readonly #transport: Transport;
  readonly #address: Address;
  readonly #budget: RetryBudget;
  // undici's own queue holds an aborted request until its turn, which then costs a connection
  readonly #slots = openSemaphore(maxConnectionsPerNode);
  #distrustedUntilMs = -Infinity;

  /** @param budget the node's retry budget, which limits how many requests are resent */
  constructor(transport: Transport, address: string, budget: RetryBudget = openRetryBudget()) {
    const { origin, pathname, search } = new URL(address);
    this.maxResponseBytes = transport.maxResponseBytes;
    this.#transport = transport;
    this.#address = { origin, pathname, search };
    this.#budget = budget;
  }

  /**
   * Waits for one of the node's connections, then posts.
   * @param isIdempotent whether sending it twice has the effect of sending it once
   * @throws TributaryError NODE_TIMEOUT when the signal is aborted in the queue, and the errors of sendHttp
   */
  async post(request: HttpRequest, isIdempotent: boolean): Promise<HttpAnswer> {
    const release = await this.#slots.acquire(request.signal);
    try {
      return await this.#sendWithReconnect(request, isIdempotent);
    } finally {
      release();
    }
  }

  #sendWithReconnect(request: HttpRequest, isIdempotent: boolean): Promise<HttpAnswer> {
    const { agent, freshAgent } = this.#transport;
    const address = this.#address;
    if (performance.now() < this.#distrustedUntilMs) return sendHttp(freshAgent, address, request);
    return retryingErrors((attempt) => sendHttp(attempt === 1 ? agent : freshAgent, address, request), {
      attempts: 2,
      delays: { firstMs: 0, maxMs: 0 },
      isIdempotent,
      isTransient: (error) => this.#isLost(error),
      // requests are counted where they are made
      budget: { recordRequest: () => undefined, spend: () => this.#budget.spend() },
      signal: request.signal,
    });
  }

  #isLost(error: unknown): boolean {
    if (!isLostConnection(error)) return false;
    this.#distrustedUntilMs = performance.now() + distrustMs;
    return true;
  }
}

const lostCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether an established connection ended without an answer. */
const isLostConnection = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause)
    if (lostCodes.has((at as NodeJS.ErrnoException).code)) return true;
  return false;
};

type Address = Pick<URL, 'origin' | 'pathname' | 'search'>;

/**
 * Sends a request, once: redirects are returned like any other response.
 * @throws TributaryError NODE_BAD_RESPONSE for a body that exceeds its limit or has an unknown encoding; otherwise
 *   undici's error, or the signal's reason
 */
export const sendHttp = async (
  agent: Pick<Dispatcher, 'dispatch'>,
  { origin, pathname, search }: Address,
  request: HttpRequest,
): Promise<HttpAnswer> => {
  request.signal.throwIfAborted();
  const answer = await new Promise<HttpAnswer>((resolve, reject) => {
    agent.dispatch(
      {
        origin,
        path: pathname + search,
        method: 'POST',
        // deflate is ambiguous: two formats have that name
        headers: { ...request.headers, 'accept-encoding': 'gzip' },
        body: request.body,
      },
      new AnswerReader(request, resolve, reject),
    );
  });
  const { body } = answer;
  const encoding = String(answer.headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  // an answer without content may name an encoding
  if (body === null || body.byteLength === 0 || encoding === '' || encoding === 'identity') return answer;
  const unpacked = await decompress(body, encoding, request.maxBytes);
  request.memory?.add(Math.max(0, unpacked.byteLength - body.byteLength) * heldPerByte);
  return { ...answer, body: unpacked };
};

/**
 * Collects one response. undici's own `request` ignores the signal of a request that waits for a connection, and its
 * streams take longer than all other work in querying a node.
 */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #start: Omit<HttpAnswer, 'body'> | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isSettled = false;

  constructor(
    request: HttpRequest,
    resolve: (answer: HttpAnswer) => void,
    reject: (reason: unknown) => void,
  ) {
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
    this.#start = { status, headers };
    if (this.#request.isRead(status)) return;
    this.#settle();
    this.#resolve({ status, headers, body: null });
    controller.abort(new Error('the body is not read'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#request.maxBytes) this.#fail(tooLarge(this.#request.maxBytes));
    else this.#hold(chunk.byteLength);
  }

  #hold(bytes: number): void {
    try {
      this.#request.memory?.add(bytes * heldPerByte);
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseEnd(): void {
    if (this.#isSettled || this.#start === null) return;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes);
    this.#resolve({ ...this.#start, body });
    this.#settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(reason: unknown): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#reject(reason);
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
