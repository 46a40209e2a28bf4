import { getEventListeners } from 'node:events';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import nock from 'nock';
import {
  coalesced,
  graphqlBody,
  NodeExecutor,
  openTransport,
  type GraphqlRequest,
} from '../../src/federation/remote/http-executor.ts';

const json = { 'content-type': 'application/json' };

/** Each test has a host of its own, so that they can run side by side. */
let hosts = 0;

/** An executor whose node answers in this process. */
const mocked = (t: ExecutionContext) => {
  hosts += 1;
  const url = `http://node-${hosts}.test`;
  const transport = openTransport(1_000);
  t.teardown(() => transport.close());
  const { send } = new NodeExecutor(transport, `${url}/graphql`);
  const asked = (more: Partial<GraphqlRequest> = {}): GraphqlRequest => ({
    ...{ body: graphqlBody('{ a }'), headers: {}, signal: new AbortController().signal },
    ...more,
  });
  const post = (body?: nock.DataMatcherMap) => nock(url).post('/graphql', body);
  return { send, asked, post };
};

test('a length beyond the limit is refused before anything is read', async (t) => {
  const { send, asked, post } = mocked(t);
  let read = 0;
  post().reply(200, '{"data":{"a":1}}', { ...json, 'content-length': '1001' });
  const memory = { add: (bytes: number) => void (read += bytes) };
  await t.throwsAsync(send(asked({ memory })), {
    code: 'NODE_BAD_RESPONSE',
    message: 'the answer is larger than 1000 bytes',
  });
  t.is(read, 0);
});

test('a web page is refused by its type, before anything is read', async (t) => {
  const { send, asked, post } = mocked(t);
  let read = 0;
  post().reply(200, '<p>hello</p>', { 'content-type': 'text/html' });
  const memory = { add: (bytes: number) => void (read += bytes) };
  await t.throwsAsync(send(asked({ memory })), { message: 'the answer is text/html, not JSON' });
  t.is(read, 0);
});

test('JSON as plain text is read', async (t) => {
  const { send, asked, post } = mocked(t);
  post().reply(200, '{"data":{"a":1}}', { 'content-type': 'text/plain' });
  t.deepEqual(await send(asked()), { data: { a: 1 } });
});

test("a node's errors stay what it sent, whatever they claim to be", async (t) => {
  const { send, asked, post } = mocked(t);
  const error = {
    message: 'a',
    ...{ source: { body: '\n\n' }, positions: [1, 2], nodes: [{ loc: 1 }], name: 'GraphQLError' },
    originalError: { message: 'b' },
  };
  post().reply(200, JSON.stringify({ data: null, errors: [error] }), json);
  const { errors } = await send(asked());
  t.deepEqual(errors, [error]);
  t.is(Object.getPrototypeOf(errors![0]), Object.prototype);
});

test('a variable whose keys look like an upload is sent as it is', async (t) => {
  const { send, asked, post } = mocked(t);
  const variables = { filters: { then: 1, promise: 'a', arrayBuffer: null, createReadStream: {} } };
  post({ query: '{ a }', variables }).reply(200, '{"data":{"a":1}}', json);
  t.deepEqual(await send(asked({ body: graphqlBody('{ a }', variables) })), { data: { a: 1 } });
});

test('integers beyond 2^53 keep their digits where they are asked to', async (t) => {
  const { send, asked, post } = mocked(t);
  post().times(2).reply(200, '{"data":{"a":9007199254740993}}', json);
  t.deepEqual(await send(asked({ exact: true })), { data: { a: '9007199254740993' } });
  t.deepEqual(await send(asked()), { data: { a: 9007199254740992 } });
});

test('a node is busy for as long as it says', async (t) => {
  const { send, asked, post } = mocked(t);
  const after = { 'retry-after': '7' };
  post().reply(429, 'secret', after);
  await t.throwsAsync(send(asked()), {
    code: 'TOO_MANY_REQUESTS',
    message: 'rate-limited: retry after 7 s',
  });
  post().reply(503, 'secret', after);
  await t.throwsAsync(send(asked()), {
    code: 'NOT_READY',
    message: 'busy or not ready: retry after 7 s',
  });
});

test('what the library throws leaves in our words', async (t) => {
  const { send, asked, post } = mocked(t);
  post().replyWithError(Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }));
  const { code, message } = await t.throwsAsync<Error & { code: string }>(send(asked()));
  t.deepEqual([code, message], ['NODE_UNREACHABLE', 'connection refused']);
});

test('twenty share a request, and one of them is answered whole after nineteen have left', async (t) => {
  const { send, asked, post } = mocked(t);
  let requests = 0;
  post()
    .delay(100)
    .reply(() => {
      requests += 1;
      return [200, '{"data":{"a":1}}', json];
    });
  const shared = coalesced(send);
  const leaving = Array.from({ length: 19 }, () => new AbortController());
  const left = leaving.map(({ signal }) => shared(asked({ signal })));
  const stays = new AbortController();
  const whole = shared(asked({ signal: stays.signal }));
  for (const one of leaving) one.abort();
  for (const one of left) await t.throwsAsync(one, { code: 'NODE_TIMEOUT' });
  t.deepEqual(await whole, { data: { a: 1 } });
  t.is(requests, 1);
  t.deepEqual(getEventListeners(stays.signal, 'abort'), []);
});

test('callers with other credentials share no answer', async (t) => {
  const { send, asked, post } = mocked(t);
  for (const authorization of ['a', 'b'])
    post()
      .matchHeader('authorization', authorization)
      .reply(200, JSON.stringify({ data: { a: authorization } }), json);
  const shared = coalesced(send);
  const answers = ['a', 'b'].map((authorization) => shared(asked({ headers: { authorization } })));
  t.deepEqual(await Promise.all(answers), [{ data: { a: 'a' } }, { data: { a: 'b' } }]);
});
