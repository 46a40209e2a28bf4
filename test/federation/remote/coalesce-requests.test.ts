import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { GraphqlAnswer, GraphqlRequest } from '../../../src/federation/remote/http-executor.ts';
import { coalesced, graphqlBody } from '../../../src/federation/remote/http-executor.ts';

const body = graphqlBody('{ a }');

/** A sender that answers on demand. */
const slow = () => {
  const sent: { request: GraphqlRequest; answer: (answer: GraphqlAnswer) => void }[] = [];
  const execute = coalesced(
    (request: GraphqlRequest) =>
      new Promise<GraphqlAnswer>((resolve) => void sent.push({ request, answer: resolve })),
  );
  const send = (more: Partial<GraphqlRequest> = {}) =>
    execute({ body, headers: { a: '1' }, signal: new AbortController().signal, ...more });
  return { sent, send };
};

test('equal requests under way are sent once, and again once answered', async (t) => {
  const { sent, send } = slow();
  const both = [send(), send()];
  t.is(sent.length, 1);
  sent[0]!.answer({ data: 1 });
  t.deepEqual(await Promise.all(both), [{ data: 1 }, { data: 1 }]);
  void send();
  t.is(sent.length, 2);
});

test('another header value or variable is another request', (t) => {
  const { sent, send } = slow();
  void send();
  void send({ headers: { a: '2' } });
  void send({ body: graphqlBody('{ a }', { x: 1 }) });
  t.is(sent.length, 3);
});

test('one waiter leaving does not end the request; the last one does', async (t) => {
  const { sent, send } = slow();
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [send({ signal: first.signal }), send({ signal: second.signal })];
  first.abort();
  await t.throwsAsync(waits[0]!, { code: 'NODE_TIMEOUT' });
  t.false(sent[0]!.request.signal.aborted);
  second.abort();
  await t.throwsAsync(waits[1]!, { code: 'NODE_TIMEOUT' });
  t.true(sent[0]!.request.signal.aborted);
  void send();
  t.is(sent.length, 2);
});

test('the request ends for the reason of the last one to leave', async (t) => {
  const { sent, send } = slow();
  const late = new AbortController();
  const wait = send({ signal: late.signal });
  const reason = new TributaryError('NODE_TIMEOUT', 'did not answer within 5 ms');
  late.abort(reason);
  await t.throwsAsync(wait);
  t.is(sent[0]!.request.signal.reason, reason);
});

test('headers that name or trace a request or its caller do not make it another one', async (t) => {
  const { sent, send } = slow();
  const naming = ['x-request-id', 'X-Request-Id', 'traceparent', 'tracestate', 'tributary-caller'];
  const answers = naming.flatMap((name) => [
    send({ headers: { authorization: 'a', [name]: '1' } }),
    send({ headers: { [name]: '2', authorization: 'a' } }),
  ]);
  t.is(sent.length, 1);
  sent[0]!.answer({ data: 1 });
  t.deepEqual(
    await Promise.all(answers),
    answers.map(() => ({ data: 1 })),
  );
});

test('who has much time shares no request that must be answered sooner', (t) => {
  const { sent, send } = slow();
  for (const left of ['590', '4990', '4200', '29990'])
    void send({ headers: { 'tributary-deadline-ms': left } });
  t.deepEqual(
    sent.map(({ request }) => request.headers),
    ['590', '4990', '29990'].map((left) => ({ 'tributary-deadline-ms': left })),
  );
});

test('every other header may carry rights, and makes it another one', (t) => {
  const { sent, send } = slow();
  const headers = ['authorization', 'cookie', 'x-tenant', 'tributary-path', 'tributary-node'];
  for (const name of headers) for (const value of ['1', '2']) void send({ headers: { [name]: value } });
  t.is(sent.length, 2 * headers.length);
});

test('requests are equal by their document and variables', (t) => {
  const { sent, send } = slow();
  const query = (text: string, variables?: Readonly<Record<string, unknown>>, id = '1') =>
    void send({ body: graphqlBody(text, variables), headers: { 'x-request-id': id } });
  query('{ a }');
  query('{ a }', {}, '2');
  query('{ b }');
  query('{ a }', { x: 1 });
  t.is(sent.length, 3);
});
