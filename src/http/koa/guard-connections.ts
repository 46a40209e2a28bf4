import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits on the connections of a server's clients. */
export interface ConnectionLimits {
  /** Concurrent connections. */
  readonly maxConnections: number;
  /** Connections without a request in progress. */
  readonly maxIdleConnections: number;
  /** How long a client may go without reading any of the data waiting for it. */
  readonly sendTimeoutMs: number;
}

interface Connection {
  readonly socket: Socket;
  /** Requests that were fully received and not fully answered. */
  requests: number;
  /** How much the client had read at the last check, and since when that has not changed. */
  taken: string;
  takenMs: number;
}

/** A client that has read nothing for this long may be dropped to make room for another. */
const stalledMs = 1_000;

/**
 * Keeps the connections of a server within limits. When there are too many, the one that has waited longest for its
 * client is closed: opening many silent connections locks nobody out. A client that stops reading its response is
 * disconnected and the response is freed.
 */
export const guardConnections = (server: Server, limits: ConnectionLimits): void => {
  const all = new Set<Connection>();
  // in the order they became idle
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
  // the close event may come after the next connection
  idle.delete(connection);
  connection.socket.destroy();
};

/** A connection whose request is still being sent counts as idle. */
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

/** Excludes kernel buffers; the remainder of a partial write is known only to the handle. */
const queueOf = (socket: Socket): number =>
  (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;

const isSending = (socket: Socket): boolean => socket.writableLength > 0 || queueOf(socket) > 0;

/** Changes whenever the client has read more. */
const takenBy = (socket: Socket): string =>
  `${socket.bytesWritten - socket.writableLength} ${queueOf(socket)}`;
