import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What the clients of a server may hold of it. */
export interface ConnectionLimits {
  /** Connections at once. */
  readonly maxConnections: number;
  /** Those of them that nothing is worked on for. */
  readonly maxIdleConnections: number;
  /** How long a client may take no byte of what is there for it. */
  readonly sendTimeoutMs: number;
}

interface Connection {
  readonly socket: Socket;
  /** Requests that have arrived whole and are not answered to the end. */
  requests: number;
  /** What its client has taken, when it was last looked at, and since when that is so. */
  taken: string;
  takenMs: number;
}

/** A client that has taken nothing for so long may have to make room for another. */
const stalledMs = 1_000;

/**
 * Keeps the connections of a server within limits. When there are too many, the one that has waited longest for its
 * client makes room: whoever opens many and says nothing keeps nobody out. A client that takes no more of its answer
 * is left, and its answer with it.
 */
export const guardConnections = (server: Server, limits: ConnectionLimits): void => {
  const all = new Set<Connection>();
  // in the order in which they became so
  const idle = new Set<Connection>();
  const of = new WeakMap<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const connection = { socket, requests: 0, taken: takenBy(socket), takenMs: performance.now() };
    of.set(socket, connection);
    all.add(connection);
    idle.add(connection);
    socket.once('close', () => {
      all.delete(connection);
      idle.delete(connection);
    });
    if (all.size > limits.maxConnections) leave(oldest(idle, connection) ?? stalled(all) ?? connection, idle);
    else if (idle.size > limits.maxIdleConnections) leave(oldest(idle, connection) ?? connection, idle);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = of.get(request.socket);
    if (connection !== undefined) watchRequest(connection, idle, request, response);
  });
  watchTaking(server, all, limits.sendTimeoutMs);
};

const oldest = (idle: ReadonlySet<Connection>, besides: Connection): Connection | undefined => {
  for (const connection of idle) if (connection !== besides) return connection;
  return undefined;
};

const stalled = (all: ReadonlySet<Connection>): Connection | undefined => {
  const longAgo = performance.now() - stalledMs;
  return [...all]
    .filter(({ socket, takenMs }) => isSending(socket) && takenMs <= longAgo)
    .reduce<Connection | undefined>(
      (first, one) => (first === undefined || one.takenMs < first.takenMs ? one : first),
      undefined,
    );
};

const leave = (connection: Connection, idle: Set<Connection>): void => {
  // its event of closing comes later than the next connection may
  idle.delete(connection);
  connection.socket.destroy();
};

/** A request that is still being sent is the client's time, like none at all. */
const watchRequest = (
  connection: Connection,
  idle: Set<Connection>,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  let isWorkedOn = false;
  const begin = (): void => {
    if (isWorkedOn || response.closed) return;
    isWorkedOn = true;
    connection.requests++;
    idle.delete(connection);
  };
  const hasBody =
    'transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > 0;
  if (hasBody) request.once('end', begin);
  else begin();
  response.once('close', () => {
    if (isWorkedOn) connection.requests--;
    if (connection.requests > 0 || connection.socket.destroyed) return;
    idle.delete(connection);
    idle.add(connection);
  });
};

const watchTaking = (server: Server, all: ReadonlySet<Connection>, sendTimeoutMs: number): void => {
  const look = (): void => {
    const now = performance.now();
    for (const connection of all) {
      const taken = takenBy(connection.socket);
      if (taken !== connection.taken || !isSending(connection.socket)) {
        connection.taken = taken;
        connection.takenMs = now;
      } else if (now - connection.takenMs >= sendTimeoutMs) connection.socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(1_000, Math.ceil(sendTimeoutMs / 4))).unref();
  server.once('close', () => clearInterval(timer));
};

/** What waits in the kernel is no longer ours; what a write has left over is known to its handle alone. */
const queueOf = (socket: Socket): number =>
  (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;

const isSending = (socket: Socket): boolean => socket.writableLength > 0 || queueOf(socket) > 0;

/** Another text once the client has taken more. */
const takenBy = (socket: Socket): string =>
  `${socket.bytesWritten - socket.writableLength} ${queueOf(socket)}`;
