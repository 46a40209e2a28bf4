import test from 'ava';
import { openNodeSlots } from '../../../src/federation/query/fanout.ts';
import { soon } from '../soon.ts';

const never = new AbortController().signal;
const longMs = 100_000;

test('queries start as soon as all of their requests fit, in order of arrival', async (t) => {
  const slots = openNodeSlots(10);
  const started: string[] = [];
  const start = async (name: string, requests: number) => {
    const release = await slots.acquire(requests, longMs, never);
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
  t.not(await soon(large), 'still pending');
  release();
  t.not(await soon(small), 'still pending');
  t.deepEqual(started, ['first', 'second', 'large', 'small']);
});

test('a query of more nodes than the limit runs alone', async (t) => {
  const slots = openNodeSlots(10);
  const release = await slots.acquire(1, longMs, never);
  let hasStarted = false;
  const large = slots.acquire(50, longMs, never).then(() => (hasStarted = true));
  await new Promise(setImmediate);
  t.false(hasStarted);
  release();
  t.is(await soon(large), true);
});

test('a query that times out in the queue reports when to retry, and delays no other', async (t) => {
  const slots = openNodeSlots(10);
  const release = await slots.acquire(8, longMs, never);
  const error = await t.throwsAsync(soon(slots.acquire(9, 1, never)));
  t.like(error, {
    code: 'TOO_MANY_REQUESTS',
    message: 'too many queries in progress, retry in 1 s',
    details: { retryAfterSeconds: 1 },
  });
  t.not(await soon(slots.acquire(2, longMs, never)), 'still pending');
  release();
});

test('queries behind one that times out start at once', async (t) => {
  const slots = openNodeSlots(10);
  await slots.acquire(8, longMs, never);
  const large = t.throwsAsync(slots.acquire(9, 1, never), { code: 'TOO_MANY_REQUESTS' });
  const small = slots.acquire(2, longMs, never);
  await large;
  t.not(await soon(small), 'still pending');
});

test('a query that is aborted in the queue makes room for the next', async (t) => {
  const slots = openNodeSlots(10);
  await slots.acquire(8, longMs, never);
  const leaving = new AbortController();
  const large = slots.acquire(9, longMs, leaving.signal);
  const small = slots.acquire(2, longMs, never);
  leaving.abort();
  await t.throwsAsync(soon(large), { code: 'NODE_TIMEOUT', message: 'timed out in the queue' });
  t.not(await soon(small), 'still pending');
});

test('an aborted signal acquires nothing and blocks no other query', async (t) => {
  const slots = openNodeSlots(1);
  const release = await slots.acquire(1, longMs, never);
  await t.throwsAsync(soon(slots.acquire(1, longMs, AbortSignal.abort())), { code: 'NODE_TIMEOUT' });
  release();
  t.not(await soon(slots.acquire(1, longMs, never)), 'still pending');
});

test('a query that would fit does not overtake one that waits', async (t) => {
  const slots = openNodeSlots(10);
  const release = await slots.acquire(1, longMs, never);
  const order: string[] = [];
  const large = slots.acquire(10, longMs, never).then((releaseLarge) => {
    order.push('large');
    for (let released = 0; released < 10; released += 1) releaseLarge();
  });
  const small = slots.acquire(2, longMs, never).then(() => order.push('small'));
  await new Promise(setImmediate);
  t.deepEqual(order, []);
  release();
  t.not(await soon(Promise.all([large, small])), 'still pending');
  t.deepEqual(order, ['large', 'small']);
});
