import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Server as HttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

export interface Listening {
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
  /** Ends its connections and resolves when it has closed; at once when it had. */
  readonly stop: () => Promise<void>;
}

/** Lets a server listen on 127.0.0.1. @param port 0 for any that is free */
export const listen = async (server: Server, port = 0): Promise<Listening> => {
  // of servers that speak no HTTP too
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // on a busy machine a request may meet the end of an idle connection , which by default comes after five seconds
  if ('keepAliveTimeout' in server && server.keepAliveTimeout === 5_000) server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    url: `${server instanceof HttpsServer ? 'https' : 'http'}://127.0.0.1:${own}`,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

/** Listens until the test is over. What the server stands on is to be closed by a teardown that is added before. */
export const listening = async (
  t: Pick<ExecutionContext, 'teardown'>,
  server: Server,
  port = 0,
): Promise<Listening> => {
  const listener = await listen(server, port);
  t.teardown(listener.stop);
  return listener;
};

/** Where a test process marks the ports that it was given, until it ends. */
const claims = join(tmpdir(), 'tributary-test-ports');

/**
 * A port of 127.0.0.1 on which nothing listens, for addresses that must be known before their server starts; all others
 * listen on port 0. Below those that systems hand out by themselves (32768 on Linux), and claimed until this process
 * ends: no test that runs meanwhile gets it.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (!claim(String(port))) continue;
    const found = await listen(createServer(), port).catch(() => null);
    if (found === null) continue;
    await found.stop();
    return port;
  }
};

/** Whether no running process has claimed a port; claims of killed processes expire after an hour. */
const claim = (port: string): boolean => {
  mkdirSync(claims, { recursive: true });
  const file = join(claims, port);
  if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - 3_600_000)
    rmSync(file, { force: true });
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch {
    return false;
  }
  claimed.push(file);
  return true;
};

const claimed: string[] = [];
process.once('exit', () => claimed.forEach((file) => rmSync(file, { force: true })));
