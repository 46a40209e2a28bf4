import type { IncomingMessage } from 'node:http';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { asTributaryError } from '../errors/errors.ts';
import type { AboutNetwork, Identity, KnownMember, ProvenMember } from './handshake.ts';
import { admit, checkDial, closeCodes, greet, HandshakeError } from './handshake.ts';
import { TunnelDispatcher } from './tunnel-dispatcher.ts';
import {
  closeWith,
  lastWord,
  maxMessageBytes,
  receiveText,
  sessionOptions,
  tunnelStream,
} from './web-socket.ts';

export interface HubSettings {
  readonly identity: Identity;
  /** The key before, by which some members still know this hub; unset or null: none. */
  readonly former?: Identity | null;
  /** This server's address as members know it. */
  readonly audience: () => string;
  /** The name of the network. */
  readonly network: () => string;
  /** What is known of a node that dials in; undefined: there is no such node. */
  readonly memberOf: (nodeId: string) => KnownMember | undefined;
  /** What an invited member learns of the network, to propose names. */
  readonly about: () => AboutNetwork | Promise<AboutNetwork>;
  /** The address that a member dials from. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** A member has proved that it was invited: keeps its key for a person to accept. */
  readonly onInvited: (member: ProvenMember) => void;
  /** A member has left by itself. */
  readonly onLeft: (nodeId: string) => void;
  readonly maxResponseBytes: number;
  readonly log: { readonly info: LogFn; readonly warn: LogFn };
}

type LogFn = (details: object, message: string) => void;

/** A node that dials in, as the network sees it. */
export interface DialledNode {
  readonly dispatcher: TunnelDispatcher;
  readonly isConnected: () => boolean;
  readonly absence: () => string;
  /** Calls back whenever a tunnel is there or lost. @returns removes the listener */
  readonly onChange: (listener: (isConnected: boolean) => void) => () => void;
}

const maxHandshakes = 64;
const handshakeMs = 10_000;
/** Failed handshakes of one address in a minute, after which it is refused at once. */
const maxFailures = 20;
/** Of failed handshakes, so that many addresses take no memory. */
const maxAddresses = 10_000;

