import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** An answer as it came; the body is null when it was not to be read. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
}

export interface BodyLimits {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly tooLarge: () => Error;
  /** Whether to read the body of a response with this status. */
  readonly isRead: (status: number) => boolean;
}

/**
 * Sends a request, and reads its answer whole. The streams of undici's `request`, of which each request makes several,
 * cost more than everything else in asking a node.
 * @throws the signal's reason, the error of a body that is too large, and what undici reports
 */
export const readBody = (
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: BodyLimits,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const reader = new BodyReader({ resolve, reject }, limits);
    agent.dispatch(request, reader);
  });

interface Settle {
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

/** What undici tells of one request. */
class BodyReader implements Dispatcher.DispatchHandler {
  /** null once settled: a connection keeps its last handler, which must not keep the answer. */
  #settle: Settle | null;
  #limits: BodyLimits | null;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Omit<RawAnswer, 'body'> | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #signal: AbortSignal;
  #left: { readonly reason: unknown } | null = null;

  constructor(settle: Settle, limits: BodyLimits) {
    this.#settle = settle;
    this.#limits = limits;
    this.#signal = limits.signal;
    // a signal of its own, of this request: it has no other listeners to go through
    this.#signal.addEventListener('abort', this);
    if (this.#signal.aborted) this.handleEvent();
  }

  /** The signal was aborted. */
  handleEvent(): void {
    const reason: unknown = this.#signal.reason;
    this.#left = { reason };
    this.#end()?.reject(reason);
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
      this.#head = { status, headers };
      return;
    }
    this.#end()?.resolve({ status, headers, body: null });
    controller.abort(new Error('the body is not read'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#limits === null) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= this.#limits.maxBytes) return;
    const error = this.#limits.tooLarge();
    this.#end()?.reject(error);
    controller.abort(error);
  }

  onResponseEnd(): void {
    if (this.#head === null) return;
    const { status, headers } = this.#head;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes);
    this.#end()?.resolve({ status, headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end()?.reject(error);
  }

  /** @returns how to settle it; null if it is settled already */
  #end(): Settle | null {
    const settle = this.#settle;
    this.#settle = null;
    this.#limits = null;
    this.#head = null;
    this.#chunks = [];
    if (settle !== null) this.#signal.removeEventListener('abort', this);
    return settle;
  }
}
