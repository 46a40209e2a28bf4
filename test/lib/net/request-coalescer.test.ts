import test from 'ava';
import { RequestCoalescer } from '../../../src/lib/net/request-coalescer.ts';

/** Calls whose answers the test sends. */
const slow = () => {
  const calls = new RequestCoalescer<number>();
  const made: { readonly signal: AbortSignal; readonly answer: (value: number) => void }[] = [];
  const runQuery = (key = 'a', signal?: AbortSignal): Promise<number> =>
    calls.share(
      key,
      signal,
      (supplied, answered) =>
        new Promise((resolve) => {
          made.push({
            signal: supplied,
            answer: (value) => {
              answered(value);
              resolve(undefined);
            },
          });
        }),
      (reason) => new Error(`left: ${String(reason)}`),
      (value) => value,
    );
  return { calls, made, runQuery };
};

test('equal calls under way are one; others, and later ones, are their own', async (t) => {
  const { made, runQuery } = slow();
  const both = [runQuery(), runQuery()];
  void runQuery('b');
  t.is(made.length, 2);
  made[0]!.answer(7);
  t.deepEqual(await Promise.all(both), [7, 7]);
  t.false(made[0]!.signal.aborted, 'a call that has ended is not aborted');
  void runQuery();
  t.is(made.length, 3);
});

test('one who leaves leaves the others alone, the last one ends the call for his reason', async (t) => {
  const { made, runQuery } = slow();
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [runQuery('a', first.signal), runQuery('a', second.signal)] as const;
  first.abort('tired');
  await t.throwsAsync(waits[0], { message: 'left: tired' });
  t.false(made[0]!.signal.aborted);
  second.abort('late');
  await t.throwsAsync(waits[1], { message: 'left: late' });
  t.is(made[0]!.signal.reason, 'late');
  void runQuery();
  t.is(made.length, 2, 'a call that was aborted answers nobody');
});

test('what was forgotten answers those who wait for it and nobody else', async (t) => {
  const { calls, made, runQuery } = slow();
  const before = new AbortController();
  const [waiting, leaving] = [runQuery(), runQuery('b', before.signal)];
  calls.forget();
  const after = runQuery();
  t.is(made.length, 3);
  before.abort('gone');
  await t.throwsAsync(leaving);
  t.true(made[1]!.signal.aborted, 'it is still ended by its last caller');
  made[0]!.answer(1);
  made[2]!.answer(2);
  t.deepEqual([await waiting, await after], [1, 2]);
});

test('a failure reaches all who wait, and the next request tries again', async (t) => {
  const calls = new RequestCoalescer<number>();
  let made = 0;
  const runQuery = (): Promise<number> =>
    calls.share(
      'a',
      undefined,
      () => Promise.reject(new Error(`failure ${(made += 1)}`)),
      () => new Error('left'),
      (value) => value,
    );
  const both = [runQuery(), runQuery()] as const;
  for (const one of both) await t.throwsAsync(one, { message: 'failure 1' });
  await t.throwsAsync(runQuery(), { message: 'failure 2' });
});

test('the end of a forgotten call ends no sharing of the one after it', async (t) => {
  const coalescer = new RequestCoalescer<string>();
  const calls: ((answer: string) => void)[] = [];
  const share = (): Promise<string> =>
    coalescer.share(
      'key',
      undefined,
      (_signal, answered) => new Promise(() => void calls.push(answered)),
      () => new Error('left'),
      (answer) => answer,
    );
  const old = share();
  coalescer.forget();
  const next = share();
  calls[0]!('old');
  t.is(await old, 'old');
  const third = share();
  t.is(calls.length, 2);
  calls[1]!('new');
  t.deepEqual(await Promise.all([next, third]), ['new', 'new']);
});
