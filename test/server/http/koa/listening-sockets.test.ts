import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { connectionLimits, httpServer } from '../../../../src/server/http/koa/http-server.ts';
import {
  countConnections,
  listenOnSockets,
  stopListening,
  type ListeningServer,
} from '../../../../src/server/http/koa/listening-sockets.ts';
import { freePort } from '../../../listening.ts';

const host = '127.0.0.1';

const listening = async (t: ExecutionContext, server: Server, port = 0) => {
  const sockets = await listenOnSockets(server, port, host);
  t.teardown(async () => {
    server.closeAllConnections();
    await stopListening(sockets);
  });
  return { sockets, port: (server.address() as AddressInfo).port };
};

/** An HTTP server whose listener is given. */
const serving = async (t: ExecutionContext, listener: RequestListener, limits = connectionLimits) => {
  const { server, serve, retire } = httpServer(limits);
  serve(listener);
  return { ...(await listening(t, server)), retire };
};

/** Enough that each of several sockets has some. */
const many = 60;

const openMany = async (t: ExecutionContext, port: number): Promise<readonly Socket[]> => {
  const sockets = Array.from({ length: many }, () => connect(port, host).on('error', () => undefined));
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
};

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await sleep(10);
};

const ask = async (port: number): Promise<IncomingMessage> => {
  const [response] = (await once(get({ port, host, agent: false }), 'response')) as [IncomingMessage];
  return response;
};

const heldBy = async (one: ListeningServer['further'][number]): Promise<number> =>
  new Promise((resolve, reject) => {
    one.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

test('connections spread over sockets of one port, and all are served and counted', async (t) => {
  const { sockets, port } = await serving(t, (_, response) => response.end('served'));
  const clients = await openMany(t, port);
  await until(async () => (await countConnections(sockets)) === many);
  const held = await Promise.all([sockets.server, ...sockets.further].map(heldBy));
  t.is(held.filter((count) => count > 0).length > 1, sockets.further.length > 0, String(held));
  for (const client of clients) client.end('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  for (const client of clients) t.regex(await text(client), /^HTTP\/1\.1 200 OK\r\n[^]*served$/);
});

test('the limits on connections are for all sockets together', async (t) => {
  const limits = { ...connectionLimits, maxConnections: 10 };
  const { sockets, port } = await serving(t, (_, response) => response.end('served'), limits);
  const clients = await openMany(t, port);
  await until(() => clients.filter(({ closed }) => closed).length === many - limits.maxConnections);
  await until(async () => (await countConnections(sockets)) === limits.maxConnections);
  t.is(await text(await ask(port)), 'served');
});

test('a port that is shared by sockets is in use for every other server', async (t) => {
  const { port } = await serving(t, (_, response) => response.end('first'));
  await t.throwsAsync(listenOnSockets(createServer(), port, host), { code: 'EADDRINUSE' });
  t.is(await text(await ask(port)), 'first');
});

test('a port of another program is in use', async (t) => {
  const port = await freePort();
  const other = createNetServer().listen(port, host);
  t.teardown(() => other.close());
  await once(other, 'listening');
  await t.throwsAsync(listenOnSockets(createServer(), port, host), { code: 'EADDRINUSE' });
});

test('a server that stops leaves its port at once, and waits for what is open on every socket', async (t) => {
  const port = await freePort();
  const first = createServer();
  const { sockets } = await listening(t, first, port);
  const clients = await openMany(t, port);
  await until(async () => (await countConnections(sockets)) === many);
  let isStopped = false;
  const stopped = stopListening(sockets).then(() => (isStopped = true));
  const second = createServer((_, response) => response.end('second'));
  await listening(t, second, port);
  t.is(await text(await ask(port)), 'second');
  for (const client of clients.slice(1)) client.destroy();
  await until(async () => (await countConnections(sockets)) === 1);
  t.false(isStopped);
  clients[0]!.destroy();
  t.true(await stopped);
});

test('a server that retires closes its connections after their answers, whatever their socket', async (t) => {
  const { port, retire } = await serving(t, (_, response) => response.end('served'));
  const clients = await openMany(t, port);
  retire();
  for (const client of clients) client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  for (const client of clients) t.regex(await text(client), /\r\nConnection: close\r\n/i);
});

test('idle connections of every socket can be closed', async (t) => {
  const { sockets, port } = await serving(t, (_, response) => response.end('served'));
  const clients = await openMany(t, port);
  for (const client of clients) client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  for (const client of clients) await once(client, 'data');
  sockets.server.closeIdleConnections();
  await until(() => clients.every(({ closed }) => closed));
  t.is(await countConnections(sockets), 0);
});

test('where ports cannot be shared, a server listens on one socket', async (t) => {
  const server = createServer((_, response) => response.end('served'));
  const listen = server.listen.bind(server);
  server.listen = ((options: { readonly reusePort?: boolean }) => {
    if (options.reusePort !== true) return listen(options);
    const error = Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' });
    process.nextTick(() => server.emit('error', error));
    return server;
  }) as Server['listen'];
  const { sockets, port } = await listening(t, server);
  t.deepEqual(sockets.further, []);
  t.is(await text(await ask(port)), 'served');
});
