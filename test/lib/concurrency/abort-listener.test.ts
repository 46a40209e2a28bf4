import { getEventListeners } from 'node:events';
import test from 'ava';
import { onAbort, unlessAborted } from '../../../src/lib/concurrency/abort-listener.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('all who wait for a signal are called once, in their order, by one listener', (t) => {
  const controller = new AbortController();
  const reported: string[] = [];
  for (const name of ['a', 'b', 'c'])
    onAbort(controller.signal, () => reported.push(`${name}: ${String(controller.signal.reason)}`));
  t.is(listenersOf(controller.signal), 1);
  controller.abort('late');
  controller.abort('again');
  t.deepEqual(reported, ['a: late', 'b: late', 'c: late']);
  t.is(listenersOf(controller.signal), 0);
});

test('one who no longer waits is not called, and the last of them leaves no listener', (t) => {
  const controller = new AbortController();
  const reported: string[] = [];
  const ends = ['a', 'b', 'c'].map((name) => onAbort(controller.signal, () => reported.push(name)));
  ends[1]!();
  ends[1]!();
  t.is(listenersOf(controller.signal), 1);
  ends[0]!();
  ends[2]!();
  t.is(listenersOf(controller.signal), 0);
  onAbort(controller.signal, () => reported.push('d'));
  ends[0]!();
  t.is(listenersOf(controller.signal), 1, 'an end that came before does not end a later wait');
  controller.abort();
  t.deepEqual(reported, ['d']);
});

test('a function waits as often as it is added', (t) => {
  const controller = new AbortController();
  let count = 0;
  const add = (): void => void (count += 1);
  const end = onAbort(controller.signal, add);
  onAbort(controller.signal, add);
  end();
  controller.abort();
  t.is(count, 1);
});

test('one who ends another wait while being called keeps it from being called', (t) => {
  const controller = new AbortController();
  const reported: string[] = [];
  const ends: (() => void)[] = [];
  onAbort(controller.signal, () => (reported.push('a'), ends[0]!()));
  ends.push(onAbort(controller.signal, () => reported.push('b')));
  controller.abort();
  t.deepEqual(reported, ['a']);
});

test('one who waits for a signal that is aborted already is called at once', (t) => {
  const reported: unknown[] = [];
  const signal = AbortSignal.abort('gone');
  onAbort(signal, () => reported.push(signal.reason))();
  t.deepEqual(reported, ['gone']);
});

test('a promise that is waited for leaves no listener, however it ends', async (t) => {
  const { signal } = new AbortController();
  const waiting = <Value>(promise: Promise<Value>) => unlessAborted(promise, signal, () => new Error('left'));
  t.is(await waiting(Promise.resolve(1)), 1);
  await t.throwsAsync(waiting(Promise.reject(new Error('failed'))), { message: 'failed' });
  t.is(listenersOf(signal), 0);
});
