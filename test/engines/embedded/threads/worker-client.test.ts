import test from 'ava';
import { WorkerClient } from '../../../../src/engines/embedded/threads/worker-client.ts';

const client = (): WorkerClient =>
  new WorkerClient('writer', '/nowhere', new URL('./crashing/x', import.meta.url).href);

for (const way of ['crash', 'exit']) {
  test(`a thread that dies (${way}) fails what it had, and the next answers the rest`, async (t) => {
    const thread = client();
    const runQuery = (index: string) => thread.call({ kind: 'describe', index });
    t.is(await runQuery('first'), 'first');
    const [slow, dying, waiting, later] = ['slow', way, 'waiting', 'later'].map(runQuery);
    for (const lost of [slow, dying]) {
      await t.throwsAsync(lost!, { code: 'ENGINE_UNAVAILABLE', message: /is restarting/ });
    }
    t.deepEqual(await Promise.all([waiting, later]), ['waiting', 'later']);
    t.is(await runQuery('again'), 'again');
    await thread.close();
    await t.throwsAsync(runQuery('closed'), { code: 'ENGINE_UNAVAILABLE' });
  });
}

test('a thread that dies again and again never leaves anybody waiting', async (t) => {
  const thread = client();
  const calls = Array.from({ length: 9 }, () => thread.call({ kind: 'describe', index: 'crash' }));
  for (const { status } of await Promise.allSettled(calls)) t.is(status, 'rejected');
  t.is(await thread.call({ kind: 'describe', index: 'fine' }), 'fine');
  await thread.close();
});

test('a request ends after its time or when it is cancelled, whether it waits or is worked on', async (t) => {
  const thread = client();
  const slow = { kind: 'describe', index: 'slow' } as const;
  const cancel = new AbortController();
  const calls = [
    thread.call(slow, { timeoutMs: 20 }),
    thread.call(slow, { signal: cancel.signal }),
    thread.call(slow, { signal: cancel.signal }),
    thread.call(slow, { timeoutMs: 20 }),
  ];
  cancel.abort();
  for (const call of calls) await t.throwsAsync(call, { code: 'ENGINE_TIMEOUT' });
  await thread.close();
});

test('a thread that is closed answers or rejects all that waits for it', async (t) => {
  const thread = client();
  const calls = Array.from({ length: 4 }, () => thread.call({ kind: 'describe', index: 'slow' }));
  const searches = Array.from({ length: 4 }, () =>
    thread.call({ kind: 'search', index: 'slow', query: { facets: [] } }, { cost: 60_000 }),
  );
  await thread.close();
  t.deepEqual(await Promise.all(calls), ['slow', 'slow', 'slow', 'slow']);
  for (const search of searches)
    await t.throwsAsync(search, { code: 'ENGINE_UNAVAILABLE', message: 'the embedded engine is closed' });
});

test('closing a thread that dies meanwhile fails', async (t) => {
  const thread = client();
  const calls = ['slow', 'crash'].map((index) => thread.call({ kind: 'describe', index }));
  await t.throwsAsync(thread.close(), { code: 'ENGINE_UNAVAILABLE' });
  for (const call of calls) await t.throwsAsync(call, { code: 'ENGINE_UNAVAILABLE' });
});
