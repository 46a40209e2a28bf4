import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { WebSocket } from 'ws';
import { answerGreeting, secretHash } from '../../../src/capabilities/joining/handshake.ts';
import { closeWith } from '../../../src/capabilities/joining/web-socket.ts';
import { dialPath } from '../../../src/federation/remote/node-statements.ts';
import { memberKeyHeader } from '../../../src/capabilities/joining/hubs-file.ts';
import { dialHub, sayGoodbye } from '../../../src/capabilities/joining/member.ts';
import { newIdentity, nodeIn, openHub, openMember, silent, type OpenHub } from './tunnels.ts';

const dialled = (t: ExecutionContext, { url }: Pick<OpenHub, 'url'>, options = {}): WebSocket => {
  const socket = new WebSocket(url.replace('http', 'ws') + dialPath, {
    perMessageDeflate: false,
    ...options,
  });
  t.teardown(() => socket.terminate());
  return socket;
};

const closing = async (socket: WebSocket): Promise<readonly [code: number, reason: string]> => {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return [code, reason.toString()];
};

test('a page of a browser opens no tunnel', async (t) => {
  const socket = dialled(t, await openHub(t), { origin: 'https://pages.example.org' });
  const [error] = (await once(socket, 'error')) as [Error];
  t.regex(error.message, /403/);
});

for (const [what, send, reason] of [
  ['a message that is not a statement', 'hello', /not understood/],
  ['a binary message', Buffer.from([1, 2, 3]), /text message/],
  ['a huge message', 'x'.repeat(250_000), /text message/],
] as const)
  test(`${what} ends the handshake`, async (t) => {
    const socket = dialled(t, await openHub(t));
    await once(socket, 'message');
    socket.send(send);
    const [code, stated] = await closing(socket);
    t.is(code, 4002);
    t.regex(stated, reason);
  });

test('a reason of any length and script is sent in the 123 bytes that a close frame has for it', async (t) => {
  const socket = dialled(t, await openHub(t));
  await once(socket, 'open');
  t.notThrows(() => closeWith(socket, 'malformed', 'Ü'.repeat(200)));
});

test('a message above the limit of tunnels is not read', async (t) => {
  const socket = dialled(t, await openHub(t));
  await once(socket, 'message');
  socket.send('x'.repeat(300_000));
  t.is((await closing(socket))[0], 1009);
});

test('an address that fails or hangs up too often is refused at once', async (t) => {
  const hub = await openHub(t);
  for (let at = 0; at < 10; at++) {
    const leaving = dialled(t, hub);
    await once(leaving, 'message');
    leaving.terminate();
    const socket = dialled(t, hub);
    await once(socket, 'message');
    socket.send('hello');
    await closing(socket);
  }
  const [error] = (await once(dialled(t, hub), 'error')) as [Error];
  t.regex(error.message, /429/);
  // a member behind the same proxy is let in, whoever else claims a key is not
  await openMember(t, hub, (_, response) => response.end());
  t.true(nodeIn(hub).isConnected());
  const headers = { [memberKeyHeader]: newIdentity().thumbprint };
  const [again] = (await once(dialled(t, hub, { headers }), 'error')) as [Error];
  t.regex(again.message, /429/);
});

test('an address has a share of the handshakes that nobody finishes, and keeps no member out', async (t) => {
  const hub = await openHub(t);
  const waiting = Array.from({ length: 8 }, () => dialled(t, hub));
  await Promise.all(waiting.map((socket) => once(socket, 'message')));
  const [error] = (await once(dialled(t, hub), 'error')) as [Error];
  t.regex(error.message, /503/);
  // its key is accepted
  await openMember(t, hub, (_, response) => response.end());
  t.true(nodeIn(hub).isConnected());
  waiting.forEach((socket) => socket.terminate());
  await Promise.all(waiting.map((socket) => once(socket, 'close')));
  await once(dialled(t, hub), 'message');
});

test('handshakes of all addresses together are bounded', async (t) => {
  let address = 0;
  const hub = await openHub(t, { addressOf: () => `192.0.2.${(address += 1)}` });
  const waiting = Array.from({ length: 64 }, () => dialled(t, hub));
  await Promise.all(waiting.map((socket) => once(socket, 'message')));
  const [error] = (await once(dialled(t, hub), 'error')) as [Error];
  t.regex(error.message, /503/);
});

test('a tunnel does not make room for idle connections, and an unfinished handshake does', async (t) => {
  const hub = await openHub(t, { limits: { maxIdleConnections: 2 } });
  await openMember(t, hub, (_, response) => response.end());
  const unfinished = dialled(t, hub);
  await once(unfinished, 'message');
  const { port } = new URL(hub.url);
  const idle = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1').resume());
  t.teardown(() => idle.forEach((socket) => socket.destroy()));
  await Promise.all([closing(unfinished), ...idle.slice(0, 2).map((socket) => once(socket, 'close'))]);
  t.true(nodeIn(hub).isConnected());
});

test("requests that are not a handshake take nobody's place", async (t) => {
  const hub = await openHub(t);
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  for (let at = 0; at < 70; at++) {
    const [response] = (await once(get(hub.url + dialPath, { headers }), 'response')) as [IncomingMessage];
    t.is(response.resume().statusCode, 400);
  }
  await openMember(t, hub, (_, response) => response.end());
  t.true(nodeIn(hub).isConnected());
});

