import test from 'ava';
import { yieldToEventLoop } from '../../src/concurrency/yield-to-event-loop.ts';

test('a slice of work that nobody waits for any more does not begin', async (t) => {
  const client = new AbortController();
  const waiting = yieldToEventLoop(client.signal);
  client.abort(new Error('left'));
  await t.throwsAsync(waiting, { message: 'left' });
});
