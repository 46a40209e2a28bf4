import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { TributaryError } from '../../errors/errors.ts';

/** An answer as it came; the body is null when it was not to be read. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
}

export interface BodyLimits {
  readonly signal: AbortSignal;
  /** Limit on the response body, after decompression. */
  readonly maxBytes: number;
  /** Whether to read the body of a response with this status. */
  readonly isRead: (status: number) => boolean;
}

/** What becomes of an answer; may throw. */
export type ReadRaw<Answer> = (raw: RawAnswer) => Answer | Promise<Answer>;

/**
 * Sends a request, and reads its answer whole. The streams of undici's `request`, of which each request makes several,
 * cost more than everything else in asking a node.
 * @throws TributaryError NODE_BAD_RESPONSE for a body that is too large; the signal's reason, what undici reports, and
 *   what `read` throws
 */
export const readBody = <Answer>(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: BodyLimits,
  read: ReadRaw<Answer>,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    agent.dispatch(request, new BodyReader(resolve, reject, limits, read));
  });

/** The error for a body above its limit, whether packed or not. */
export const tooLarge = (maxBytes: number): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `the answer is larger than ${maxBytes} bytes`);

/** What undici tells of one request. */
class BodyReader<Answer> implements Dispatcher.DispatchHandler {
  /** null once settled: a connection keeps its last handler, which must not keep the answer. */
  #limits: BodyLimits | null;
  #read: ReadRaw<Answer> | null;
  #resolve: (answer: Answer | Promise<Answer>) => void;
  #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders | null = null;
  /** Most answers come in one piece. */
  #first: Buffer | null = null;
  #others: Buffer[] | null = null;
  #bytes = 0;
  #left: { readonly reason: unknown } | null = null;

  constructor(
    resolve: (answer: Answer | Promise<Answer>) => void,
    reject: (reason: unknown) => void,
    limits: BodyLimits,
    read: ReadRaw<Answer>,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#limits = limits;
    this.#read = read;
    // a signal of its own, of this request: it has no other listeners to go through
    limits.signal.addEventListener('abort', this);
    if (limits.signal.aborted) this.handleEvent();
  }

  /** The signal was aborted. */
  handleEvent(): void {
    const reason: unknown = this.#limits?.signal.reason;
    this.#left = { reason };
    this.#fail(reason);
    this.#controller?.abort(reason as Error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // who left while the connection was being made
    if (this.#left) controller.abort(this.#left.reason as Error);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // early hints are no answer
    if (status < 200 || this.#limits === null) return;
    if (this.#limits.isRead(status)) {
      this.#status = status;
      this.#headers = headers;
      return;
    }
    this.#settle({ status, headers, body: null });
    controller.abort(new Error('the body is not read'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#limits === null) return;
    if (this.#first === null) this.#first = chunk;
    else (this.#others ??= []).push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= this.#limits.maxBytes) return;
    const error = tooLarge(this.#limits.maxBytes);
    this.#fail(error);
    controller.abort(error);
  }

  onResponseEnd(): void {
    const headers = this.#headers;
    if (headers === null) return;
    const first = this.#first ?? nothing;
    const body = this.#others === null ? first : Buffer.concat([first, ...this.#others], this.#bytes);
    this.#settle({ status: this.#status, headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #settle(raw: RawAnswer): void {
    const limits = this.#limits;
    const read = this.#read;
    if (limits === null || read === null) return;
    try {
      this.#resolve(read(raw));
    } catch (error) {
      this.#reject(error);
    }
    this.#end(limits);
  }

  #fail(reason: unknown): void {
    if (this.#limits === null) return;
    this.#reject(reason);
    this.#end(this.#limits);
  }

  #end({ signal }: BodyLimits): void {
    signal.removeEventListener('abort', this);
    this.#limits = this.#read = this.#headers = this.#first = this.#others = null;
    this.#resolve = this.#reject = ended;
  }
}

const nothing = Buffer.alloc(0);
const ended = (): void => undefined;
