import { setImmediate as immediate } from 'node:timers/promises';
import test from 'ava';
import { newSerialQueue } from '../../../src/lib/concurrency/locks.ts';

test('tasks run one at a time in the order they were added, however long each takes', async (t) => {
  const queue = newSerialQueue();
  const log: string[] = [];
  const task = (name: string, ticks: number) => async (): Promise<string> => {
    log.push(`${name} begins`);
    for (let tick = 0; tick < ticks; tick++) await immediate();
    log.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all([queue(task('a', 3)), queue(task('b', 1)), queue(task('c', 0))]);
  t.deepEqual(results, ['a', 'b', 'c']);
  t.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('a task added by a running one waits for it and for those already queued', async (t) => {
  const queue = newSerialQueue();
  const log: string[] = [];
  let inner: Promise<unknown> = Promise.resolve();
  const outer = queue(async () => {
    inner = queue(() => log.push('inner'));
    await immediate();
    log.push('outer');
  });
  await Promise.all([outer, queue(() => log.push('next'))]);
  await inner;
  t.deepEqual(log, ['outer', 'next', 'inner']);
});

test('a failure rejects its own task only', async (t) => {
  const queue = newSerialQueue();
  const failed = queue(() => Promise.reject(new Error('disk full')));
  const thrown = queue((): number => {
    throw new Error('no value');
  });
  const next = queue(() => 3);
  await t.throwsAsync(failed, { message: 'disk full' });
  await t.throwsAsync(thrown, { message: 'no value' });
  t.is(await next, 3);
});

test('an aborted task makes way for the next', async (t) => {
  const queue = newSerialQueue();
  const controller = new AbortController();
  const endless = queue(
    () =>
      new Promise((_, reject) =>
        controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error)),
      ),
  );
  let ran = false;
  const next = queue(() => (ran = true));
  await immediate();
  t.false(ran);
  controller.abort(new Error('cancelled'));
  await t.throwsAsync(endless, { message: 'cancelled' });
  t.true(await next);
});
