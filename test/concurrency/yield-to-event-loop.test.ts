import test from 'ava';
import { inSlices, yieldToEventLoop } from '../../src/concurrency/yield-to-event-loop.ts';

const numbers = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

test('a short list is returned as it is', (t) => {
  t.deepEqual(inSlices(numbers(100)), numbers(100));
});

test('a long list resolves to every item in order', async (t) => {
  t.deepEqual(await Promise.all(inSlices(numbers(1_201))), numbers(1_201));
});

test('items that nobody waits for any more are null', async (t) => {
  let resolved = 0;
  const items = inSlices(numbers(350), () => resolved > 200).map(async (item) => {
    const value = await item;
    resolved += 1;
    return value;
  });
  const values = await Promise.all(items);
  t.deepEqual(values.slice(0, 200), numbers(200));
  t.true(values.slice(300).every((value) => value === null));
});

test('a slice of work that nobody waits for any more does not begin', async (t) => {
  const client = new AbortController();
  const waiting = yieldToEventLoop(client.signal);
  client.abort(new Error('left'));
  await t.throwsAsync(waiting, { message: 'left' });
});

test('each hundred items of a long list resolves in another iteration of the event loop', async (t) => {
  let iteration = 0;
  let isDone = false;
  const count = (): void => {
    iteration += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const iterations = await Promise.all(
    inSlices(numbers(350)).map(async (item) => {
      await item;
      return iteration;
    }),
  );
  isDone = true;
  const slices = [iterations.slice(0, 100), iterations.slice(100, 200), iterations.slice(200, 300), iterations.slice(300)]; // prettier-ignore
  t.deepEqual(slices.map((slice) => new Set(slice).size), [1, 1, 1, 1]); // prettier-ignore
  t.is(new Set(iterations).size, 4);
});
