import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { GraphqlRequest } from '../../../src/federation/remote/http-executor.ts';
import { graphqlBody, NodeExecutor, openTransport } from '../../../src/federation/remote/http-executor.ts';
import { listening } from '../../listening.ts';

const secret = 'password=hunter2';
const body = graphqlBody('{ a }');

/** Sends requests to a server with this listener. */
const sendTo = async (t: ExecutionContext, answer: RequestListener) => {
  const server = createServer(answer);
  const { url } = await listening(t, server);
  const transport = openTransport(100_000);
  t.teardown(() => transport.close());
  const node = new NodeExecutor(transport, `${url}/graphql`);
  return (more: Partial<GraphqlRequest> = {}) =>
    node.send({ body, headers: {}, signal: new AbortController().signal, ...more });
};

/** Status, content type and body of an answer, and the code and reason it is refused with. */
const refused: readonly (readonly [number, string, string, string, string])[] = [
  [
    200,
    'text/html; charset=utf-8',
    `<p>${secret}</p>`,
    'NODE_BAD_RESPONSE',
    'the answer is text/html, not JSON',
  ],
  [400, 'text/html', secret, 'NODE_BAD_RESPONSE', 'the answer is text/html, not JSON'],
  [
    200,
    'text/event-stream',
    `data: {"${secret}":1}\n\n`,
    'NODE_BAD_RESPONSE',
    'the answer is text/event-stream, not JSON',
  ],
  [
    200,
    'multipart/mixed; boundary="-"',
    `---\r\n\r\n${secret}`,
    'NODE_BAD_RESPONSE',
    'the answer is multipart/mixed, not JSON',
  ],
  [200, `a/${secret} x`, secret, 'NODE_BAD_RESPONSE', 'the answer is another content type, not JSON'],
  [200, 'application/json', `<p>${secret}</p>`, 'NODE_BAD_RESPONSE', 'the answer is not GraphQL'],
  [200, 'application/json', '', 'NODE_BAD_RESPONSE', 'the answer is not GraphQL'],
  [200, 'application/json', JSON.stringify({ secret }), 'NODE_BAD_RESPONSE', 'the answer is not GraphQL'],
  [200, 'application/json', JSON.stringify([secret]), 'NODE_BAD_RESPONSE', 'the answer is not GraphQL'],
  [200, 'application/json', 'null', 'NODE_BAD_RESPONSE', 'the answer is not GraphQL'],
  [
    200,
    'application/json',
    JSON.stringify({ errors: [secret, null] }),
    'NODE_BAD_RESPONSE',
    'the answer is not GraphQL',
  ],
  [
    200,
    'application/json',
    `{"data":${'['.repeat(200)}${']'.repeat(200)}}`,
    'NODE_BAD_RESPONSE',
    'the answer is nested deeper than 100 levels',
  ],
  [
    200,
    'application/json',
    JSON.stringify({ data: secret.repeat(10_000) }),
    'NODE_BAD_RESPONSE',
    'the answer is larger than 100000 bytes',
  ],
  [302, 'application/json', secret, 'NODE_BAD_RESPONSE', 'redirects are not followed (HTTP 302)'],
  [401, 'text/html', secret, 'NODE_REFUSED', 'needs a credential, or another one (HTTP 401)'],
  [429, 'text/html', secret, 'TOO_MANY_REQUESTS', 'rate-limited'],
  [503, 'text/html', secret, 'NODE_UNREACHABLE', 'answered HTTP 503'],
];

for (const [status, type, body, code, message] of refused)
  test(`HTTP ${status}, ${type.slice(0, 20)}, ${body.slice(0, 12)}: ${message}, and nothing of what it says`, async (t) => {
    let requests = 0;
    const send = await sendTo(t, (_request, response) => {
      requests += 1;
      response.writeHead(status, { 'content-type': type, 'x-secret': secret }).end(body);
    });
    const error = await t.throwsAsync(send(), { code, message });
    t.false(inspect(error, { depth: 20, showHidden: true }).includes(secret));
    // nothing is sent again by itself
    t.is(requests, 1);
  });

const taken = [
  'application/json',
  'application/graphql-response+json; charset=utf-8',
  'Application/JSON',
  'text/plain',
  '',
];
for (const type of taken)
  test(`JSON as ${type || 'no type at all'} is read, its errors too`, async (t) => {
    const answer = { data: { a: 1 }, errors: [{ message: 'b', path: ['a'], extensions: { code: 'X' } }] };
    const send = await sendTo(t, (_request, response) => {
      response.writeHead(200, type ? { 'content-type': type } : {}).end(`\uFEFF${JSON.stringify(answer)}`);
    });
    const { data, errors } = await send();
    t.deepEqual(data, answer.data);
    t.like(errors, [{ message: 'b', path: ['a'], extensions: { code: 'X' } }]);
  });

test('what is sent: a request for plain JSON, with its variables and headers', async (t) => {
  const seen: object[] = [];
  const send = await sendTo(t, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { accept, 'content-type': type, authorization } = request.headers;
    seen.push({ method: request.method, accept, type, authorization, ...(JSON.parse(body) as object) });
    response.end('{"data":{}}');
  });
  await send({
    headers: { authorization: 'Bearer a', accept: 'text/html' },
    body: graphqlBody('{ a }', { b: 1 }),
  });
  t.deepEqual(seen, [
    {
      method: 'POST',
      accept: 'application/json',
      type: 'application/json',
      authorization: 'Bearer a',
      query: '{ a }',
      variables: { b: 1 },
    },
  ]);
});

test('two equal requests each end by their own signal', async (t) => {
  let answers: (() => void)[] = [];
  const both = Promise.withResolvers<undefined>();
  const send = await sendTo(t, (_request, response) => {
    answers.push(() => void response.end('{"data":{"a":1}}'));
    if (answers.length === 2) both.resolve(undefined);
  });
  const leaving = new AbortController();
  const waits = [send({ signal: leaving.signal }), send()];
  await both.promise;
  leaving.abort();
  await t.throwsAsync(waits[0]!, { code: 'NODE_TIMEOUT', message: 'timed out' });
  for (const answer of answers) answer();
  answers = [];
  t.deepEqual(await waits[1]!, { data: { a: 1 } });
  await t.throwsAsync(send({ signal: AbortSignal.abort() }), { code: 'NODE_TIMEOUT' });
});
