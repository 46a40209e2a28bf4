import test from 'ava';
import { httpPost, type HttpPost } from '../../src/federation/remote/http-client.ts';
import { newIdentity, nodeIn, openHub, openMember } from './tunnels.ts';

const post = (body: string, overrides: Partial<HttpPost> = {}): HttpPost => ({
  headers: { 'content-type': 'application/json' },
  body,
  signal: new AbortController().signal,
  maxBytes: 1_000_000,
  isRead: () => true,
  ...overrides,
});

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
  const { status, headers, body } = await httpPost(nodeIn(opened).dispatcher, address, post('{"a":1}'));
  t.is(status, 200);
  t.is(headers['tributary-schema'], 'x');
  t.is(body?.toString(), 'POST /graphql {"a":1}');
});

test('a node without a tunnel is disconnected at once, with the reason', async (t) => {
  const opened = await openHub(t);
  await t.throwsAsync(httpPost(nodeIn(opened).dispatcher, address, post('')), {
    code: 'NODE_DISCONNECTED',
    message: 'has not dialled in',
  });
});

test('a request in progress fails as that of a lost connection when the tunnel is lost', async (t) => {
  const opened = await openHub(t);
  const reached = Promise.withResolvers<null>();
  const member = await openMember(t, opened, () => reached.resolve(null));
  const answer = httpPost(nodeIn(opened).dispatcher, address, post('{}'));
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
  const answer = httpPost(nodeIn(opened).dispatcher, address, post('{}'));
  await begun.promise;
  await Promise.all([t.throwsAsync(answer, { code: 'ECONNRESET' }), member.close()]);
});

test('a caller that leaves ends the request at the member', async (t) => {
  const opened = await openHub(t);
  const aborted = Promise.withResolvers<null>();
  const reached = Promise.withResolvers<null>();
  await openMember(t, opened, (request) => {
    request.on('aborted', () => aborted.resolve(null));
    reached.resolve(null);
  });
  const ended = new AbortController();
  const answer = httpPost(nodeIn(opened).dispatcher, address, post('{}', { signal: ended.signal }));
  await reached.promise;
  ended.abort(new Error('left'));
  await t.throwsAsync(answer, { message: 'left' });
  await t.notThrowsAsync(aborted.promise);
});

test('a second tunnel of the same key replaces the first, which finishes its requests', async (t) => {
  const opened = await openHub(t);
  const own = newIdentity();
  const first = Promise.withResolvers<() => void>();
  await openMember(t, opened, (_, response) => first.resolve(() => response.end('first')), { own });
  const slow = httpPost(nodeIn(opened).dispatcher, address, post('{}'));
  const finish = await first.promise;
  await openMember(t, opened, (_, response) => response.end('second'), { own });
  const next = await httpPost(nodeIn(opened).dispatcher, address, post('{}'));
  t.is(next.body?.toString(), 'second');
  finish();
  t.is((await slow).body?.toString(), 'first');
});
