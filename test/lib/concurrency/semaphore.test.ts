import test from 'ava';
import { openSemaphore } from '../../../src/lib/concurrency/locks.ts';

const unending = new AbortController().signal;

test('at most so many tasks run at a time, the others begin in their order', async (t) => {
  const semaphore = openSemaphore(2);
  const begun: number[] = [];
  const acquired = [0, 1, 2, 3].map(async (task) => {
    const release = await semaphore.acquire(unending);
    begun.push(task);
    return release;
  });
  const releases = await Promise.all(acquired.slice(0, 2));
  t.deepEqual(begun, [0, 1]);
  releases[1]!();
  (await acquired[2])!();
  t.deepEqual(begun, [0, 1, 2]);
  await acquired[3];
  t.deepEqual(begun, [0, 1, 2, 3]);
});

test('a task that is aborted while it waits makes way for the next', async (t) => {
  const semaphore = openSemaphore(1);
  const release = await semaphore.acquire(unending);
  const impatient = new AbortController();
  const aborted = semaphore.acquire(impatient.signal);
  const patient = semaphore.acquire(unending);
  impatient.abort();
  await t.throwsAsync(aborted, { code: 'NODE_TIMEOUT', message: 'timed out in the queue' });
  release();
  (await patient)();
  await t.throwsAsync(semaphore.acquire(impatient.signal), { code: 'NODE_TIMEOUT' });
  (await semaphore.acquire(unending))();
});

test('a release in the moment of an abort is not lost', async (t) => {
  const semaphore = openSemaphore(1);
  const release = await semaphore.acquire(unending);
  const controller = new AbortController();
  const first = semaphore.acquire(controller.signal);
  const second = semaphore.acquire(unending);
  release();
  controller.abort();
  // it was acquired before the abort, so its holder releases it
  (await first)();
  (await second)();
  (await semaphore.acquire(unending))();
  t.pass();
});

test('several tasks start together as soon as all of them fit, in order of arrival', async (t) => {
  const semaphore = openSemaphore(10);
  const started: string[] = [];
  const start = async (name: string, tasks: number) => {
    const release = await semaphore.acquire(unending, tasks);
    started.push(name);
    return release;
  };
  const [release] = await Promise.all([start('first', 6), start('second', 4)]);
  const large = start('large', 5);
  // it would fit before the large one, which then might never start
  const small = start('small', 1);
  for (let released = 0; released < 4; released += 1) release();
  await new Promise(setImmediate);
  t.deepEqual(started, ['first', 'second']);
  release();
  await large;
  release();
  await small;
  t.deepEqual(started, ['first', 'second', 'large', 'small']);
});

test('more tasks than the limit run alone', async (t) => {
  const semaphore = openSemaphore(10);
  const release = await semaphore.acquire(unending);
  const order: string[] = [];
  const large = semaphore.acquire(unending, 50).then((releaseLarge) => {
    order.push('large');
    for (let released = 0; released < 50; released += 1) releaseLarge();
  });
  const small = semaphore.acquire(unending, 2).then(() => order.push('small'));
  await new Promise(setImmediate);
  t.deepEqual(order, []);
  release();
  await Promise.all([large, small]);
  t.deepEqual(order, ['large', 'small']);
});

test('tasks behind some that are aborted start at once', async (t) => {
  const semaphore = openSemaphore(10);
  await semaphore.acquire(unending, 8);
  const leaving = new AbortController();
  const large = semaphore.acquire(leaving.signal, 9);
  const small = semaphore.acquire(unending, 2);
  leaving.abort();
  await t.throwsAsync(large, { code: 'NODE_TIMEOUT', message: 'timed out in the queue' });
  await small;
  await t.throwsAsync(semaphore.acquire(leaving.signal), { code: 'NODE_TIMEOUT' });
});
