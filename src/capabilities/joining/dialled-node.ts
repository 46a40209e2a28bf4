import { constants, type ClientHttp2Session } from 'node:http2';
import type { WebSocket } from 'ws';
import type { CloseReason } from './handshake.ts';
import { TunnelDispatcher } from './tunnel-dispatcher.ts';
import { closeWith, lastWord } from './web-socket.ts';

/** A broken session cannot send anything; its connection may be closed a moment later. */
const sayLast = (session: ClientHttp2Session, reason: CloseReason, message: string): void => {
  if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, 0, lastWord(reason, message));
};

/** A node that dials in, and its current tunnel. */
export class DialledNode {
  readonly nodeId: string;
  readonly key: string;
  readonly dispatcher = new TunnelDispatcher();
  readonly #listeners = new Set<(isConnected: boolean) => void>();
  #current: { readonly session: ClientHttp2Session; readonly socket: WebSocket } | null = null;

  constructor(nodeId: string, key: string) {
    this.nodeId = nodeId;
    this.key = key;
  }

  isConnected(): boolean {
    return this.#current !== null;
  }

  absence(): string {
    return this.dispatcher.absence();
  }

  /** Calls back whenever a tunnel is opened or lost. @returns removes the listener */
  onChange(listener: (isConnected: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A second tunnel replaces the first, whose requests in progress may end. */
  use(session: ClientHttp2Session, socket: WebSocket): void {
    const before = this.#current;
    this.#current = { session, socket };
    this.dispatcher.use(session);
    const ended = (reason: string): void => {
      if (this.#current?.session !== session) return;
      this.#current = null;
      this.dispatcher.lose(reason, Date.now());
      for (const listener of this.#listeners) listener(false);
    };
    session.once('goaway', () => ended('the node is stopping'));
    session.once('close', () => socket.terminate());
    socket.once('close', (code, reason) => {
      session.destroy(new Error('the tunnel was lost'));
      ended(reason.length > 0 ? reason.toString() : `connection closed (${code})`);
    });
    if (before !== null)
      sayLast(before.session, 'replaced', 'a newer tunnel of the same key has replaced this one');
    for (const listener of this.#listeners) listener(true);
  }

  /** Sends GOAWAY. */
  retire(): void {
    if (this.#current !== null) sayLast(this.#current.session, 'goingAway', 'the hub stops');
  }

  end(): void {
    if (this.#current !== null)
      closeWith(this.#current.socket, 'keyRefused', 'this key is not accepted any more');
  }
}
