import test from 'ava';
import { FairQueue, ExpensiveSearches } from '../../src/engines/fair-scheduling.ts';

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

test('a caller is not charged for what it takes back', (t) => {
  const queue = new FairQueue<string>();
  for (let i = 1; i <= 5; i++) {
    queue.add('taken back', { caller: 'ann', cost: 5_000 });
    queue.delete('taken back');
    queue.delete('taken back');
  }
  for (let i = 1; i <= 3; i++) queue.add(`bob ${i}`, { caller: 'bob', cost: 5_000 });
  queue.add('ann', { caller: 'ann', cost: 5_000 });
  t.deepEqual(order(queue), ['bob 1', 'ann', 'bob 2', 'bob 3']);
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

const dear = (caller: string, signal?: AbortSignal) => ({
  priority: { caller, cost: 1_000_000 },
  ...(signal && { signal }),
});

/** Searches that end when they are told. */
const held = () => {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  return {
    begun,
    end: (name: string) => ends.get(name)!(),
    search: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
  };
};

test('dear searches wait for each other, callers in turns; cheap ones wait for nobody', async (t) => {
  const { begun, end, search } = held();
  const searches = new ExpensiveSearches(2, 500_000);
  const answers = ['ann 1', 'ann 2', 'ann 3', 'bob 1'].map((name) =>
    searches.run(dear(name.split(' ')[0]!), search(name)),
  );
  const cheap = searches.run({ priority: { caller: 'cid', cost: 1_000 } }, search('cheap'));
  const inHouse = searches.run({}, search('in house'));
  await Promise.resolve();
  t.deepEqual(begun.toSorted(), ['ann 1', 'ann 2', 'cheap', 'in house']);
  end('cheap');
  end('in house');
  t.deepEqual(await Promise.all([cheap, inHouse]), ['cheap', 'in house']);
  end('ann 1');
  t.is(await answers[0], 'ann 1');
  await new Promise(setImmediate);
  t.is(begun.at(-1), 'bob 1');
  end('ann 2');
  await answers[1];
  await new Promise(setImmediate);
  t.is(begun.at(-1), 'ann 3');
  end('ann 3');
  end('bob 1');
  t.deepEqual(await Promise.all(answers.slice(2)), ['ann 3', 'bob 1']);
});

test('one that is cancelled while it waits is never sent, and takes no turn', async (t) => {
  const { begun, end, search } = held();
  const searches = new ExpensiveSearches(2, 500_000);
  const first = ['a', 'b'].map((name) => searches.run(dear(name), search(name)));
  const gone = new AbortController();
  const left = searches.run(dear('c', gone.signal), search('c'));
  const next = searches.run(dear('d'), search('d'));
  gone.abort();
  await t.throwsAsync(left, { code: 'ENGINE_TIMEOUT' });
  await t.throwsAsync(searches.run(dear('e', gone.signal), search('e')), { code: 'ENGINE_TIMEOUT' });
  end('a');
  end('b');
  await Promise.all(first);
  await new Promise(setImmediate);
  t.deepEqual(begun, ['a', 'b', 'd']);
  end('d');
  t.is(await next, 'd');
});

test('one whose time is over while it waits is never sent, and takes no turn', async (t) => {
  const { begun, end, search } = held();
  const searches = new ExpensiveSearches(1, 500_000);
  const first = searches.run(dear('a'), search('a'));
  const late = searches.run({ ...dear('b'), timeoutMs: 20 }, search('b'));
  const next = searches.run(dear('c'), search('c'));
  await t.throwsAsync(late, { code: 'ENGINE_TIMEOUT', message: /^no answer within 20 ms: other expensive/ });
  t.is(searches.waiting, 1);
  end('a');
  await first;
  await new Promise(setImmediate);
  t.deepEqual(begun, ['a', 'c']);
  end('c');
  t.is(await next, 'c');
});

test('the wait is taken off the time of the search', async (t) => {
  const { end, search } = held();
  const searches = new ExpensiveSearches(1, 500_000);
  const first = searches.run(dear('a'), search('a'));
  const second = searches.run({ ...dear('b'), timeoutMs: 60_000 }, ({ timeoutMs }) =>
    Promise.resolve(timeoutMs!),
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  end('a');
  await first;
  const left = await second;
  t.true(left > 0 && left < 60_000, String(left));
});

test('one that fails makes room', async (t) => {
  const searches = new ExpensiveSearches(2, 500_000);
  for (let time = 0; time < 5; time++)
    await t.throwsAsync(
      searches.run(dear('ann'), () => Promise.reject(new Error('no'))),
      { message: 'no' },
    );
});
