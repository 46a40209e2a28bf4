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
