import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { invalidConfig, TributaryError } from '../../lib/errors/errors.ts';
import { readFileSync } from 'node:fs';
import { connectionLimits, type ConnectionLimits } from '../../server/http/koa/http-server.ts';
import {
  listenOnSockets,
  stopListening,
  type ListeningServer,
} from '../../server/http/koa/listening-sockets.ts';

export interface ListenAddress {
  readonly port: number;
  /** undefined: all interfaces. */
  readonly host: string | undefined;
  /** The variables to change it, for the message. */
  readonly variables: string;
  /** The file descriptor of a socket that is already listening, used instead of host and port. */
  readonly fd?: number | undefined;
}

/** The first file descriptor that a service manager passes, by the protocol of sd_listen_fds(3). */
const firstSocket = 3;

/**
 * The listening socket that a service manager passes to this process, and keeps while the program restarts.
 * @returns its file descriptor; undefined without a socket
 * @throws TributaryError CONFIG_INVALID for several sockets
 */
export const activatedSocket = (env: NodeJS.ProcessEnv, pid = process.pid): number | undefined => {
  const { LISTEN_PID, LISTEN_FDS } = env;
  // inherited from a parent process: the variables are set, but the sockets are not there
  if (LISTEN_PID !== String(pid) || LISTEN_FDS === undefined) return undefined;
  if (LISTEN_FDS === '1') return firstSocket;
  throw invalidConfig(
    `LISTEN_FDS is ${LISTEN_FDS}: one socket is expected, with one ListenStream in its unit`,
  );
};

/**
 * Listens at an address.
 * @throws TributaryError CONFLICT when another program uses the port, CONFIG_INVALID when it is unavailable for other
 *   reasons
 */
export const listen = async (server: Server, to: ListenAddress): Promise<Listening> => {
  try {
    const sockets = await opened(server, to);
    const bound = server.address() as AddressInfo;
    return {
      ...sockets,
      url: `http://${hostIn(to.fd === undefined ? to.host : bound.address)}:${bound.port}`,
    };
  } catch (error) {
    throw cannotListen(to, error as NodeJS.ErrnoException);
  }
};

export interface Listening extends ListeningServer {
  readonly url: string;
}

const opened = async (server: Server, { port, host, fd }: ListenAddress): Promise<ListeningServer> => {
  if (fd === undefined) return listenOnSockets(server, port, host);
  await once(server.listen({ fd }), 'listening');
  return { server, further: [] };
};

const cannotListen = (
  { port, host, variables }: ListenAddress,
  cause: NodeJS.ErrnoException,
): TributaryError => {
  const isTaken = cause.code === 'EADDRINUSE';
  const why = isTaken ? 'another program has it' : (cause.code ?? cause.message);
  return new TributaryError(
    isTaken ? 'CONFLICT' : 'CONFIG_INVALID',
    `cannot listen on port ${port}${host === undefined ? '' : ` of ${host}`}: ${why}; set ${variables}`,
    { cause },
  );
};

/** The host part of the URL; "all interfaces" is not an address. */
const hostIn = (host: string | undefined): string => {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** The addresses and port where a server listens; for all interfaces, the address of each, if known. */
export const listeningAddresses = (server: Server, interfaces = networkInterfaces): readonly string[] => {
  const { address, port } = server.address() as AddressInfo;
  const known = address === '::' || address === '0.0.0.0' ? addressesOf(interfaces, address) : [];
  return (known.length === 0 ? [address] : known).map((one) => withPort(one, port));
};

const addressesOf = (interfaces: typeof networkInterfaces, address: string): readonly string[] => {
  try {
    const all = Object.values(interfaces()).flatMap((one) => one ?? []);
    return all.filter(({ family }) => address === '::' || family === 'IPv4').map((one) => one.address);
  } catch {
    // a sandbox without netlink sockets cannot list them
    return [];
  }
};

const withPort = (address: string, port: number): string =>
  isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;

/** Whether other machines can reach a server. */
export const isReachable = (server: Server): boolean => {
  const { address } = server.address() as AddressInfo;
  return !/^(::ffff:)?127\./i.test(address) && address !== '::1';
};

/** How long requests in progress may take to finish. */
const drainMs = 10_000;
/** How often idle keep-alive connections are closed: no request will come. */
const idleCheckMs = 100;

export interface Draining {
  /** When connections of requests in progress are closed. */
  readonly maxMs?: number;
  /** How long idle connections stay open: their clients may be sending the next request. */
  readonly idleMs?: number;
  /** Called before the connections of requests that take too long are closed. */
  readonly onLate?: () => void;
}

/** Accepts no new connections and waits until requests in progress are answered. */
export const drained = async (
  listening: ListeningServer,
  { maxMs = drainMs, idleMs = 0, onLate }: Draining = {},
): Promise<void> => {
  const { server } = listening;
  const endAll = (): void => {
    onLate?.();
    setImmediate(() => server.closeAllConnections());
  };
  const startMs = performance.now();
  const endIdle = (): void => {
    if (performance.now() - startMs >= Math.min(idleMs, maxMs)) server.closeIdleConnections();
  };
  const late = setTimeout(endAll, maxMs).unref();
  // a request that arrived while this process was busy is read before its connection counts as idle
  const idle = setInterval(() => setImmediate(endIdle), idleCheckMs).unref();
  await stopListening(listening);
  clearTimeout(late);
  clearInterval(idle);
};

/** How long idle connections stay open after the server stops listening: longer than a request takes to arrive. */
const idleMs = 1_000;

/** How to drain a server after a signal; on a terminal, idle clients are not waited for. */
export const drainingAfter = (signal: NodeJS.Signals, maxMs: number): Draining => ({
  maxMs,
  idleMs: signal === 'SIGTERM' ? idleMs : 0,
});

/** The share of the remaining file descriptors that each of the two ports may use. */
const share = 0.4;
/** File descriptors for the program itself, its threads and some indexes. */
const own = 64;

/**
 * Connection limits that leave file descriptors for the engine: without free ones, no connection can be accepted and no
 * index read.
 * @param maxFiles the number of files that the process may open; null if unknown
 */
export const limitsWithinOpenFiles = (maxFiles: number | null = openFilesLimit()): ConnectionLimits => {
  if (maxFiles === null) return connectionLimits;
  const room = Math.max(8, Math.floor((maxFiles - own) * share));
  return { ...connectionLimits, maxConnections: Math.min(connectionLimits.maxConnections, room) };
};

const limitsFile = '/proc/self/limits';

const openFilesLimit = (): number | null => {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    // systems without this file offer no other way
    return null;
  }
};
