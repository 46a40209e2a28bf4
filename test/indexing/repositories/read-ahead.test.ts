import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { readAhead } from '../../../src/indexing/repositories/walk-pages.ts';

const counting = (last: number) => {
  const state = { started: 0, closed: false, signal: new AbortController().signal };
  const open = async function* (signal: AbortSignal) {
    state.signal = signal;
    try {
      while (state.started < last) {
        state.started += 1;
        await setImmediate();
        yield state.started;
      }
    } finally {
      state.closed = true;
    }
  };
  return { state, open };
};

test('one item is on its way while one is used, and no more', async (t) => {
  const { state, open } = counting(5);
  const ahead: number[] = [];
  for await (const item of readAhead(open, new AbortController().signal)) {
    for (let turns = 0; turns < 5; turns++) await setImmediate();
    ahead.push(state.started - item);
  }
  t.deepEqual(ahead, [1, 1, 1, 1, 0]);
});

test('nothing starts before the first item is requested', async (t) => {
  const { state, open } = counting(5);
  const items = readAhead(open, new AbortController().signal);
  await setImmediate();
  t.is(state.started, 0);
  t.deepEqual(await items.next(), { value: 1, done: false });
});

test('leaving ends the source and the work on its way', async (t) => {
  const { state, open } = counting(5);
  for await (const item of readAhead(open, new AbortController().signal)) if (item === 2) break;
  t.true(state.closed);
  t.true(state.signal.aborted);
});

test('an error comes after the items before it', async (t) => {
  const open = async function* () {
    yield 1;
    throw new Error('broken');
  };
  const items = readAhead(open, new AbortController().signal);
  t.deepEqual(await items.next(), { value: 1, done: false });
  await setImmediate();
  await t.throwsAsync(() => items.next(), { message: 'broken' });
});

test('after an abort no item comes any more', async (t) => {
  const { open } = counting(5);
  const controller = new AbortController();
  const items = readAhead(open, controller.signal);
  await items.next();
  controller.abort(new Error('cancelled'));
  await t.throwsAsync(() => items.next(), { message: 'cancelled' });
});
