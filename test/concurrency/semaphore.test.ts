import test from 'ava';
import { openSemaphore } from '../../src/concurrency/locks.ts';

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
