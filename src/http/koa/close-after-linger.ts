import type { Duplex } from 'node:stream';

/** Long enough for an answer to arrive and short enough for nobody to keep connections by it. */
const lingerMs = 1_000;

/**
 * Destroys a connection whose last answer has been given. Not at once: a connection that is reset while its client is
 * still sending may take the answer with it.
 * @param unless says, when the time has come, that it may stay
 */
export const closeAfterLinger = (socket: Duplex, unless: () => boolean = () => false): void => {
  const look = (): void => {
    if (!unless()) socket.destroy();
  };
  // what has arrived while this process was busy is read before the look
  setTimeout(() => setImmediate(look), lingerMs).unref();
};
