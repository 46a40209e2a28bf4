import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mock } from 'node:test';
import test from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { requestAllowance, type TakeTurn } from '../../../src/engines/allowance.ts';
import {
  coalesced,
  graphqlBody,
  NodeExecutor,
  tunnelTransport,
} from '../../../src/federation/remote/http-executor.ts';
import { sendHttp, type HttpRequest } from '../../../src/federation/remote/send-http.ts';
import {
  carryCaller,
  noteHub,
  requestContextOf,
  type RequestState,
} from '../../../src/server/http/koa/http-context.ts';
import { nameRequest } from '../../../src/server/http/koa/middleware.ts';
import { recordRequests } from '../../../src/server/http/ops/record-requests.ts';
import { HandshakeError } from '../../../src/capabilities/joining/handshake.ts';
import { dialHub, pauseMs } from '../../../src/capabilities/joining/member.ts';
import { tunnelStream } from '../../../src/capabilities/joining/web-socket.ts';
import { fullAccess, type RequestContext } from '../../../src/search/request-context.ts';
import { newIdentity, nodeIn, openHub, openMember } from './tunnels.ts';

const post = (body: string, overrides: Partial<HttpRequest> = {}): HttpRequest => ({
  headers: { 'content-type': 'application/json' },
  body,
  signal: new AbortController().signal,
  maxBytes: 1_000_000,
  isRead: () => true,
  ...overrides,
});

const runAtOnce: TakeTurn = (_cost, options, search) => search(options);

const address = new URL('http://member/graphql');

test('a request reaches the member, and its answer the hub', async (t) => {
  const opened = await openHub(t);
  await openMember(t, opened, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'tributary-schema': 'x' });
      response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
    });
  });
  const { status, headers, body } = await sendHttp(nodeIn(opened).dispatcher, address, post('{"a":1}'));
  t.is(status, 200);
  t.is(headers['tributary-schema'], 'x');
  t.is(body?.toString(), 'POST /graphql {"a":1}');
});

