import { createServer, type RequestListener, type Server } from 'node:http';
import { serializeRequests } from './serialize-requests.ts';
import { guardConnections, type ConnectionLimits } from './guard-connections.ts';
import { rejectHosts } from './reject-hosts.ts';
import { rejectMalformed, restShape, type ErrorShape } from './reject-malformed.ts';

export interface HttpServer {
  /** Neither listening nor answering yet. */
  readonly server: Server;
  /** Answers requests from now on. */
  readonly serve: (listener: RequestListener) => void;
}

/** How long the headers, and the whole of a request, may take to arrive, and how often that is looked at. */
const arrival = { headersTimeout: 20_000, requestTimeout: 120_000, connectionsCheckingInterval: 2_000 };

const maxListeners = 32;

/**
 * A server none of whose connections holds more than its share, or for longer than its client makes use of it.
 * @param shape how the service of this server words an error
 */
export const httpServer = (limits: ConnectionLimits, shape: ErrorShape = restShape): HttpServer => {
  // Node.js would refuse a request without a host with an empty body, and let two of them through
  const server = createServer({ requireHostHeader: false, ...arrival });
  guardConnections(server, limits);
  rejectMalformed(server, shape);
  return {
    server,
    serve: (listener) => {
      // each of those who watch an answer listens to its end: more than Node.js thinks usual, and no leak
      server.on('request', (_, response) => response.setMaxListeners(maxListeners));
      server.on('request', serializeRequests(rejectHosts(listener, shape)));
    },
  };
};
