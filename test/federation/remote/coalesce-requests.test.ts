import test from 'ava';
import { parse } from 'graphql';
import { TributaryError } from '../../../src/errors/errors.ts';
import type { GraphqlAnswer, GraphqlRequest } from '../../../src/federation/remote/graphql-over-http.ts';
import { bodyOf, coalesced, graphqlBody } from '../../../src/federation/remote/graphql-over-http.ts';
import { documentTextOf } from '../../../src/federation/remote/document-executor.ts';
import type { DocumentRequest } from '../../../src/federation/remote/document-executor.ts';

const body = graphqlBody('{ a }');

/** An executor that answers when told to. */
const slow = () => {
  const sent: { request: GraphqlRequest; answer: (answer: GraphqlAnswer) => void }[] = [];
  const execute = coalesced(
    (request: GraphqlRequest) =>
      new Promise<GraphqlAnswer>((resolve) => void sent.push({ request, answer: resolve })),
    bodyOf,
  );
  const ask = (more: Partial<GraphqlRequest> = {}) =>
    execute({ body, headers: { a: '1' }, signal: new AbortController().signal, ...more });
  return { sent, ask };
};

test('equal requests under way are sent once, and again once answered', async (t) => {
  const { sent, ask } = slow();
  const both = [ask(), ask()];
  t.is(sent.length, 1);
  sent[0]!.answer({ data: 1 });
  t.deepEqual(await Promise.all(both), [{ data: 1 }, { data: 1 }]);
  void ask();
  t.is(sent.length, 2);
});

test('another header value or variable is another request', (t) => {
  const { sent, ask } = slow();
  void ask();
  void ask({ headers: { a: '2' } });
  void ask({ body: graphqlBody('{ a }', { x: 1 }) });
  t.is(sent.length, 3);
});

test('one waiter leaving does not end the request; the last one does', async (t) => {
  const { sent, ask } = slow();
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [ask({ signal: first.signal }), ask({ signal: second.signal })];
  first.abort();
  await t.throwsAsync(waits[0]!, { code: 'NODE_TIMEOUT' });
  t.false(sent[0]!.request.signal.aborted);
  second.abort();
  await t.throwsAsync(waits[1]!, { code: 'NODE_TIMEOUT' });
  t.true(sent[0]!.request.signal.aborted);
  void ask();
  t.is(sent.length, 2);
});

test('the request ends for the reason of the last one to leave', async (t) => {
  const { sent, ask } = slow();
  const late = new AbortController();
  const wait = ask({ signal: late.signal });
  const reason = new TributaryError('NODE_TIMEOUT', 'did not answer within 5 ms');
  late.abort(reason);
  await t.throwsAsync(wait);
  t.is(sent[0]!.request.signal.reason, reason);
});

test('headers that name or trace a request, or limit its time, do not make it another one', async (t) => {
  const { sent, ask } = slow();
  const naming = ['x-request-id', 'X-Request-Id', 'traceparent', 'tracestate', 'tributary-deadline-ms'];
  const asked = naming.flatMap((name) => [
    ask({ headers: { authorization: 'a', [name]: '1' } }),
    ask({ headers: { [name]: '2', authorization: 'a' } }),
  ]);
  t.is(sent.length, 1);
  sent[0]!.answer({ data: 1 });
  t.deepEqual(
    await Promise.all(asked),
    asked.map(() => ({ data: 1 })),
  );
});

test('every other header may carry rights, and makes it another one', (t) => {
  const { sent, ask } = slow();
  const headers = ['authorization', 'cookie', 'x-tenant', 'tributary-path', 'tributary-node'];
  for (const name of headers) for (const value of ['1', '2']) void ask({ headers: { [name]: value } });
  t.is(sent.length, 2 * headers.length);
});

test('documents are equal by their text and variables', (t) => {
  const sent: DocumentRequest[] = [];
  const execute = coalesced(
    (request: DocumentRequest) => (sent.push(request), new Promise<GraphqlAnswer>(() => undefined)),
    documentTextOf,
  );
  const ask = (text: string, variables?: object, id = '1') =>
    void execute({
      document: parse(text),
      ...(variables && { variables: { ...variables } }),
      headers: { 'x-request-id': id },
      signal: new AbortController().signal,
    });
  ask('{ a }');
  ask('{ a }', {}, '2');
  ask('query { a }', {}, '3');
  ask('{ b }');
  ask('{ a }', { x: 1 });
  t.is(sent.length, 3);
});
