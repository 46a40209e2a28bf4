import { createServer, type RequestListener, type Server } from 'node:http';
import { serializeRequests } from './serialize-requests.ts';
import { guardConnections, type ConnectionLimits } from './guard-connections.ts';
import { rejectHosts } from './reject-hosts.ts';
import { rejectMalformed, restShape, type ErrorShape } from './reject-malformed.ts';

export interface HttpServer {
  /** Neither listening nor serving yet. */
  readonly server: Server;
  /** Answers requests from now on. */
  readonly serve: (listener: RequestListener) => void;
}

/** How long the headers and the whole request may take to arrive, and how often that is checked. */
const arrival = { headersTimeout: 20_000, requestTimeout: 120_000, connectionsCheckingInterval: 2_000 };

/**
 * How long an idle connection is kept for the client's next request: longer than proxies keep theirs (60 s is common),
 * or they would now and then send a request into one that is just being closed.
 */
const keepAliveTimeout = 75_000;

const maxListeners = 32;

/**
 * A server with bounded connections, none of which outlives its use by the client.
 * @param shape the error body of this service
 */
export const httpServer = (limits: ConnectionLimits, shape: ErrorShape = restShape): HttpServer => {
  // Node.js would refuse a missing Host header with an empty body, and accept two of them
  const server = createServer({ requireHostHeader: false, keepAliveTimeout, ...arrival });
  guardConnections(server, limits);
  rejectMalformed(server, shape);
  return {
    server,
    serve: (listener) => {
      // several observers listen for the end of a response: more than Node.js expects, but no leak
      server.on('request', (_, response) => response.setMaxListeners(maxListeners));
      server.on('request', serializeRequests(rejectHosts(listener, shape)));
    },
  };
};
