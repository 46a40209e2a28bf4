import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { WebSocket, WebSocketServer } from 'ws';
import { sendHttp, type HttpRequest } from '../../../src/federation/remote/send-http.ts';
import { serveHub } from '../../../src/capabilities/joining/open-tunnels.ts';
import { admit, answerGreeting, checkDial, greet } from '../../../src/capabilities/joining/handshake.ts';
import { dialPath } from '../../../src/federation/remote/node-statements.ts';
import { dialHub } from '../../../src/capabilities/joining/member.ts';
import { tunnelStream } from '../../../src/capabilities/joining/web-socket.ts';
import { listening } from '../../listening.ts';
import { newIdentity, nodeIn, openHub, openMember, silent, type OpenHub } from './tunnels.ts';

const post = (overrides: Partial<HttpRequest> = {}): HttpRequest => ({
  headers: { 'content-type': 'application/json' },
  body: '{}',
  signal: AbortSignal.timeout(60_000),
  maxBytes: 1_000_000,
  isRead: () => true,
  ...overrides,
});
const address = new URL('http://member/graphql');

/** A member that has been let in, and then sends what it likes: the bytes of its end of the tunnel. */
const admitted = async (t: ExecutionContext, hub: OpenHub, nodeId: string): Promise<Duplex> => {
  const own = newIdentity();
  hub.known.set(nodeId, { key: own.thumbprint, secretHashed: null });
  const socket = new WebSocket(hub.url.replace('http', 'ws') + dialPath, { perMessageDeflate: false });
  t.teardown(() => socket.terminate());
  const membership = { nodeId, audience: hub.url, hubKey: hub.identity.thumbprint };
  const [greeting] = (await once(socket, 'message')) as [Buffer];
  socket.send((await answerGreeting(greeting.toString(), membership, own)).statement);
  await once(socket, 'message');
  const connected = new Promise((resolve) => hub.hub.node(nodeId, own.thumbprint).onChange(resolve));
  socket.send('ready');
  await connected;
  return tunnelStream(socket);
};

