import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterLinger } from './close-after-linger.ts';

/** Requests that one connection has sent ahead of their answers: nobody does but to see what happens. */
const maxPipelined = 16;

interface Turns {
  readonly waiting: (() => void)[];
}

/**
 * Works on one request of a connection at a time: answers leave in the order of the requests, so that what is worked
 * on beside the first only fills the memory until its turn has come.
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
      // answered before it was sent to its end: the rest is thrown away, but not for long
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
