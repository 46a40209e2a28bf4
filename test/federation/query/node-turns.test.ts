import test from 'ava';
import { openNodeTurns } from '../../../src/federation/query/node-turns.ts';

const never = new AbortController().signal;
const hourMs = 3_600_000;

test('queries begin as soon as all of their requests fit, in the order they came', async (t) => {
  const turns = openNodeTurns(10);
  const begun: string[] = [];
  const begin = async (name: string, requests: number) => {
    const end = await turns.take(requests, hourMs, never);
    begun.push(name);
    return end;
  };
  const [end] = await Promise.all([begin('first', 6), begin('second', 4)]);
  const large = begin('large', 5);
  // it would fit before the large one, which then might never
  const small = begin('small', 1);
  for (let ended = 0; ended < 4; ended += 1) end();
  await new Promise(setImmediate);
  t.deepEqual(begun, ['first', 'second']);
  end();
  await large;
  end();
  await small;
  t.deepEqual(begun, ['first', 'second', 'large', 'small']);
});

test('a query of more nodes than the bound has it for itself', async (t) => {
  const turns = openNodeTurns(10);
  const end = await turns.take(1, hourMs, never);
  let hasBegun = false;
  const large = turns.take(50, hourMs, never).then(() => (hasBegun = true));
  await new Promise(setImmediate);
  t.false(hasBegun);
  end();
  t.true(await large);
});

test('who had no turn in time is told so and when to come again, and delays nobody', async (t) => {
  const turns = openNodeTurns(10);
  const end = await turns.take(8, hourMs, never);
  const error = await t.throwsAsync(turns.take(9, 1, never));
  t.like(error, {
    code: 'TOO_MANY_REQUESTS',
    message: 'the network is busy with the queries of others: no turn came within 1 ms',
    details: { retryAfterSeconds: 1 },
  });
  await t.notThrowsAsync(turns.take(2, hourMs, never));
  end();
});

test('who leaves gives its place to the next', async (t) => {
  const turns = openNodeTurns(10);
  await turns.take(8, hourMs, never);
  const leaving = new AbortController();
  const large = turns.take(9, hourMs, leaving.signal);
  const small = turns.take(2, hourMs, never);
  leaving.abort();
  await t.throwsAsync(large, { code: 'NODE_TIMEOUT' });
  await t.notThrowsAsync(small);
});

test('a caller who has left takes no turn, and keeps nobody waiting', async (t) => {
  const turns = openNodeTurns(1);
  const end = await turns.take(1, hourMs, never);
  await t.throwsAsync(turns.take(1, hourMs, AbortSignal.abort()), { code: 'NODE_TIMEOUT' });
  end();
  await t.notThrowsAsync(turns.take(1, hourMs, never));
});
