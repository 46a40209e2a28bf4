import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterLinger } from './close-after-linger.ts';

/** Pipelined requests per connection; no real client sends as many. */
const maxPipelined = 16;

interface Turns {
  readonly waiting: (() => void)[];
}

/**
 * Processes one request of a connection at a time: responses are sent in request order, so working on later ones in
 * parallel would only fill memory until their turn.
 */
export const serializeRequests = (listener: RequestListener): RequestListener => {
  const underWay = new WeakMap<Socket, Turns>();
  const start = (socket: Socket, turns: Turns, ...[request, response]: Parameters<RequestListener>): void => {
    response.once('close', () => {
      const next = turns.waiting.shift();
      if (next === undefined) underWay.delete(socket);
      else next();
    });
    response.once('finish', () => {
      // answered before it was fully received: the rest is discarded, but only for a short time
      if (!request.complete) closeAfterLinger(socket, () => request.complete);
    });
    listener(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const turns = underWay.get(socket);
    if (turns === undefined) {
      const first = { waiting: [] };
      underWay.set(socket, first);
      return start(socket, first, request, response);
    }
    if (turns.waiting.length >= maxPipelined) return void socket.destroy();
    turns.waiting.push(() => start(socket, turns, request, response));
  };
};
