import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { Agent } from 'undici';
import { sendHttp, type HttpRequest } from '../../../src/federation/remote/send-http.ts';
import { listening } from '../../listening.ts';

/** Posts to a server that answers so. */
const posting = async (t: ExecutionContext, answer: RequestListener) => {
  const server = createServer(answer);
  const { url: base } = await listening(t, server);
  const agent = new Agent();
  t.teardown(() => agent.destroy());
  const url = new URL(`${base}/graphql?a=1`);
  return (more: Partial<HttpRequest> = {}) =>
    sendHttp(agent, url, {
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ a }"}',
      signal: new AbortController().signal,
      maxBytes: 100_000,
      isRead: (status) => status === 200,
      ...more,
    });
};

test('what is posted arrives, and the answer in all its chunks comes back', async (t) => {
  const post = await posting(t, async (request, response) => {
    response.write(`${request.method} ${request.url} `);
    for await (const chunk of request) response.write(chunk);
    setTimeout(() => response.end(' é'), 20);
  });
  const { status, body } = await post();
  t.is(status, 200);
  t.is(body?.toString(), 'POST /graphql?a=1 {"query":"{ a }"} é');
});

test('an answer of exactly the limit is read', async (t) => {
  const post = await posting(t, (_request, response) => response.end('{"data":{}}'));
  t.is((await post({ maxBytes: 11 })).body?.toString(), '{"data":{}}');
  await t.throwsAsync(post({ maxBytes: 10 }));
});

const packed: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', Buffer.from],
];

for (const [encoding, pack] of packed) {
  test(`an answer in ${encoding} is unpacked`, async (t) => {
    const post = await posting(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding.toUpperCase() }).end(pack('{"data":{}}'));
    });
    t.is((await post()).body?.toString(), '{"data":{}}');
  });

  test(`an answer in ${encoding} that unpacks to more than the limit is refused`, async (t) => {
    const post = await posting(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(' '.repeat(100_001)));
    });
    await t.throwsAsync(post(), {
      code: 'NODE_BAD_RESPONSE',
      message: 'the answer is larger than 100000 bytes',
    });
  });
}

test('an answer without content is not unpacked, whatever encoding it names', async (t) => {
  const post = await posting(t, (_request, response) => {
    response.writeHead(304, { 'content-encoding': 'gzip', etag: '"a"' }).end();
  });
  const { status, headers, body } = await post({ isRead: () => true });
  t.deepEqual([status, headers['etag'], body?.byteLength], [304, '"a"', 0]);
});

test('what does not unpack is refused', async (t) => {
  const post = await posting(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"data":{}}');
  });
  await t.throwsAsync(post(), { code: 'NODE_BAD_RESPONSE', message: 'the answer cannot be decompressed' });
});

test('an encoding that was not requested is refused', async (t) => {
  const post = await posting(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'rot13' }).end('{"data":{}}');
  });
  await t.throwsAsync(post(), { code: 'NODE_BAD_RESPONSE', message: /was not requested/ });
});

test('a body without end is read to the limit and no further', async (t) => {
  const closed = Promise.withResolvers<undefined>();
  const post = await posting(t, (_request, response) => {
    const more = setInterval(() => response.write(' '.repeat(60_000)), 1);
    response.on('close', () => {
      clearInterval(more);
      closed.resolve(undefined);
    });
  });
  await t.throwsAsync(post(), { code: 'NODE_BAD_RESPONSE' });
  await t.notThrowsAsync(closed.promise);
});

test('a body that is not to be read is left, whatever comes of it', async (t) => {
  const post = await posting(t, (_request, response) => void response.writeHead(302).write('never ended'));
  const { status, body } = await post();
  t.deepEqual([status, body], [302, null]);
});

test('early hints are not an answer', async (t) => {
  const post = await posting(t, (_request, response) =>
    response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end('a')),
  );
  t.is((await post()).body?.toString(), 'a');
});

test('the signal ends a request under way, with its reason', async (t) => {
  const leave = new AbortController();
  const reason = new Error('gone');
  const post = await posting(t, () => leave.abort(reason));
  t.is(await t.throwsAsync(post({ signal: leave.signal })), reason);
  t.is(await t.throwsAsync(post({ signal: leave.signal })), reason);
});

test('a signal outlives its requests without holding on to them', async (t) => {
  const post = await posting(t, (_request, response) => void response.end('a'));
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...rest: unknown[]) => {
    listeners += 1;
    Reflect.apply(addEventListener, signal, rest);
  };
  signal.removeEventListener = (...rest: unknown[]) => {
    listeners -= 1;
    Reflect.apply(removeEventListener, signal, rest);
  };
  await post({ signal });
  t.is(listeners, 0);
});

test('who leaves while the connection is still being made is let go at once', async (t) => {
  // takes the connection, and never says a word of TLS
  const silent = createTcpServer(() => undefined);
  const { port } = await listening(t, silent);
  const agent = new Agent();
  t.teardown(() => agent.destroy());
  const url = new URL(`https://127.0.0.1:${port}/graphql`);
  const post = (signal: AbortSignal) =>
    sendHttp(agent, url, { headers: {}, body: '', signal, maxBytes: 1, isRead: () => true });
  const leaving = new AbortController();
  const reason = new Error('too late');
  const answer = post(leaving.signal);
  setTimeout(() => leaving.abort(reason), 50);
  const connecting = sleep(5_000, 'still connecting', { ref: false });
  t.is(await Promise.race([answer.catch((error: unknown) => error), connecting]), reason);
  t.is(await post(leaving.signal).catch((error: unknown) => error), reason);
});