test('the line of a request through a tunnel has no bytes, which are not known', async (t) => {
  const hub = await openHub(t);
  const logged = Promise.withResolvers<Record<string, unknown>>();
  const log = pino({}, { write: (line) => logged.resolve(JSON.parse(line) as Record<string, unknown>) });
  const app = new Koa<RequestState>();
  app.use(nameRequest).use(recordRequests({ log, settings: { pingPath: '/ping', readyPath: '/ready' } }));
  app.use((context) => void (context.body = 'served'));
  const answer = app.callback();
  await openMember(t, hub, (request, response) => {
    noteHub(request, 'Nordic');
    void answer(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  await sendHttp(nodeIn(hub).dispatcher, address, post('{}'));
  const line = await logged.promise;
  t.like(line, { msg: 'request', status: 200 });
  t.false('bytes' in line);
  t.false('aborted' in line);
});

test('a node without a tunnel is disconnected at once, with the reason', async (t) => {
  const opened = await openHub(t);
  await t.throwsAsync(sendHttp(nodeIn(opened).dispatcher, address, post('')), {
    code: 'NODE_DISCONNECTED',
    message: 'has not dialled in',
  });
});

test('a request in progress fails as that of a lost connection when the tunnel is lost', async (t) => {
  const opened = await openHub(t);
  const reached = Promise.withResolvers<null>();
  const member = await openMember(t, opened, () => reached.resolve(null));
  const answer = sendHttp(nodeIn(opened).dispatcher, address, post('{}'));
  await reached.promise;
  await Promise.all([t.throwsAsync(answer, { code: 'ECONNRESET' }), member.close()]);
});

test('an answer that the tunnel cuts is a lost connection, not a short answer', async (t) => {
  const opened = await openHub(t);
  const begun = Promise.withResolvers<null>();
  const member = await openMember(t, opened, (_, response) => {
    response.writeHead(200);
    response.write('{"data":', () => begun.resolve(null));
  });
  const answer = sendHttp(nodeIn(opened).dispatcher, address, post('{}'));
  await begun.promise;
  await Promise.all([t.throwsAsync(answer, { code: 'ECONNRESET' }), member.close()]);
});

test('a caller that leaves ends the work for its request at the member', async (t) => {
  const opened = await openHub(t);
  const reached = Promise.withResolvers<Pick<RequestContext, 'signal' | 'observer'>>();
  const logged = Promise.withResolvers<Record<string, unknown>>();
  const log = pino({}, { write: (line) => logged.resolve(JSON.parse(line) as Record<string, unknown>) });
  const app = new Koa<RequestState>();
  app.use(nameRequest).use(recordRequests({ log, settings: { pingPath: '/ping', readyPath: '/ready' } }));
  app.use(carryCaller(() => fullAccess));
  app.use(async (context) => {
    const work = requestContextOf(context, { allowance: requestAllowance(0, runAtOnce) });
    t.false(work.observer.hasLeft());
    reached.resolve(work);
    await once(work.signal!, 'abort');
  });
  const answer = app.callback();
  await openMember(t, opened, (request, response) => {
    void answer(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  const ended = new AbortController();
  const sent = sendHttp(nodeIn(opened).dispatcher, address, post('{}', { signal: ended.signal }));
  const { signal, observer } = await reached.promise;
  ended.abort(new Error('left'));
  await t.throwsAsync(sent, { message: 'left' });
  t.like(await logged.promise, { msg: 'request', aborted: true });
  t.true(signal?.aborted);
  t.true(observer.hasLeft());
});

test('two callers share a request through a tunnel, and the second is answered whole when the first leaves', async (t) => {
  const opened = await openHub(t);
  const reached = Promise.withResolvers<() => void>();
  let requests = 0;
  await openMember(t, opened, (_, response) => {
    requests += 1;
    response.setHeader('content-type', 'application/json');
    reached.resolve(() => response.end('{"data":{"a":1}}'));
  });
  const executor = new NodeExecutor(tunnelTransport(nodeIn(opened), 1_000), address.href);
  const send = coalesced(executor.send);
  const [first, second] = [new AbortController(), new AbortController()];
  const [left, stays] = [first, second].map(({ signal }) =>
    send({ body: graphqlBody('{ a }'), headers: {}, signal }),
  );
  const answer = await reached.promise;
  first.abort();
  await t.throwsAsync(left!, { code: 'NODE_TIMEOUT' });
  answer();
  t.deepEqual(await stays, { data: { a: 1 } });
  t.is(requests, 1);
});

test('a second tunnel of the same key replaces the first, which finishes its requests', async (t) => {
  const opened = await openHub(t);
  const own = newIdentity();
  const first = Promise.withResolvers<() => void>();
  await openMember(t, opened, (_, response) => first.resolve(() => response.end('first')), { own });
  const slow = sendHttp(nodeIn(opened).dispatcher, address, post('{}'));
  const finish = await first.promise;
  await openMember(t, opened, (_, response) => response.end('second'), { own });
  const next = await sendHttp(nodeIn(opened).dispatcher, address, post('{}'));
  t.is(next.body?.toString(), 'second');
  finish();
  t.is((await slow).body?.toString(), 'first');
});

/** A log that resolves with the first reason why a member is not connected. */
const noted = () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return {
    log: {
      info: () => undefined,
      warn: (details: object) => resolve((details as { reason?: unknown }).reason),
    },
    reason: promise,
  };
};

const aWhile = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a member that was replaced hears why, and leaves the place to its successor', async (t) => {
  const opened = await openHub(t);
  const own = newIdentity();
  const { log, reason } = noted();
  let dials = 0;
  await openMember(t, opened, (_, response) => response.end('first'), { own, log });
  nodeIn(opened).onChange((is) => (dials += Number(is)));
  await openMember(t, opened, (_, response) => response.end('second'), { own });
  t.is(await reason, 'a newer tunnel of the same key has replaced this one');
  // longer than the first pause after a lost connection
  await aWhile(1_300);
  t.is(dials, 1);
  t.is((await sendHttp(nodeIn(opened).dispatcher, address, post('{}'))).body?.toString(), 'second');
});

test('members of a hub that restarts come back within ten seconds, those it refuses ever more seldom', (t) => {
  const longest = (reason: Error, failures: number, goneMs: number): number =>
    Math.max(...Array.from({ length: 2_000 }, () => pauseMs(reason, failures, goneMs)));
  const refused = new Error('connect ECONNREFUSED');
  for (const failures of [4, 8, 10]) {
    for (const reason of [
      refused,
      new HandshakeError('goingAway', 'the hub stops'),
      new HandshakeError('tooSlow', 'late'),
    ])
      t.true(longest(reason, failures, 60_000) <= 10_000);
    const foreign = new HandshakeError('keyRefused', 'another key');
    t.true(longest(foreign, failures, 60_000) > 10_000);
  }
  t.true(longest(refused, 10, 600_000) > 10_000);
  t.true(longest(refused, 10, 600_000) <= 60_000);
  t.true(longest(refused, 0, 0) <= 1_000);
  t.true(longest(refused, 4, 60_000) > 5_000, 'they do not all come at once');
});

test('a hub that stops says so', async (t) => {
  const opened = await openHub(t);
  const { log, reason } = noted();
  await openMember(t, opened, (_, response) => response.end(), { log });
  opened.hub.close();
  t.is(await reason, 'the hub stops');
});

test('a hub that is about to stop still sends requests to its members, and takes no new ones', async (t) => {
  const opened = await openHub(t);
  await openMember(t, opened, (_, response) => response.end('here'));
  opened.hub.retire();
  t.is((await sendHttp(nodeIn(opened).dispatcher, address, post('{}'))).body?.toString(), 'here');
  const { log, reason } = noted();
  const { identity, url, known } = opened;
  const own = newIdentity();
  known.set('bergen', { key: own.thumbprint, secretHashed: null });
  const membership = { nodeId: 'bergen', audience: url, hubKey: identity.thumbprint };
  const settings = {
    membership,
    identity: own,
    serve: () => undefined,
    maxResponseBytes: 1_000,
    env: {},
    log,
  };
  const late = dialHub(settings);
  t.teardown(() => late.close());
  t.regex(String(await reason), /503/);
});

test('a member that is about to stop finishes its requests, and does not dial again', async (t) => {
  const opened = await openHub(t);
  const reached = Promise.withResolvers<() => void>();
  const member = await openMember(t, opened, (_, response) => reached.resolve(() => response.end('done')));
  const slow = sendHttp(nodeIn(opened).dispatcher, address, post('{}'));
  const finish = await reached.promise;
  const lost = new Promise<boolean>((resolve) => nodeIn(opened).onChange(resolve));
  member.retire();
  t.false(await lost);
  // less than requests in progress may take, in parts: a process that stalls gets on with its connections in between
  const longest = (async () => {
    for (let part = 0; part < 4; part++) await aWhile(400);
  })();
  const closing = member.close().then(() => 'closed');
  finish();
  t.is((await slow).body?.toString(), 'done');
  t.is(await Promise.race([closing, longest]), 'closed');
  await aWhile(1_300);
  t.false(nodeIn(opened).isConnected());
  t.regex(nodeIn(opened).absence(), /last reason: the node is stopping/);
});

test('an end that does not answer pings is cut after two of them', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const ended: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    readyState: WebSocket.OPEN,
    ping: () => ended.push('ping'),
    terminate: () => ended.push('cut'),
  });
  tunnelStream(socket as unknown as WebSocket);
  mock.timers.tick(20_000);
  socket.emit('pong');
  mock.timers.tick(60_000);
  t.deepEqual(ended, ['ping', 'ping', 'ping', 'cut']);
});