/** The end of tunnels that members dial into. */
export class Hub {
  readonly #settings: HubSettings;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: true,
  });
  readonly #nodes = new Map<string, Tunnelled>();
  readonly #failures = new Map<string, number>();
  readonly #forget = setInterval(() => this.#failures.clear(), 60_000).unref();
  #handshakes = 0;
  #isClosed = false;

  constructor(settings: HubSettings) {
    this.#settings = settings;
  }

  /** The node that is known by this key, whether it has a tunnel or not: what another key has dialled is not its. */
  node(nodeId: string, key: string): DialledNode {
    return this.#tunnelled(nodeId, key);
  }

  #tunnelled(nodeId: string, key: string): Tunnelled {
    const name = `${key} ${nodeId}`;
    const known = this.#nodes.get(name) ?? new Tunnelled(nodeId, key);
    this.#nodes.set(name, known);
    return known;
  }

  /** Takes over a connection that a member has opened with a request to dialPath. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = this.#settings.addressOf(request);
    const refusal = this.#refusalOf(request, address);
    // a connection that is reset here has no other listener
    socket.on('error', () => socket.destroy());
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    // not called for a request that is no WebSocket's
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#handshakes += 1;
      // reported by the close that follows
      opened.on('error', () => undefined);
      void this.#receive(opened, address).finally(() => (this.#handshakes -= 1));
    });
  }

  /** Nobody may dial in any more. Tunnels stay: requests that still arrive here go through them. */
  retire(): void {
    this.#isClosed = true;
  }

  close(): void {
    this.retire();
    clearInterval(this.#forget);
    for (const node of this.#nodes.values()) node.retire();
    for (const socket of this.#server.clients) closeWith(socket, 'goingAway', 'the hub stops');
  }

  /** Ends the tunnels of keys that are not accepted any more. */
  dropRefused(): void {
    for (const [name, node] of this.#nodes) {
      if (this.#settings.memberOf(node.nodeId)?.key === node.key) continue;
      node.end();
      this.#nodes.delete(name);
    }
  }

  #refusalOf({ headers }: IncomingMessage, address: string): string | null {
    if (this.#isClosed) return '503 Service Unavailable';
    // pages of browsers always send it
    if (headers.origin !== undefined) return '403 Forbidden';
    if ((this.#failures.get(address) ?? 0) >= maxFailures) return '429 Too Many Requests';
    return this.#handshakes >= maxHandshakes ? '503 Service Unavailable' : null;
  }

  async #receive(socket: WebSocket, address: string): Promise<void> {
    const { identity, former, audience, network, memberOf, onInvited, about, log } = this.#settings;
    const signal = AbortSignal.timeout(handshakeMs);
    try {
      const sent = greet(network(), { identity, former });
      socket.send(JSON.stringify(sent));
      const statement = await receiveText(socket, signal);
      const member = await checkDial(statement, sent, { identity, former, audience: audience() }, memberOf);
      if (member.by === 'invitation') {
        onInvited(member);
        socket.send(await admit(member, 'invited', identity, await about()));
        return closeWith(socket, 'invited', 'waits to be accepted by the hub');
      }
      socket.send(await admit(member, 'accepted', identity));
      await this.#open(socket, member, signal);
    } catch (error) {
      const { message } = asTributaryError(error);
      const reason = error instanceof HandshakeError ? error.reason : 'malformed';
      // whoever hangs up has not been refused
      if (reason === 'goingAway' || reason === 'lost') return;
      if (this.#failures.size >= maxAddresses) this.#failures.clear();
      this.#failures.set(address, (this.#failures.get(address) ?? 0) + 1);
      log.warn({ address, reason: message }, 'a server that dialled in was refused');
      closeWith(socket, reason, message);
    }
  }

  /** The member has checked the hub as well once it says that it listens; the next bytes are HTTP/2. */
  #open(socket: WebSocket, { nodeId, thumbprint }: ProvenMember, signal: AbortSignal): Promise<undefined> {
    const { maxResponseBytes, onLeft, log } = this.#settings;
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const isLate = (): void => reject(new HandshakeError('tooSlow', 'the handshake took too long'));
    signal.addEventListener('abort', isLate);
    socket.once('close', () => reject(new HandshakeError('lost', 'the connection was closed')));
    socket.once('message', (data, isBinary) => {
      signal.removeEventListener('abort', isLate);
      if (isBinary)
        return reject(new HandshakeError('malformed', 'the last message of a handshake expected'));
      const stream = tunnelStream(socket);
      const session = connect('http://member', {
        ...sessionOptions(maxResponseBytes),
        createConnection: () => stream,
      });
      session.on('error', (error) => log.warn({ node: nodeId, err: error }, 'tunnel failed'));
      this.#tunnelled(nodeId, thumbprint).use(session, socket);
      log.info({ node: nodeId }, 'node dialled in');
      socket.once('close', (code, reason) => {
        log.info({ node: nodeId, code, reason: reason.toString() }, 'the tunnel of a node has ended');
        if (code === closeCodes.left) onLeft(nodeId);
      });
      resolve(undefined);
    });
    return promise;
  }
}

/** A node that dials in, and the tunnel it has. */
class Tunnelled implements DialledNode {
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
    before?.session.goaway(
      constants.NGHTTP2_NO_ERROR,
      0,
      lastWord('replaced', 'a newer tunnel of the same key has replaced this one'),
    );
    for (const listener of this.#listeners) listener(true);
  }

  /** Sends GOAWAY. */
  retire(): void {
    this.#current?.session.goaway(constants.NGHTTP2_NO_ERROR, 0, lastWord('goingAway', 'the hub stops'));
  }

  end(): void {
    if (this.#current !== null)
      closeWith(this.#current.socket, 'keyRefused', 'this key is not accepted any more');
  }
}
