import type { IncomingHttpHeaders } from 'node:http';
import { Client, Dispatcher } from 'undici';

/** The clients of one origin, of one connection each. */
interface Origin {
  /** The one that was used last comes last, and is used next: others are then closed as idle. */
  readonly idle: Client[];
  clients: number;
}

/**
 * Connections that are kept between requests, as many for each origin as there are requests at once. A pool of undici
 * takes 16 kB and a second connection for each origin, which is much for a thousand of them, and its layers take about
 * a third of a request's time.
 */
export class Connections extends Dispatcher {
  readonly #options: Client.Options;
  readonly #origins = new Map<string, Origin>();
  readonly #all = new Set<Client>();
  #isDestroyed = false;

  constructor(options: Client.Options) {
    super();
    this.#options = options;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const name = String(options.origin);
    const origin = this.#origins.get(name) ?? { idle: [], clients: 0 };
    this.#origins.set(name, origin);
    const client = origin.idle.pop() ?? this.#open(name, origin);
    return client.dispatch(options, new Returning(handler, () => void origin.idle.push(client)));
  }

  /** Ends all requests, too: a node that hangs must not keep the process alive. */
  override async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }

  #open(name: string, origin: Origin): Client {
    const client = new Client(name, this.#options);
    if (this.#isDestroyed) void client.destroy();
    this.#all.add(client);
    origin.clients += 1;
    const drop = (): void => {
      const index = origin.idle.indexOf(client);
      // one that is in use makes its connection anew
      if (index < 0) return;
      origin.idle.splice(index, 1);
      origin.clients -= 1;
      this.#all.delete(client);
      if (origin.clients === 0 && this.#origins.get(name) === origin) this.#origins.delete(name);
      void client.destroy();
    };
    client.on('disconnect', drop).on('connectionError', drop);
    return client;
  }
}

/** Passes on what undici tells of a request, and says when it has ended. */
class Returning implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  #ended: (() => void) | null;

  constructor(handler: Dispatcher.DispatchHandler, ended: () => void) {
    this.#handler = handler;
    this.#ended = ended;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    this.#handler.onResponseStart?.(controller, status, headers, message);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#end();
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#handler.onResponseError?.(controller, error);
  }

  #end(): void {
    const ended = this.#ended;
    this.#ended = null;
    ended?.();
  }
}