/** An HTTP/2 frame (RFC 9113, 4.1). */
const frame = (type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const settings = frame(4, 0, 0);

for (const [what, bytes] of [
  ['no HTTP/2', Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello')],
  ['a frame longer than allowed', frame(0, 0, 1, Buffer.alloc(65_536))],
  ['a request of its own', frame(1, 5, 2, Buffer.from('828684418cf1e3c2e5f23a6ba0ab90f4ff', 'hex'))],
  ['a pushed response', frame(5, 4, 1, Buffer.from('00000002828684', 'hex'))],
  ['a header that is not a header', frame(1, 5, 1, Buffer.alloc(200, 0xff))],
  ['settings without an end', Buffer.concat(Array.from({ length: 20_000 }, () => settings))],
  [
    'pings without an end',
    Buffer.concat(Array.from({ length: 20_000 }, () => frame(6, 0, 0, Buffer.alloc(8)))),
  ],
] as const)
  test(`a member that sends ${what} harms no other`, async (t) => {
    const hub = await openHub(t);
    await openMember(t, hub, (_, response) => response.end('well'), { nodeId: 'bergen' });
    const bad = await admitted(t, hub, 'oslo');
    const requested = sendHttp(nodeIn(hub).dispatcher, address, post({ signal: AbortSignal.timeout(1_500) }));
    bad.write(Buffer.concat([settings, bytes]));
    await t.throwsAsync(requested);
    const { body } = await sendHttp(nodeIn(hub, 'bergen').dispatcher, address, post());
    t.is(body?.toString(), 'well');
  });

test('a member that answers without an end is cut at the limit of the answer', async (t) => {
  const hub = await openHub(t);
  await openMember(t, hub, (_, response) => {
    let isOver = false;
    response.once('close', () => (isOver = true));
    const more = (): void => {
      if (!isOver) response.write(Buffer.alloc(65_536), () => setImmediate(more));
    };
    response.on('error', () => undefined);
    more();
  });
  await t.throwsAsync(sendHttp(nodeIn(hub).dispatcher, address, post()), { code: 'NODE_BAD_RESPONSE' });
});

test('a member that answers byte by byte costs its caller the time of one request, and no other', async (t) => {
  const hub = await openHub(t);
  await openMember(t, hub, (request, response) => {
    if (request.headers['x-slow'] === undefined) return void response.end('well');
    const timer = setInterval(() => response.write('x'), 20);
    response.once('close', () => clearInterval(timer));
  });
  const options = post({ headers: { 'x-slow': '1' }, signal: AbortSignal.timeout(300) });
  const slow = t.throwsAsync(sendHttp(nodeIn(hub).dispatcher, address, options), { name: 'TimeoutError' });
  t.is((await sendHttp(nodeIn(hub).dispatcher, address, post())).body?.toString(), 'well');
  await slow;
});

test('answers whose readers wait do not hold up questions', async (t) => {
  const hub = await openHub(t);
  const huge = 'x'.repeat(12_000_000);
  await openMember(t, hub, (request, response) => response.end(request.headers['x-huge'] ? huge : 'well'), {
    maxResponseBytes: 64 * 1024 * 1024,
  });
  const { dispatcher } = nodeIn(hub);
  const waiting = Array.from({ length: 20 }, () => {
    const begun = Promise.withResolvers<{ resume: () => void }>();
    const all = Promise.withResolvers<number>();
    let bytes = 0;
    dispatcher.dispatch(
      { path: '/graphql', method: 'POST', headers: { 'x-huge': '1' }, body: '{}' },
      {
        onRequestStart: () => undefined,
        onResponseStart: (controller) => {
          controller.pause();
          begun.resolve(controller);
        },
        onResponseData: (_, chunk) => void (bytes += chunk.length),
        onResponseEnd: () => all.resolve(bytes),
        onResponseError: (_, error) => {
          begun.reject(error);
          all.reject(error);
        },
      },
    );
    return { begun: begun.promise, all: all.promise };
  });
  const controllers = await Promise.all(waiting.map(({ begun }) => begun));
  for (let at = 0; at < 20; at++)
    t.is((await sendHttp(dispatcher, address, post())).body?.toString(), 'well');
  for (const controller of controllers) controller.resume();
  for (const bytes of await Promise.all(waiting.map(({ all }) => all))) t.is(bytes, 12_000_000);
});

/** A hub that a member has dialled, and that sends what it likes. */
const hostileHub = async (t: ExecutionContext, serve: Parameters<typeof dialHub>[0]['serve']) => {
  const [identity, own] = [newIdentity(), newIdentity()];
  const server = new WebSocketServer({ noServer: true });
  const http = createServer();
  http.on('upgrade', (request, socket, head) =>
    server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened)),
  );
  const { url } = await listening(t, http);
  const opened = once(server, 'connection') as Promise<[WebSocket]>;
  const membership = { nodeId: 'oslo', audience: url, hubKey: identity.thumbprint };
  const member = dialHub({
    ...{ membership, identity: own, serve, maxResponseBytes: 1_000_000, env: {}, log: silent },
  });
  t.teardown(() => member.close());
  const [socket] = await opened;
  const sent = greet('Hostile', { identity });
  socket.send(JSON.stringify(sent));
  const [statement] = (await once(socket, 'message')) as [Buffer];
  const known = { key: own.thumbprint, secretHashed: null };
  const proven = await checkDial(statement.toString(), sent, { identity, audience: url }, () => known);
  // in the same turn: HTTP/2 follows at once
  const ready = new Promise<ClientHttp2Session>((resolve) =>
    socket.once('message', () =>
      resolve(connect('http://member', { createConnection: () => tunnelStream(socket) })),
    ),
  );
  socket.send(await admit(proven, 'accepted', identity));
  const session = await ready;
  session.on('error', () => undefined);
  t.teardown(() => session.destroy());
  const request = async (headers: Readonly<Record<string, string>>, body = '{}') => {
    const stream = session.request(headers, { endStream: false });
    stream.end(body);
    try {
      const [answered] = (await once(stream.resume(), 'response')) as [Record<string, unknown>];
      return answered[constants.HTTP2_HEADER_STATUS];
    } catch {
      // HTTP/2 itself refuses some paths
      return 'refused';
    }
  };
  return { request };
};

test('a hub reaches one route of a member, however it words its request', async (t) => {
  const served: unknown[] = [];
  const entry = {
    ...{ name: 'hub', url: 'https://hub.example.org', nodeId: 'oslo', key: 'k'.repeat(43) },
    ...{ catalogue: 'person', fields: {}, values: {} },
  };
  const { request } = await hostileHub(
    t,
    serveHub(entry, ({ url, headers }, response) => {
      served.push([url, headers['x-forwarded-for'], headers['cookie']]);
      response.end();
    }),
  );
  for (const [method, path] of [
    ['POST', '/metrics'],
    ['GET', '/metrics'],
    ['POST', '/other/graphql'],
    ['POST', '/person/graphql'],
    ['POST', '/graphql/../metrics'],
    ['POST', '/graphql?x'],
    ['POST', '//graphql'],
    ['POST', '/%67raphql'],
    ['POST', 'http://other/graphql'],
    ['PUT', '/graphql'],
    ['GET', '/graphql'],
    ['OPTIONS', '*'],
    ['POST', '/download'],
    ['GET', '/network/dial'],
  ] as const)
    t.true([403, 'refused'].includes((await request({ ':method': method, ':path': path })) as number), path);
  t.deepEqual(served, []);
  const disguised = { 'x-forwarded-for': '10.0.0.1', cookie: 'a=b', ':authority': 'other' };
  t.is(await request({ ':method': 'POST', ':path': '/graphql', ...disguised }), 200);
  t.deepEqual(served, [['/person/graphql', undefined, undefined]]);
});
