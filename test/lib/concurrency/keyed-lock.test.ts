import { setImmediate as immediate } from 'node:timers/promises';
import test from 'ava';
import { newKeyedLock, newSerialQueue } from '../../../src/lib/concurrency/locks.ts';

/** A task that lasts until it is ended. */
const heldTask = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let isRunning = false;
  const task = (): Promise<string> => {
    isRunning = true;
    return promise;
  };
  return { task, resolve, reject, isRunning: () => isRunning };
};

test('tasks of one key run one at a time in their order, those of other keys meanwhile', async (t) => {
  const lock = newKeyedLock();
  const [first, second, other] = [heldTask(), heldTask(), heldTask()];
  const results = [lock('a', first.task), lock('a', second.task), lock('b', other.task)];
  await immediate();
  t.deepEqual(
    [first, second, other].map((one) => one.isRunning()),
    [true, false, true],
  );
  other.resolve('other');
  t.is(await results[2], 'other');
  t.false(second.isRunning());
  first.resolve('first');
  t.is(await results[0], 'first');
  await immediate();
  t.true(second.isRunning());
  second.resolve('second');
  t.is(await results[1], 'second');
});

for (const [when, turns] of [
  ['just', 0],
  ['long', 2],
] as const)
  test(`a third task waits for the second even when the first has ${when} ended`, async (t) => {
    const lock = newKeyedLock();
    const [second, third] = [heldTask(), heldTask()];
    const first = lock('a', () => 1);
    const results = [lock('a', second.task)];
    await first;
    for (let turn = 0; turn < turns; turn += 1) await immediate();
    results.push(lock('a', third.task));
    await immediate();
    t.true(second.isRunning());
    t.false(third.isRunning());
    second.resolve('second');
    third.resolve('third');
    t.deepEqual(await Promise.all(results), ['second', 'third']);
  });

test('a failure or an abort rejects its own task only, and the key is free again', async (t) => {
  const lock = newKeyedLock();
  const aborted = heldTask();
  const results = [lock('a', aborted.task), lock('a', () => Promise.reject(new Error('refused')))];
  const next = lock('a', () => 'next');
  aborted.reject(AbortSignal.abort(new Error('cancelled')).reason as Error);
  await t.throwsAsync(results[0]!, { message: 'cancelled' });
  await t.throwsAsync(results[1]!, { message: 'refused' });
  t.is(await next, 'next');
  t.is(await lock('a', () => 'later'), 'later');
});

test('a serial queue runs one task at a time, and a task added by a running one after those already queued', async (t) => {
  const queue = newSerialQueue();
  const log: string[] = [];
  let inner: Promise<unknown> = Promise.resolve();
  const outer = queue(async () => {
    inner = queue(() => log.push('inner'));
    await immediate();
    log.push('outer');
  });
  const thrown = queue((): number => {
    throw new Error('no value');
  });
  await Promise.all([outer, t.throwsAsync(thrown, { message: 'no value' }), queue(() => log.push('next'))]);
  await inner;
  t.deepEqual(log, ['outer', 'next', 'inner']);
});
