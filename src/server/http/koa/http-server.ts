import {
  createServer,
  type RequestListener,
  type Server,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newSerialQueue, type SerialQueue } from '../../../lib/concurrency/locks.ts';
import { badUserInput, TributaryError, type ErrorCode } from '../../../lib/errors/errors.ts';
import { errorBody } from './middleware.ts';
import { dialPath } from '../../../federation/remote/node-statements.ts';

export interface HttpServer {
  /** Neither listening nor serving yet. */
  readonly server: Server;
  /** Starts answering requests. */
  readonly serve: (listener: RequestListener) => void;
  /** Makes each further answer the last of its connection, so that clients open the next one elsewhere. */
  readonly retire: () => void;
  /** Resolves once no request is in progress. */
  readonly idle: () => Promise<void>;
}

/** How long the headers and the whole request may take to arrive, and how often that is checked. */
const arrival = { headersTimeout: 20_000, requestTimeout: 120_000, connectionsCheckingInterval: 2_000 };

/**
 * How long an idle connection is kept for the client's next request: longer than proxies keep theirs (60 s is common), or
 * they would occasionally send a request on a connection that is being closed.
 */
const keepAliveTimeout = 75_000;

/**
 * A server with bounded connections, none of which outlives its use by the client.
 * @param shape the error body of this service
 */
export const httpServer = (limits: ConnectionLimits, shape: ErrorShape = restShape): HttpServer => {
  // Node.js would refuse a missing Host header with an empty body, and accept two of them
  const shouldUpgradeCallback = ({ url }: IncomingMessage): boolean =>
    url === dialPath && server.listenerCount('upgrade') > 0;
  const server: Server = createServer({
    requireHostHeader: false,
    keepAliveTimeout,
    // on other paths, a request that offers another protocol is an ordinary one
    shouldUpgradeCallback,
    ...arrival,
  });
  guardConnections(server, limits);
  rejectMalformed(server, shape);
  const { retire, idle } = retiring(server);
  return {
    ...{ retire, idle, server },
    serve: (listener) => {
      server.on('request', serializeRequests(rejectHosts(requireUpgrade(listener, shape), shape)));
    },
  };
};

const retiring = (server: Server): Pick<HttpServer, 'retire' | 'idle'> => {
  let isRetired = false;
  const inProgress = new Set<ServerResponse>();
  const onIdle: (() => void)[] = [];
  server.on('request', (_, response: ServerResponse) => {
    inProgress.add(response);
    response.once('close', () => {
      inProgress.delete(response);
      if (inProgress.size === 0) for (const resolve of onIdle.splice(0)) resolve();
    });
    if (isRetired) response.shouldKeepAlive = false;
  });
  return {
    retire: () => {
      isRetired = true;
      for (const response of inProgress) response.shouldKeepAlive = false;
    },
    idle: () =>
      new Promise((resolve) => {
        if (inProgress.size === 0) resolve();
        else onIdle.push(resolve);
      }),
  };
};

/** Errors of the HTTP parser by code, with the matching HTTP status. */
const refusals: Readonly<Record<string, { readonly line: string; readonly code: ErrorCode }>> = {
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', code: 'PAYLOAD_TOO_LARGE' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { line: '413 Payload Too Large', code: 'PAYLOAD_TOO_LARGE' },
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', code: 'BAD_USER_INPUT' },
};
const malformed = { line: '400 Bad Request', code: 'BAD_USER_INPUT' } as const;

/**
 * Responds in JSON to what Node.js rejects before a request exists: malformed HTTP and unsupported expectations.
 * @param shape the error body of this service
 */
