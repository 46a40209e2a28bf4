import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Limits on the connections of a server's clients. */
export interface ConnectionLimits {
  /** Concurrent connections. */
  readonly maxConnections: number;
  /** Connections without a request in progress. */
  readonly maxIdleConnections: number;
  /** How long a client may go without reading any of the data waiting for it. */
  readonly sendTimeoutMs: number;
}

/**
 * The limits of each port. A portal needs a handful of connections for each visitor, a proxy in front of it fewer; half
 * of them may be idle, so that waiting ones do not take the place of those that are in use.
 */
export const connectionLimits: ConnectionLimits = {
  maxConnections: 1_000,
  maxIdleConnections: 500,
  sendTimeoutMs: 30_000,
};

interface GuardedConnection {
  readonly socket: Socket;
  /** Requests that were fully received and not fully answered. */
  requests: number;
  /** How much the client had read at the last check, and since when that is unchanged. */
  read: string;
  readMs: number;
}

/** By connection, the function that stops counting it as idle. */
const busy = new WeakMap<Duplex, () => void>();

/** A connection that has become a tunnel is in use: it is not closed to make room for others. */
export const keepTunnel = (connection: Duplex): void => busy.get(connection)?.();

/** A client that has read nothing for this long may be dropped to make room for another. */
const stalledMs = 1_000;

/**
 * Keeps the connections of a server within limits. When there are too many, the one that has waited longest for its client
 * is closed, so that many silent connections lock no client out. A client that stops reading its response is disconnected
 * and the response is freed.
 */
export const guardConnections = (server: Server, limits: ConnectionLimits): void => {
  const connections = new Map<Socket, GuardedConnection>();
  // in the order they became idle
  const idle = new Set<GuardedConnection>();
  const drop = (connection: GuardedConnection): void => {
    // the close event may come after the next connection
    idle.delete(connection);
    connection.socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    const connection = { socket, requests: 0, read: bytesReadByClient(socket), readMs: performance.now() };
    connections.set(socket, connection);
    idle.add(connection);
    busy.set(socket, () => idle.delete(connection));
    socket.once('close', () => {
      connections.delete(socket);
      idle.delete(connection);
    });
    const [oldest] = idle;
    const other = oldest === connection ? undefined : oldest;
    if (connections.size > limits.maxConnections) drop(other ?? stalled(connections) ?? connection);
    else if (idle.size > limits.maxIdleConnections) drop(other ?? connection);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) watchRequest(connection, idle, request, response);
  });
  watchReading(server, connections, limits.sendTimeoutMs);
};

/** The connection whose client has read nothing for the longest time. */
const stalled = (connections: ReadonlyMap<Socket, GuardedConnection>): GuardedConnection | undefined => {
  const latestMs = performance.now() - stalledMs;
  return [...connections.values()]
    .filter(({ socket, readMs }) => isSending(socket) && readMs <= latestMs)
    .sort((one, other) => one.readMs - other.readMs)[0];
};

/** A connection whose request is still being sent counts as idle. */
const watchRequest = (
  connection: GuardedConnection,
  idle: Set<GuardedConnection>,
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

const watchReading = (
  server: Server,
  connections: ReadonlyMap<Socket, GuardedConnection>,
  sendTimeoutMs: number,
): void => {
  const check = (): void => {
    const now = performance.now();
    for (const connection of connections.values()) {
      const read = bytesReadByClient(connection.socket);
      if (read !== connection.read || !isSending(connection.socket)) {
        connection.read = read;
        connection.readMs = now;
      } else if (now - connection.readMs >= sendTimeoutMs) connection.socket.destroy();
    }
  };
  const timer = setInterval(check, Math.min(1_000, Math.ceil(sendTimeoutMs / 4))).unref();
  server.once('close', () => clearInterval(timer));
};

/** Excludes kernel buffers; the remainder of a partial write is known only to the handle. */
const queueOf = (socket: Socket): number =>
  (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;

const isSending = (socket: Socket): boolean => socket.writableLength > 0 || queueOf(socket) > 0;

/** Changes whenever the client has read more. */
const bytesReadByClient = (socket: Socket): string =>
  `${socket.bytesWritten - socket.writableLength} ${queueOf(socket)}`;
