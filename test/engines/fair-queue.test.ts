import test from 'ava';
import { FairQueue } from '../../src/engines/fair-queue.ts';

const order = (queue: FairQueue<string>): readonly string[] => {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
};

test('callers take turns by what they cost, however much each of them asks', (t) => {
  const queue = new FairQueue<string>();
  for (let i = 1; i <= 4; i++) queue.add(`ann ${i}`, { caller: 'ann', cost: 100_000 });
  queue.add('bob 1', { caller: 'bob', cost: 100_000 });
  queue.add('cid 1', { caller: 'cid', cost: 300_000 });
  queue.add('bob 2', { caller: 'bob', cost: 100_000 });
  t.deepEqual(order(queue), ['ann 1', 'bob 1', 'ann 2', 'bob 2', 'ann 3', 'cid 1', 'ann 4']);
});

test('a small question goes before dear ones that came earlier, also of the same caller', (t) => {
  const queue = new FairQueue<string>();
  for (let i = 1; i <= 3; i++) queue.add(`dear ${i}`, { caller: 'ann', cost: 1_000_000 });
  queue.add('small', { caller: 'ann', cost: 500 });
  t.is(queue.take(), 'small');
  t.is(queue.take(), 'dear 1');
  queue.add('small again', { caller: 'bob', cost: 500 });
  t.deepEqual(order(queue), ['small again', 'dear 2', 'dear 3']);
});

test('a dear question does not wait for ever behind small ones', (t) => {
  const queue = new FairQueue<string>();
  queue.add('dear', { caller: 'ann', cost: 100_000 });
  let before = 0;
  for (; ; before++) {
    queue.add(`small ${before}`, { caller: 'bob', cost: 10_000 });
    if (queue.take() === 'dear') break;
  }
  t.is(before, 9);
});

test('what has no priority keeps its order, and may be passed over', (t) => {
  const queue = new FairQueue<string>();
  for (const item of ['write 1', 'write 2', 'write 3']) queue.add(item);
  queue.add('search', { caller: 'ann', cost: 5_000 });
  t.is(
    queue.take((item) => item === 'search'),
    'search',
  );
  t.is(
    queue.take(() => false),
    undefined,
  );
  queue.delete('write 2');
  t.deepEqual(order(queue), ['write 1', 'write 3']);
});

test('a newcomer shares from now on, without credit for the time before it came', (t) => {
  const queue = new FairQueue<string>();
  for (let i = 1; i <= 10; i++) queue.add(`ann ${i}`, { caller: 'ann', cost: 100_000 });
  for (let i = 1; i <= 10; i++) t.is(queue.take(), `ann ${i}`);
  for (let i = 1; i <= 3; i++) queue.add(`bob ${i}`, { caller: 'bob', cost: 100_000 });
  for (let i = 11; i <= 12; i++) queue.add(`ann ${i}`, { caller: 'ann', cost: 100_000 });
  t.deepEqual(order(queue), ['bob 1', 'bob 2', 'ann 11', 'bob 3', 'ann 12']);
});

test('an expensive request that began long ago turns no time back for newcomers', (t) => {
  const queue = new FairQueue<string>();
  queue.add('expensive', { caller: 'dan', cost: 1_000_000 });
  for (let i = 1; i <= 9; i++) queue.add(`ann ${i}`, { caller: 'ann', cost: 100_000 });
  for (let i = 1; i <= 9; i++) t.is(queue.take(), `ann ${i}`);
  t.is(queue.take(), 'expensive');
  queue.add('ann 10', { caller: 'ann', cost: 100_000 });
  for (let i = 1; i <= 2; i++) queue.add(`bob ${i}`, { caller: 'bob', cost: 100_000 });
  t.deepEqual(order(queue), ['bob 1', 'ann 10', 'bob 2']);
});

for (const [callers, isRemembered] of [
  [9_999, true],
  [10_000, false],
] as const)
  test(`without a pause, ${callers} callers later one is ${isRemembered ? 'still' : 'no longer'} remembered`, (t) => {
    const queue = new FairQueue<string>();
    queue.add('waiting', { caller: 'ann', cost: 50_000_000 });
    queue.add('bob 1', { caller: 'bob', cost: 100_000 });
    t.is(queue.take(), 'bob 1');
    // ann's own is one of them
    for (let i = 1; i < callers; i++) {
      queue.add(`one ${i}`, { caller: `caller ${i}`, cost: 100_000 });
      queue.take();
    }
    queue.add('last', { caller: 'ann', cost: 50_000_000 });
    queue.add('bob 2', { caller: 'bob', cost: 100_000 });
    queue.add('cid', { caller: 'cid', cost: 150_000 });
    t.is(queue.take(), isRemembered ? 'cid' : 'bob 2');
  });
