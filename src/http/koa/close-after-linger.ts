import type { Duplex } from 'node:stream';

/** Long enough for a response to arrive, short enough that connections cannot be held open by it. */
const lingerMs = 1_000;

/**
 * Destroys a connection after its last response. Not immediately: resetting a connection while the client is still
 * sending may lose the response.
 * @param unless checked at the end: true keeps the connection
 */
export const closeAfterLinger = (socket: Duplex, unless: () => boolean = () => false): void => {
  const look = (): void => {
    if (!unless()) socket.destroy();
  };
  // data that arrived while this process was busy is read before the check
  setTimeout(() => setImmediate(look), lingerMs).unref();
};
