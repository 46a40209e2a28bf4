import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, Server as NetServer, type AddressInfo, type Socket } from 'node:net';

/** A server with the sockets that it listens on. */
export interface ListeningServer {
  readonly server: Server;
  /** Further sockets on the same port, whose connections are the server's. */
  readonly further: readonly NetServer[];
}

/**
 * libuv accepts one connection for each socket and turn of the event loop (`uv__server_io`). On one socket a busy server
 * would accept some hundred connections a second, and a health check would wait for all that came before it.
 */
const furtherSockets = 15;

/**
 * Listens on several sockets of one port, where the system shares connections between them, else on one.
 * @param host undefined: all interfaces
 * @throws an error of the system, such as EADDRINUSE when any other program listens on the port
 */
export const listenOnSockets = async (
  server: Server,
  port: number,
  host: string | undefined,
): Promise<ListeningServer> => {
  if (port !== 0) await requireFreePort(port, host);
  if (!(await listensShared(server, port, host))) {
    await listening(server, { port, host });
    return { server, further: [] };
  }
  const { address, port: bound } = server.address() as AddressInfo;
  const further = Array.from({ length: furtherSockets }, () => acceptorFor(server));
  await Promise.all(further.map((one) => listening(one, { port: bound, host: address, reusePort: true })));
  return { server, further };
};

interface Address {
  readonly port: number;
  readonly host: string | undefined;
  readonly reusePort?: boolean;
}

/** A shared port could be joined unnoticed by a second server of the same user; a socket that does not share tells. */
const requireFreePort = async (port: number, host: string | undefined): Promise<void> => {
  const socket = createServer();
  await listening(socket, { port, host });
  await closed(socket);
};

/** @returns false where the system cannot share a port, as macOS */
const listensShared = async (server: Server, port: number, host: string | undefined): Promise<boolean> => {
  try {
    await listening(server, { port, host, reusePort: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTSUP') return false;
    throw error;
  }
};

const listening = async (server: NetServer, address: Address): Promise<void> => {
  server.listen(address);
  await once(server, 'listening');
};

/** With the options that a server of node:http gives its own sockets. */
const acceptorFor = (server: Server): NetServer =>
  createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => server.emit('connection', socket));

/** How many connections are open. */
export const countConnections = async ({ server, further }: ListeningServer): Promise<number> => {
  const counts = [server, ...further].map(
    (one) =>
      new Promise<number>((resolve, reject) => {
        one.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

/** Accepts no new connections, and resolves when all have ended. Idle ones are not closed, as node:http would. */
export const stopListening = async ({ server, further }: ListeningServer): Promise<void> => {
  await Promise.all([server, ...further].map(closed));
};

const closed = (server: NetServer): Promise<unknown> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
