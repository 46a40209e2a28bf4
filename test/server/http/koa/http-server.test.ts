import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import {
  connectionLimits,
  httpServer,
  type ConnectionLimits,
} from '../../../../src/server/http/koa/http-server.ts';
import { listening } from '../../../listening.ts';

const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

interface Client {
  readonly socket: Socket;
  /** All that has come, once the server has closed the connection. */
  readonly closed: Promise<string>;
  readonly received: () => string;
}

const serve = async (
  t: ExecutionContext,
  listener: RequestListener,
  changes: Partial<ConnectionLimits> = {},
) => {
  const { server, serve: start } = httpServer({ ...connectionLimits, ...changes });
  start(listener);
  const { port } = await listening(t, server);
  const open = async (bytes: string, options: { allowHalfOpen?: boolean } = {}): Promise<Client> => {
    const socket = connect({ port, host: '127.0.0.1', ...options });
    t.teardown(() => socket.destroy());
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
    await once(socket, 'connect');
    socket.write(bytes);
    return { socket, closed, received: () => text };
  };
  return { server, open };
};

const connections = async (server: Awaited<ReturnType<typeof serve>>['server']): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

/** Waits for what is to become so; a test that waits in vain is ended by its runner. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await sleep(10);
};

for (const [name, bytes, line] of [
  ['no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
  [
    'headers past every bound',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}`,
    '431 Request Header Fields Too Large',
  ],
  [
    'an expectation that cannot be met',
    'GET / HTTP/1.1\r\nhost: a\r\nexpect: more\r\n\r\n',
    '417 Expectation Failed',
  ],
  ['two hosts', 'GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', '400 Bad Request'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request'],
] as const)
  test(`a connection is destroyed after its refusal, whatever its client does: ${name}`, async (t) => {
    const { server, open } = await serve(t, (_, response) => response.end('served'));
    const { socket, received } = await open(bytes, { allowHalfOpen: true });
    await until(async () => received() !== '' && (await connections(server)) === 0);
    t.true(received().startsWith(`HTTP/1.1 ${line}\r\n`), received());
    t.regex(received(), /\r\ncontent-type: application\/json/i);
    t.false(received().includes('served'));
    const { error } = JSON.parse(received().split('\r\n\r\n')[1]!) as { error: { code: string } };
    t.is(error.code, line.startsWith('431') ? 'PAYLOAD_TOO_LARGE' : 'BAD_USER_INPUT');
    socket.destroy();
  });

test('two hosts are one too many for HTTP/1.0 as well, which may do without', async (t) => {
  const { open } = await serve(t, (_, response) => response.end('served'));
  t.regex(await (await open('GET / HTTP/1.0\r\n\r\n')).closed, /^HTTP\/1\.1 200 .*served$/s);
  t.regex(await (await open('GET / HTTP/1.0\r\nhost: a\r\nhost: a\r\n\r\n')).closed, /^HTTP\/1\.1 400 /);
});

test('a client that takes no bytes is left, and its answer with it', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { open } = await serve(
    t,
    (_, response) => {
      closed.push(once(response, 'close'));
      response.end(Buffer.alloc(50_000_000));
    },
    { sendTimeoutMs: 100 },
  );
  const { socket } = await open('');
  socket.pause();
  socket.write(get);
  await until(() => closed.length === 1);
  await closed[0];
  t.pass();
});

test('a client that takes its bytes slowly gets all of them', async (t) => {
  const bytes = 8_000_000;
  const { open } = await serve(t, (_, response) => response.end(Buffer.alloc(bytes, 'x')), {
    sendTimeoutMs: 4_000,
  });
  const { socket, closed } = await open('GET / HTTP/1.0\r\n\r\n');
  // one read, then a pause
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 40);
  });
  t.is((await closed).split('\r\n\r\n')[1]!.length, bytes);
});

test('past the most connections the one that has waited longest for its client makes room', async (t) => {
  const { open } = await serve(t, (_, response) => response.end('served'), { maxConnections: 2 });
  const [first, second] = [await open(''), await open('GET / HTTP/1.1\r\n')];
  const third = await open(get);
  t.is(await first.closed, '');
  await until(() => third.received().endsWith('served'));
  t.false(second.socket.closed);
});

test('a connection that is worked for does not make room', async (t) => {
  const requests: (() => void)[] = [];
  const { open } = await serve(t, (_, response) => requests.push(() => response.end('served')), {
    maxConnections: 1,
  });
  const worked = await open(get);
  await until(() => requests.length === 1);
  t.is(await (await open(get)).closed, '');
  requests[0]!();
  await until(() => worked.received().endsWith('served'));
  t.pass();
});

for (const bytes of [2, 200_000])
  test(`nor does one whose body of ${bytes} bytes waits to be read`, async (t) => {
    let readAll = (): void => undefined;
    const requests: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      requests.push(request);
      readAll = () => request.resume().once('end', () => response.end('served'));
    };
    const { open } = await serve(t, listener, { maxConnections: 1 });
    const body = 'x'.repeat(bytes);
    const waiting = await open(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n${body}`);
    await until(() => requests.length === 1);
    t.is(await (await open('')).closed, '');
    readAll();
    await until(() => waiting.received().endsWith('served'));
  });

for (const framing of ['transfer-encoding: chunked', 'content-length: 9'])
  test(`a connection whose body is still to come makes room: ${framing}`, async (t) => {
    let requests = 0;
    const listener: RequestListener = (_, response) => (requests += 1) > 1 && response.end('served');
    const { open } = await serve(t, listener, { maxConnections: 1 });
    const slow = await open(`POST / HTTP/1.1\r\nhost: a\r\n${framing}\r\n\r\n`);
    await until(() => requests === 1);
    const other = await open(get);
    const first = await Promise.race([slow.closed.then(() => 'slow'), other.closed.then(() => 'other')]);
    t.is(first, 'slow');
  });

test('idle connections have a bound of their own', async (t) => {
  const { open } = await serve(t, (_, response) => response.end('served'), { maxIdleConnections: 1 });
  const first = await open('');
  const second = await open('');
  t.is(await first.closed, '');
  t.false(second.socket.closed);
});

test('the requests of one connection are worked on one after the other, and not many wait', async (t) => {
  const requests: (() => void)[] = [];
  const { open } = await serve(t, ({ url }, response) => requests.push(() => response.end(`served ${url}`)));
  const client = await open(get.repeat(3));
  for (const turn of [0, 1, 2]) {
    await until(() => requests.length > turn);
    t.is(requests.length, turn + 1);
    requests[turn]!();
  }
  await until(() => client.received().split('served').length === 4);
  await (
    await open(get.repeat(20))
  ).closed;
});

test('of requests sent ahead without end, no more are parsed than may wait', async (t) => {
  const { server, open } = await serve(t, () => undefined);
  let parsed = 0;
  server.on('request', () => (parsed += 1));
  server.on('clientError', () => t.fail('the end was parsed, too'));
  const { closed } = await open(`${get.repeat(1_000)}no request`);
  await closed;
  t.true(parsed <= 18, `${parsed} requests`);
});

test('requests that wait are not worked on once their client has left', async (t) => {
  let worked = 0;
  const { open } = await serve(t, (_, response) => {
    worked += 1;
    setTimeout(() => response.end(), 50);
  });
  const left = await open(get.repeat(10));
  await until(() => worked > 0);
  left.socket.resetAndDestroy();
  const other = await open(get.repeat(5));
  await until(() => other.received().split('HTTP/1.1 200').length === 6);
  t.true(worked <= 7, `${worked} requests`);
});

test('what is sent on after its answer is not listened to for long', async (t) => {
  const { server, open } = await serve(t, (_, response) => response.end('refused'));
  const { socket, received } = await open('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\nx', {
    allowHalfOpen: true,
  });
  const sending = setInterval(() => socket.write('x'), 50);
  t.teardown(() => clearInterval(sending));
  await until(async () => received().endsWith('refused') && (await connections(server)) === 0);
  t.pass();
});

test('a request to open a tunnel that has lost its Upgrade header gets an error that says so', async (t) => {
  const { open } = await serve(t, (_, response) => response.end('served'));
  const { closed } = await open('GET /network/dial HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  const answer = await closed;
  t.regex(answer, /^HTTP\/1\.1 426 .*\r\nupgrade: websocket\r\n/s);
  t.regex(answer, /without its Upgrade header/);
});
