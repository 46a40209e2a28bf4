import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TributaryError } from '../../errors.ts';

export interface ListenAddress {
  readonly port: number;
  /** undefined: all interfaces. */
  readonly host: string | undefined;
  /** The variables that say otherwise, for the message. */
  readonly variables: string;
}

/**
 * Listens, and gives the URL of what listens.
 * @throws TributaryError CONFLICT when another program has the port, CONFIG_INVALID when it cannot be had otherwise
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

/** The host as an address of this machine's: all interfaces have no address of their own. */
const hostIn = (host: string | undefined): string => {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** How long requests that are being answered may take to finish. */
const drainMs = 10_000;
/** A connection that has got its answer is kept for the next request, which will not come. */
const idleCheckMs = 100;

/** Takes nothing new and waits until what is being answered is out. */
export const drained = async (server: Server): Promise<void> => {
  const late = setTimeout(() => server.closeAllConnections(), drainMs).unref();
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs).unref();
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(late);
  clearInterval(idle);
};
