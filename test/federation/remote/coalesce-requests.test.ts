import test from 'ava';
import { TributaryError } from '../../../src/errors/errors.ts';
import { coalesceRequests } from '../../../src/federation/remote/coalesce-requests.ts';
import type { GraphqlAnswer, GraphqlRequest } from '../../../src/federation/remote/graphql-over-http.ts';
import { graphqlBody } from '../../../src/federation/remote/graphql-over-http.ts';

const body = graphqlBody('{ a }');

/** An executor that answers when told to. */
const slow = () => {
  const sent: { request: GraphqlRequest; answer: (answer: GraphqlAnswer) => void }[] = [];
  const execute = coalesceRequests(
    (request, take) =>
      new Promise((resolve) => void sent.push({ request, answer: (answer) => resolve(take(answer)) })),
  );
  const ask = (more: Partial<GraphqlRequest> = {}) =>
    execute({ body, headers: { a: '1' }, signal: new AbortController().signal, ...more }, (answer) => answer);
  return { sent, execute, ask };
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

test('each waiter takes what it needs as the answer arrives; one that cannot fails alone', async (t) => {
  const { sent, execute } = slow();
  const request = { body, headers: {}, signal: new AbortController().signal };
  const taking = execute(request, ({ data }) => data);
  const failing = execute(request, () => {
    throw new Error('not readable');
  });
  sent[0]!.answer({ data: 7 });
  t.is(await taking, 7);
  await t.throwsAsync(failing, { message: 'not readable' });
});
