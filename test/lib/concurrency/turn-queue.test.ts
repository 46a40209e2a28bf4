import test from 'ava';
import fc from '../../fast-check.ts';
import { TurnQueue, Usage, type Caller } from '../../../src/lib/concurrency/turn-queue.ts';

const caller = (peer: string, member = ''): Caller => ({ peer, member });

const order = (queue: TurnQueue<string>, nowMs = 0): readonly string[] =>
  Array.from({ length: queue.size }, () => queue.take(undefined, nowMs)!);

test('the caller who has used least lately is next, whoever came first', (t) => {
  const usage = new Usage();
  const queue = new TurnQueue<string>(usage);
  usage.charge(caller('ann'), 300, 0);
  usage.charge(caller('bob'), 20, 0);
  for (const name of ['ann', 'bob', 'cid']) queue.add(caller(name), name, 0);
  t.deepEqual(order(queue), ['cid', 'bob', 'ann']);
});

test('callers who have used little take turns', (t) => {
  const usage = new Usage();
  const queue = new TurnQueue<string>(usage, { littleMs: 250 });
  usage.charge(caller('ann'), 300, 0);
  usage.charge(caller('bob'), 200, 0);
  for (const name of ['ann', 'bob', 'cid'])
    for (const item of [1, 2]) queue.add(caller(name), `${name} ${item}`, 0);
  t.deepEqual(order(queue), ['bob 1', 'cid 1', 'bob 2', 'cid 2', 'ann 1', 'ann 2']);
});

test('a caller who asks for little, and often, goes before long items of newcomers, unless they wait for long', (t) => {
  const costs: Readonly<Record<string, number>> = { ann: 0.1, bob: 30, cid: 9_000 };
  const queueAt = (sinceMs: number) => {
    const usage = new Usage();
    usage.charge(caller('ann'), 40, 10_000);
    usage.charge(caller('dan'), 45, 10_000);
    const queue = new TurnQueue<string>(usage, { costOf: (item) => costs[item] ?? 0 });
    queue.add(caller('cid'), 'cid', sinceMs);
    for (const name of ['dan', 'bob', 'ann']) queue.add(caller(name), name, 10_000);
    return queue;
  };
  t.deepEqual(order(queueAt(10_000), 10_000), ['ann', 'dan', 'cid', 'bob']);
  t.is(queueAt(0).take(undefined, 10_000), 'cid');
});

test('a short item of one caller of a hub does not bring forward the long ones of others there', (t) => {
  const usage = new Usage();
  usage.charge(caller('hub', 'ann'), 40, 0);
  usage.charge(caller('cid'), 60, 0);
  const costs: Readonly<Record<string, number>> = { ann: 0.1, bob: 4, cid: 1 };
  const queue = new TurnQueue<string>(usage, { costOf: (item) => costs[item]! });
  queue.add(caller('hub', 'bob'), 'bob', 0);
  queue.add(caller('hub', 'ann'), 'ann', 0);
  queue.add(caller('cid'), 'cid', 0);
  // of the hub bob is next, who would cost it 80
  t.deepEqual(order(queue), ['cid', 'bob', 'ann']);
});

test('what was used counts half after five seconds', (t) => {
  const usage = new Usage();
  const queue = new TurnQueue<string>(usage);
  usage.charge(caller('ann'), 300, 0);
  usage.charge(caller('bob'), 200, 5_000);
  queue.add(caller('bob'), 'bob', 5_000);
  queue.add(caller('ann'), 'ann', 5_000);
  t.deepEqual(order(queue, 5_000), ['ann', 'bob']);
});

test('equal callers are served in order of arrival', (t) => {
  const queue = new TurnQueue<string>(new Usage());
  for (const [at, name] of ['cid', 'ann', 'bob'].entries()) queue.add(caller(name), name, at);
  t.deepEqual(order(queue, 3), ['cid', 'ann', 'bob']);
});

test('a hub is served as one caller, and of its own callers who has used least', (t) => {
  const usage = new Usage();
  const queue = new TurnQueue<string>(usage);
  usage.charge(caller('hub', 'ann'), 300, 0);
  usage.charge(caller('hub', 'bob'), 20, 0);
  usage.charge(caller('cid'), 100, 0);
  queue.add(caller('hub', 'ann'), 'ann', 0);
  queue.add(caller('hub', 'bob'), 'bob', 0);
  queue.add(caller('hub', 'new'), 'new', 0);
  queue.add(caller('cid'), 'cid', 0);
  t.deepEqual(order(queue), ['cid', 'new', 'bob', 'ann']);
});

test('of one caller, the item with the lowest rank precedes', (t) => {
  const ranks: Readonly<Record<string, number>> = { long: 40, short: 2, medium: 9 };
  const queue = new TurnQueue<string>(new Usage(), { rankOf: (item) => ranks[item]! });
  for (const name of ['long', 'short', 'medium']) queue.add(caller('ann'), name, 0);
  t.deepEqual(order(queue), ['short', 'medium', 'long']);
});

test('callers that may not have a turn are passed over, and what is deleted is not taken', (t) => {
  const queue = new TurnQueue<string>(new Usage());
  for (const name of ['ann 1', 'ann 2', 'bob 1', 'bob 2']) queue.add(caller(name.split(' ')[0]!), name, 0);
  queue.delete(caller('bob'), 'bob 1');
  queue.delete(caller('bob'), 'bob 1');
  t.is(
    queue.take(({ peer }) => peer !== 'ann', 0),
    'bob 2',
  );
  t.is(
    queue.take(() => false, 0),
    undefined,
  );
  t.is(queue.size, 2);
  t.deepEqual(queue.sizes(caller('ann')), { peers: 1, ofPeer: 2, members: 1, ofMember: 2 });
  t.like(queue.sizes(caller('bob')), { ofPeer: 0, ofMember: 0 });
  t.deepEqual(order(queue), ['ann 1', 'ann 2']);
});

test('every item is taken exactly once, whatever its caller has used', (t) => {
  const step = fc.record({
    peer: fc.constantFrom('', 'ann', 'bob'),
    member: fc.constantFrom('', 'one', 'two'),
    usedMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    afterMs: fc.nat(10_000),
    isTaken: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const usage = new Usage();
      const queue = new TurnQueue<object>(usage);
      const [added, taken]: [object[], object[]] = [[], []];
      let nowMs = 0;
      for (const { afterMs, isTaken, usedMs, ...own } of steps) {
        nowMs += afterMs;
        const item = {};
        added.push(item);
        queue.add(own, item, nowMs);
        if (isTaken) taken.push(queue.take(undefined, nowMs)!);
        usage.charge(own, usedMs, nowMs);
      }
      while (queue.size > 0) taken.push(queue.take(undefined, nowMs)!);
      return taken.length === added.length && new Set(taken).size === added.length;
    }),
  );
  t.pass();
});

test('a busy caller has a turn within 20 s, however many new ones arrive', (t) => {
  const usage = new Usage();
  const queue = new TurnQueue<string>(usage);
  usage.charge(caller('busy'), 30_000, 0);
  queue.add(caller('busy'), 'busy', 0);
  for (let nowMs = 0; ; nowMs += 10) {
    queue.add(caller(`new ${nowMs}`), 'new', nowMs);
    if (queue.take(undefined, nowMs) !== 'busy') continue;
    t.true(nowMs > 5_000 && nowMs <= 20_000, `${nowMs}`);
    return;
  }
});