test('a key that is not accepted any more loses its tunnel, and never answers for its successor', async (t) => {
  const hub = await openHub(t);
  await openMember(t, hub, (_, response) => response.end());
  const before = nodeIn(hub);
  const { key } = hub.known.get('oslo')!;
  const lost = new Promise<boolean>((resolve) => before.onChange(resolve));
  hub.known.set('oslo', { key: newIdentity().thumbprint, secretHashed: null });
  t.false(nodeIn(hub).isConnected());
  hub.hub.dropRefused();
  t.false(await lost);
  t.false(before.isConnected());
  t.not(hub.hub.node('oslo', key!), before);
});

test('an answer that was sent before opens no second tunnel', async (t) => {
  const hub = await openHub(t);
  const own = newIdentity();
  hub.known.set('oslo', { key: own.thumbprint, secretHashed: null });
  const membership = { nodeId: 'oslo', audience: hub.url, hubKey: hub.identity.thumbprint };
  const first = dialled(t, hub);
  const [greeting] = (await once(first, 'message')) as [Buffer];
  const { statement } = await answerGreeting(greeting.toString(), membership, own);
  first.send(statement);
  await once(first, 'message');
  const second = dialled(t, hub);
  await once(second, 'message');
  second.send(statement);
  t.deepEqual(await closing(second), [4003, 'the answer is for another greeting or another hub']);
});

test('a tunnel that breaks down while a newer tunnel opens does not take the hub with it', async (t) => {
  const hub = await openHub(t);
  const own = newIdentity();
  hub.known.set('oslo', { key: own.thumbprint, secretHashed: null });
  const shaken = async (): Promise<WebSocket> => {
    const socket = dialled(t, hub);
    const [greeting] = (await once(socket, 'message')) as [Buffer];
    const membership = { nodeId: 'oslo', audience: hub.url, hubKey: hub.identity.thumbprint };
    socket.send((await answerGreeting(greeting.toString(), membership, own)).statement);
    await once(socket, 'message');
    return socket;
  };
  for (let round = 0; round < 20; round++) {
    const [broken, newer] = [await shaken(), await shaken()];
    const closed = closing(broken);
    broken.send('ready');
    // no frame of HTTP/2
    broken.send(Buffer.alloc(64, 0xff));
    for (let turn = 0; turn < round; turn++) await new Promise(setImmediate);
    newer.send('ready');
    await closed;
    newer.terminate();
  }
  t.pass();
});

test('an invitation is for the first key that proves it, which waits', async (t) => {
  const hub = await openHub(t);
  const secret = 's'.repeat(32);
  hub.known.set('oslo', { key: null, secretHashed: secretHash(secret) });
  const membership = { nodeId: 'oslo', audience: hub.url, hubKey: hub.identity.thumbprint, secret };
  const settings = { membership, serve: () => undefined, maxResponseBytes: 1_000, env: {}, log: silent };
  const waits = Promise.withResolvers<string>();
  const log = { info: () => undefined, warn: (_: object, message: string) => waits.resolve(message) };
  const first = dialHub({ ...settings, identity: newIdentity(), log });
  t.teardown(() => first.close());
  t.is(await waits.promise, 'waits to be accepted by the hub');
  t.is(hub.invited.length, 1);
  hub.known.set('oslo', {
    key: null,
    secretHashed: secretHash(secret),
    invitedKey: hub.invited[0]!.thumbprint,
  });
  const refused = Promise.withResolvers<unknown>();
  const other = dialHub({
    ...settings,
    identity: newIdentity(),
    log: { info: () => undefined, warn: (details) => refused.resolve(details) },
  });
  t.teardown(() => other.close());
  t.like((await refused.promise) as object, { reason: 'this key is not accepted here' });
});

test('a member that leaves says so while it is connected, and a member that stops comes back', async (t) => {
  const hub = await openHub(t);
  const own = newIdentity();
  const member = await openMember(t, hub, (_, response) => response.end(), { own });
  await member.close();
  t.deepEqual(hub.left, []);
  await openMember(t, hub, (_, response) => response.end(), { own });
  const membership = { nodeId: 'oslo', audience: hub.url, hubKey: hub.identity.thumbprint };
  t.is(await sayGoodbye({ membership, identity: own, env: {} }), 'accepted');
  while (hub.left.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.deepEqual(hub.left, ['oslo']);
  t.false(nodeIn(hub).isConnected());
});

test('a member that runs no server says once that it has left', async (t) => {
  const hub = await openHub(t);
  const own = newIdentity();
  const membership = { nodeId: 'oslo', audience: hub.url, hubKey: hub.identity.thumbprint };
  hub.known.set('oslo', { key: own.thumbprint, secretHashed: null });
  t.is(await sayGoodbye({ membership, identity: own, env: {} }), 'accepted');
  while (hub.left.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.deepEqual(hub.left, ['oslo']);
  t.false(nodeIn(hub).isConnected());
  const error = await t.throwsAsync(sayGoodbye({ membership, identity: newIdentity(), env: {} }));
  t.regex(error.message, /not accepted/);
});

test('a member that knows the hub by its former key is connected, and learns the new key', async (t) => {
  const former = newIdentity();
  const hub = await openHub(t, { former });
  const own = newIdentity();
  hub.known.set('oslo', { key: own.thumbprint, secretHashed: null });
  const learned = Promise.withResolvers<string>();
  const dialling = dialHub({
    membership: { nodeId: 'oslo', audience: hub.url, hubKey: former.thumbprint },
    ...{ identity: own, serve: () => undefined, maxResponseBytes: 1_000, env: {}, log: silent },
    onHubKey: learned.resolve,
  });
  t.teardown(() => dialling.close());
  t.is(await learned.promise, hub.identity.thumbprint);
  await dialling.connected;
});
