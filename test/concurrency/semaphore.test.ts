import test from 'ava';
import { openSemaphore } from '../../src/concurrency/semaphore.ts';

const unending = new AbortController().signal;

test('turns are taken in order, as many at once as there are', async (t) => {
  const turns = openSemaphore(2);
  const begun: number[] = [];
  const taken = [0, 1, 2, 3].map(async (at) => {
    const end = await turns.acquire(unending);
    begun.push(at);
    return end;
  });
  const ends = await Promise.all(taken.slice(0, 2));
  t.deepEqual(begun, [0, 1]);
  ends[1]!();
  (await taken[2])!();
  t.deepEqual(begun, [0, 1, 2]);
  await taken[3];
  t.deepEqual(begun, [0, 1, 2, 3]);
});

test('whoever gives up waiting leaves the turn to the next', async (t) => {
  const turns = openSemaphore(1);
  const end = await turns.acquire(unending);
  const impatient = new AbortController();
  const given = turns.acquire(impatient.signal);
  const patient = turns.acquire(unending);
  impatient.abort();
  await t.throwsAsync(given, { code: 'NODE_TIMEOUT', message: 'timed out in the queue' });
  end();
  (await patient)();
  await t.throwsAsync(turns.acquire(impatient.signal), { code: 'NODE_TIMEOUT' });
  (await turns.acquire(unending))();
});
