import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { newSerialQueue, type SerialQueue } from '../../concurrency/serial-queue.ts';
import { closeAfterLinger } from './close-after-linger.ts';

/** Pipelined requests per connection; no real client sends as many. */
const maxPipelined = 16;

interface Connection {
  readonly requests: SerialQueue;
  /** How many requests are being processed or wait. */
  count: number;
}

/**
 * Processes one request of a connection at a time: responses are sent in request order, so working on later ones in
 * parallel would only fill memory in the meantime. A connection with too many requests waiting is closed.
 */
export const serializeRequests = (listener: RequestListener): RequestListener => {
  // bounded by the open connections
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { requests: newSerialQueue(), count: 0 };
    connections.set(socket, connection);
    if (connection.count > maxPipelined) return void socket.destroy();
    connection.count += 1;
    const process = (): Promise<void> =>
      new Promise((resolve) => {
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
    void connection.requests(process);
  };
};
