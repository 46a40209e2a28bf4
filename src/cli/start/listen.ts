import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TributaryError } from '../../errors/errors.ts';

export interface ListenAddress {
  readonly port: number;
  /** undefined: all interfaces. */
  readonly host: string | undefined;
  /** The variables to change it, for the message. */
  readonly variables: string;
}

/**
 * Listens and returns the server's URL.
 * @throws TributaryError CONFLICT when another program uses the port, CONFIG_INVALID when it is unavailable for other
 *   reasons
 */
export const listen = async (server: Server, { port, host, variables }: ListenAddress): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const why = isTaken ? 'another program has it' : (error.code ?? error.message);
      reject(
        new TributaryError(
          isTaken ? 'CONFLICT' : 'CONFIG_INVALID',
          `cannot listen on port ${port}${host === undefined ? '' : ` of ${host}`}: ${why}; set ${variables}`,
          { cause: error },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return `http://${hostIn(host)}:${address.port}`;
};

/** The host for the URL; "all interfaces" is not an address. */
const hostIn = (host: string | undefined): string => {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** How long requests in progress may take to finish. */
const drainMs = 10_000;
/** Answered keep-alive connections wait for a request that will not come. */
const idleCheckMs = 100;

/** Accepts no new connections and waits until requests in progress are answered. */
export const drained = async (server: Server): Promise<void> => {
  const late = setTimeout(() => server.closeAllConnections(), drainMs).unref();
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs).unref();
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(late);
  clearInterval(idle);
};
