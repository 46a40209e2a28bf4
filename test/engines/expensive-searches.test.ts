import test from 'ava';
import { ExpensiveSearches } from '../../src/engines/expensive-searches.ts';

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

test('one that is given up while it waits is never sent, and takes no turn', async (t) => {
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
