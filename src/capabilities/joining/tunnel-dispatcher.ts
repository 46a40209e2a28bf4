import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { constants } from 'node:http2';
import type { Dispatcher } from 'undici';
import { TributaryError } from '../../lib/errors/errors.ts';

/**
 * Sends requests to a node that dials in, over its current tunnel: callers use it like a pool of connections to an
 * address.
 */
export class TunnelDispatcher {
  #session: ClientHttp2Session | null = null;
  #lostMs: number | null = null;
  #reason: string | null = null;

  /** Sends further requests through this session; those in progress end on theirs. */
  use(session: ClientHttp2Session): void {
    this.#session = session;
  }

  /** @param reason why there is no longer a tunnel */
  lose(reason: string, nowMs: number): void {
    this.#session = null;
    this.#lostMs = nowMs;
    this.#reason = reason;
  }

  /** Sends one request, as Dispatcher.dispatch does. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new Exchange(handler);
    const session = this.#session;
    if (session === null) exchange.fail(new TributaryError('NODE_DISCONNECTED', this.absence()));
    else exchange.send(session, options);
    return true;
  }

  /** Why there is no tunnel and since when, for display. */
  absence(): string {
    const since = this.#lostMs === null ? '' : ` since ${new Date(this.#lostMs).toISOString().slice(0, 16)}Z`;
    const reason = this.#reason === null ? '' : `; last reason: ${this.#reason}`;
    return `has not dialled in${since}${reason}`;
  }
}

/** One request and its response. */
class Exchange implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler;
  #stream: ClientHttp2Stream | null = null;
  #isEnded = false;
  aborted = false;
  reason: Error | null = null;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  get paused(): boolean {
    return this.#stream?.isPaused() ?? false;
  }

  send(
    session: ClientHttp2Session,
    { method, path, headers, body = null }: Dispatcher.DispatchOptions,
  ): void {
    this.#handler.onRequestStart?.(this, null);
    if (this.aborted) return;
    try {
      const pseudo = { ':method': method, ':path': path };
      const stream = session.request(
        { ...pseudo, ...(headers as Readonly<Record<string, string>> | undefined) },
        { endStream: body === null },
      );
      this.#follow(stream, session);
      if (body !== null) stream.end(body as string);
    } catch (error) {
      this.fail(error);
    }
  }

  #follow(stream: ClientHttp2Stream, session: ClientHttp2Session): void {
    this.#stream = stream;
    let hasEnded = false;
    stream.on('response', (received) => {
      const { [constants.HTTP2_HEADER_STATUS]: status, ...headers } = received;
      this.#handler.onResponseStart?.(this, Number(status), headers as IncomingHttpHeaders);
    });
    stream.on('data', (chunk: Buffer) => this.#handler.onResponseData?.(this, chunk));
    stream.on('end', () => (hasEnded = true));
    stream.on('error', (error) => this.fail(error));
    // a session that is destroyed ends its streams as if they were complete
    stream.on('close', () => {
      const isComplete = hasEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR;
      if (isComplete && !session.destroyed) this.#end();
      else this.fail(lost());
    });
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#handler.onResponseEnd?.(this, {});
  }

  fail(error: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#handler.onResponseError?.(this, error instanceof TributaryError ? error : lost(error));
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.#isEnded = true;
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }
}

/** The error of a lost connection: the request may be sent once more. */
const lost = (cause?: unknown): Error =>
  Object.assign(new Error('the tunnel was lost', { cause }), { code: 'ECONNRESET' });