const rejectMalformed = (server: Server, shape: ErrorShape): void => {
  const bodyOf = (code: ErrorCode, message: string): string =>
    JSON.stringify(shape(new TributaryError(code, message)));
  const refused = new WeakSet<Duplex>();
  const inProgress = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    inProgress.set(socket, response);
    response.once('close', () => {
      if (inProgress.get(socket) === response) inProgress.delete(socket);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // whatever the client sends after this is not a request either
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const answer = inProgress.get(socket);
    if (answer !== undefined) return closeAfter(answer, socket);
    const { line, code } = refusals[error.code ?? ''] ?? malformed;
    const body = bodyOf(
      code,
      'the request is not valid HTTP, or its headers are too large or arrived too late',
    );
    socket.end(
      `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
    closeAfterLinger(socket);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const message = 'the expect header cannot be met: only 100-continue is supported';
    rejectRequest(request, response, 417, bodyOf('BAD_USER_INPUT', message));
  });
};

/**
 * Responses in progress are finished first; an error between them would be read as part of one. A truncated request gets
 * no response: the rest of it will never come.
 */
const closeAfter = (answer: ServerResponse, socket: Duplex): void => {
  if (!answer.req.complete) return void socket.destroy();
  answer.shouldKeepAlive = false;
  answer.once('close', () => closeAfterLinger(socket));
};

/** Responds to a request that cannot be processed, and closes its connection. */
const rejectRequest = (
  { socket }: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
): void => {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
  closeAfterLinger(socket);
};

/** The body of a refusal. */
export type ErrorShape = (error: TributaryError) => object;

/** The body of errors outside of GraphQL: `{"error": {...}}`. */
const restShape: ErrorShape = (error) => ({ error: errorBody(error) });

/**
 * Responds 400 when the requested host is ambiguous: given two Host headers, a proxy and this server may each use a
 * different one. HTTP/1.0 does not require the header.
 */
const rejectHosts =
  (listener: RequestListener, shape: ErrorShape): RequestListener =>
  (request, response) => {
    const hosts = hostHeaders(request);
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) return listener(request, response);
    const message = `one header host expected, ${hosts === 0 ? 'none' : hosts} found`;
    const error = badUserInput(message);
    rejectRequest(request, response, 400, JSON.stringify(shape(error)));
  };

/** Responds 426 to a member whose tunnel request lost its Upgrade header on the way. */
const requireUpgrade =
  (listener: RequestListener, shape: ErrorShape): RequestListener =>
  (request, response) => {
    if (request.url !== dialPath) return listener(request, response);
    const message = 'this path opens WebSockets, and the request has arrived without its Upgrade header';
    response.setHeader('upgrade', 'websocket');
    rejectRequest(request, response, 426, JSON.stringify(shape(badUserInput(message))));
  };

/** `headers` has only the first of several. */
const hostHeaders = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;

/** Pipelined requests per connection; no real client sends as many. */
const maxPipelined = 16;

interface Connection {
  readonly requests: SerialQueue;
  /** How many requests are being processed or waiting. */
  count: number;
}

/**
 * Processes one request of a connection at a time: responses are sent in request order, so working on later ones in
 * parallel would only fill memory in the meantime. A connection with too many requests waiting is closed.
 */
const serializeRequests = (listener: RequestListener): RequestListener => {
  // bounded by the open connections
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { requests: newSerialQueue(), count: 0 };
    connections.set(socket, connection);
    if (connection.count > maxPipelined) return refuseRest(socket);
    connection.count += 1;
    const process = (): Promise<void> | void => {
      // its client has left, and a closed response does not emit that again
      if (response.closed || socket.destroyed) return;
      return new Promise((resolve) => {
        response.once('close', () => {
          connection.count -= 1;
          resolve();
        });
        response.once('finish', () => {
          // answered before it was fully received: the rest is discarded, but only for a short time
          if (!request.complete) closeAfterLinger(socket, () => request.complete);
        });
        listener(request, response);
      });
    };
    void connection.requests(process);
  };
};

/** Node.js calls this for each request whose headers it has parsed; it stops parsing when the result is 2. */
interface Parser {
  onIncoming?: (() => number) | null;
}

/**
 * Closes a connection, and ignores what else has arrived on it: a single read may hold a thousand short requests, and
 * Node.js would make an object for each, and raise an error for each that it has begun.
 */
const refuseRest = (socket: Socket & { readonly parser?: Parser | null }): void => {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 2;
  socket.destroy();
};

/** Long enough for a response to arrive, short enough that connections cannot be held open by it. */
const lingerMs = 1_000;

/**
 * Destroys a connection after its last response. Not immediately: resetting a connection while the client is still
 * sending may lose the response.
 * @param unless checked at the end: true keeps the connection
 */
const closeAfterLinger = (socket: Duplex, unless: () => boolean = () => false): void => {
  const look = (): void => {
    if (!unless()) socket.destroy();
  };
  // data that arrived while this process was busy is read before the check
  setTimeout(() => setImmediate(look), lingerMs).unref();
};

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

interface WatchedConnection {
  readonly socket: Socket;
  /** Requests that were fully received and not fully answered. */
  requests: number;
  /** The last request, until it is answered. */
  request: IncomingMessage | null;
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

/** Whether a connection without a request in progress waits for its client, rather than for its turn to be read. */
const waitsForClient = ({ request }: WatchedConnection): boolean =>
  request === null || (!request.complete && request.readableLength === 0);

/**
 * Keeps the connections of a server within limits. When there are too many, the one that has waited longest for its client
 * is closed, so that many silent connections lock no client out. A client that stops reading its response is disconnected
 * and the response is freed.
 */
const guardConnections = (server: Server, limits: ConnectionLimits): void => {
  const connections = new Map<Socket, WatchedConnection>();
  // in the order they became idle
  const idle = new Set<WatchedConnection>();
  const drop = (connection: WatchedConnection): void => {
    // the close event may come after the next connection
    idle.delete(connection);
    connection.socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    const connection: WatchedConnection = {
      ...{ socket, requests: 0, request: null },
      ...{ read: bytesReadByClient(socket), readMs: performance.now() },
    };
    connections.set(socket, connection);
    idle.add(connection);
    busy.set(socket, () => idle.delete(connection));
    socket.once('close', () => {
      connections.delete(socket);
      idle.delete(connection);
    });
    if (connections.size <= limits.maxConnections && idle.size <= limits.maxIdleConnections) return;
    const waiting = [...idle].filter(waitsForClient);
    const [oldest] = waiting;
    const other = oldest === connection ? undefined : oldest;
    if (connections.size > limits.maxConnections) drop(other ?? stalled(connections) ?? connection);
    else if (waiting.length > limits.maxIdleConnections) drop(other ?? connection);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) watchRequest(connection, idle, request, response);
  });
  watchReading(server, connections, limits.sendTimeoutMs);
};

/** The connection whose client has read nothing for the longest time. */
const stalled = (connections: ReadonlyMap<Socket, WatchedConnection>): WatchedConnection | undefined => {
  const latestMs = performance.now() - stalledMs;
  return [...connections.values()]
    .filter(({ socket, readMs }) => isSending(socket) && readMs <= latestMs)
    .sort((one, other) => one.readMs - other.readMs)[0];
};

/** A connection whose request is still being sent counts as idle. */
const watchRequest = (
  connection: WatchedConnection,
  idle: Set<WatchedConnection>,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  let isWorkedOn = false;
  connection.request = request;
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
    if (connection.request === request) connection.request = null;
    if (connection.requests > 0 || connection.socket.destroyed) return;
    idle.delete(connection);
    idle.add(connection);
  });
};

const watchReading = (
  server: Server,
  connections: ReadonlyMap<Socket, WatchedConnection>,
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
