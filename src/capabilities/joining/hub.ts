import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { asTributaryError } from '../../lib/errors/errors.ts';
import { DialledNode } from './dialled-node.ts';
import type { AboutNetwork, Identity, KnownMember, ProvenMember } from './handshake.ts';
import { admit, checkDial, closeCodes, greet, HandshakeError } from './handshake.ts';
import { memberKeyHeader } from './hubs-file.ts';
import { closeWith, maxMessageBytes, receiveText, sessionOptions, tunnelStream } from './web-socket.ts';

export interface HubSettings {
  readonly identity: Identity;
  /** The former key, by which some members still know this hub; unset or null: none. */
  readonly former?: Identity | null;
  /** This server's address as members know it. */
  readonly audience: () => string;
  /** The name of the network. */
  readonly network: () => string;
  /** What is known about a node that dials in; undefined: there is no such node. */
  readonly memberOf: (nodeId: string) => KnownMember | undefined;
  /** What an invited member learns about the network, in order to propose names. */
  readonly about: () => AboutNetwork | Promise<AboutNetwork>;
  /** The address that a member dials from. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** A member has proved that it was invited: stores its key until an operator accepts it. */
  readonly onInvited: (member: ProvenMember) => void;
  /** This connection has become the tunnel of a member. */
  readonly onOpened: (connection: Duplex) => void;
  /** A member has left the network on its own. */
  readonly onLeft: (nodeId: string) => void;
  readonly maxResponseBytes: number;
  readonly log: { readonly info: LogFn; readonly warn: LogFn };
}

type LogFn = (details: object, message: string) => void;

interface Dialler {
  readonly address: string;
  /** The group in which failures are counted. */
  readonly dialler: string;
  readonly connection: Duplex;
}

const maxHandshakes = 64;
/** Of one dialler, so that none keeps the others out. */
const maxHandshakesOfOne = 8;
const handshakeMs = 10_000;
/** Failed or abandoned handshakes per dialler and minute, after which it is refused at once. */
const maxFailures = 20;
/** The maximum number of diallers with failures that are remembered, to bound memory. */
const maxDiallers = 10_000;

/** The end of tunnels that members dial into. */
export class Hub {
  readonly #settings: HubSettings;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: true,
  });
  readonly #nodes = new Map<string, DialledNode>();
  readonly #failures = new Map<string, number>();
  readonly #forget = setInterval(() => this.#failures.clear(), 60_000).unref();
  /** Handshakes in progress by dialler. */
  readonly #handshakes = new Map<string, number>();
  #isClosed = false;

  constructor(settings: HubSettings) {
    this.#settings = settings;
  }

  /** The node with this key, whether it has a tunnel or not: a tunnel dialled with another key is not its tunnel. */
  node(nodeId: string, key: string): DialledNode {
    const name = `${key} ${nodeId}`;
    const known = this.#nodes.get(name) ?? new DialledNode(nodeId, key);
    this.#nodes.set(name, known);
    return known;
  }

  /** Takes over a connection that a member has opened with a request to dialPath. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = this.#settings.addressOf(request);
    const dialler = this.#diallerOf(request, address);
    const refusal = this.#refusalOf(request, dialler);
    // a connection that is reset here has no other listener
    socket.on('error', () => socket.destroy());
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    // not called for a request that is not a WebSocket handshake
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#count(dialler, 1);
      // reported by the close that follows
      opened.on('error', () => undefined);
      void this.#receive(opened, { address, dialler, connection: socket }).finally(() =>
        this.#count(dialler, -1),
      );
    });
  }

  /** Stops accepting tunnels. Open ones stay: requests that still arrive here go through them. */
  retire(): void {
    this.#isClosed = true;
  }

  close(): void {
    this.retire();
    clearInterval(this.#forget);
    for (const node of this.#nodes.values()) node.retire();
    for (const socket of this.#server.clients) closeWith(socket, 'goingAway', 'the hub stops');
  }

  /** Ends the tunnels of keys that are no longer accepted. */
  dropRefused(): void {
    for (const [name, node] of this.#nodes) {
      if (this.#settings.memberOf(node.nodeId)?.key === node.key) continue;
      node.end();
      this.#nodes.delete(name);
    }
  }

  /**
   * The group in which failures are counted. A claimed accepted key is counted separately, so that failures of others
   * behind the same proxy keep no member out.
   */
  #diallerOf({ headers }: IncomingMessage, address: string): string {
    const claimed = headers[memberKeyHeader];
    const isAccepted = [...this.#nodes.values()].some(({ key }) => key === claimed);
    return isAccepted ? `${address} ${String(claimed)}` : address;
  }

  #refusalOf({ headers }: IncomingMessage, dialler: string): string | null {
    if (this.#isClosed) return '503 Service Unavailable';
    // browsers always send it
    if (headers.origin !== undefined) return '403 Forbidden';
    if ((this.#failures.get(dialler) ?? 0) >= maxFailures) return '429 Too Many Requests';
    const ofAll = [...this.#handshakes.values()].reduce((sum, count) => sum + count, 0);
    const isFull = ofAll >= maxHandshakes || (this.#handshakes.get(dialler) ?? 0) >= maxHandshakesOfOne;
    return isFull ? '503 Service Unavailable' : null;
  }

  #count(dialler: string, change: 1 | -1): void {
    const count = (this.#handshakes.get(dialler) ?? 0) + change;
    if (count === 0) this.#handshakes.delete(dialler);
    else this.#handshakes.set(dialler, count);
  }

  async #receive(socket: WebSocket, { address, dialler, connection }: Dialler): Promise<void> {
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
      this.#settings.onOpened(connection);
    } catch (error) {
      const { message } = asTributaryError(error);
      const reason = error instanceof HandshakeError ? error.reason : 'malformed';
      if (this.#failures.size >= maxDiallers) this.#failures.clear();
      this.#failures.set(dialler, (this.#failures.get(dialler) ?? 0) + 1);
      // a dialler that hangs up has not been refused
      if (reason === 'goingAway' || reason === 'lost') return;
      log.warn({ address, reason: message }, 'a server that dialled in was refused');
      closeWith(socket, reason, message);
    }
  }

  /** The member has verified the hub too once it sends that it listens; the next bytes are HTTP/2. */
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
      this.node(nodeId, thumbprint).use(session, socket);
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
