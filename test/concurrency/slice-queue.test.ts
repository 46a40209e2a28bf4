import test from 'ava';
import fc from '../fast-check.ts';
import { SliceQueue, type Work } from '../../src/concurrency/yield-to-event-loop.ts';

const workOf = (caller: string, usedMs = 0): Work => ({ caller, usedMs });

/** The works of a queue in the order in which their slices run, each of which takes no time. */
const order = (queue: SliceQueue, nowMs = 0): readonly Work[] => {
  const taken: Work[] = [];
  for (let next = queue.take(nowMs); next !== undefined; next = queue.take(nowMs)) taken.push(next.work);
  return taken;
};

const add = (queue: SliceQueue, works: readonly Work[], nowMs = 0): void => {
  for (const work of works) queue.add(work, () => undefined, nowMs);
};

test('slices of work that has used less precede, and equal ones keep their order', (t) => {
  const queue = new SliceQueue();
  const works = [workOf('ann', 40), workOf('bob', 20), workOf('eve'), workOf('jim')];
  add(queue, works);
  t.deepEqual(
    order(queue).map(({ caller }) => caller),
    ['eve', 'jim', 'bob', 'ann'],
  );
});

test('of new work, that of callers precedes who have used less of late', (t) => {
  const queue = new SliceQueue();
  const busy = workOf('busy');
  for (let request = 0; request < 400; request++) queue.charge(workOf('busy'), 1, 0);
  add(queue, [busy, workOf('quiet')]);
  t.deepEqual(
    order(queue).map(({ caller }) => caller),
    ['quiet', 'busy'],
  );
  // half a minute later, less of it counts than a sixth of a second now
  queue.chargeCaller('quiet', 150, 30_000);
  add(queue, [workOf('quiet'), busy], 30_000);
  t.is(order(queue, 30_000)[0], busy);
});

test('however many new requests arrive, a cheap one that has begun is served in its turn', (t) => {
  const queue = new SliceQueue();
  const begun = workOf('ann', 4);
  queue.chargeCaller('ann', 100, 0);
  add(queue, [workOf('new 1'), begun]);
  for (let nowMs = 0; nowMs < 10; nowMs++) add(queue, [workOf(`other ${nowMs}`)], nowMs);
  t.deepEqual(order(queue, 10).indexOf(begun), 1);
});

test('those whose callers search much come after it', (t) => {
  const queue = new SliceQueue();
  const begun = workOf('quiet', 4);
  for (const name of ['a', 'b', 'c']) {
    queue.chargeCaller(name, 400, 0);
    add(queue, [workOf(name)]);
  }
  add(queue, [begun]);
  t.is(order(queue)[0], begun);
});

test('every slice is taken exactly once, whatever its work and its caller have used', (t) => {
  const slice = fc.record({
    caller: fc.constantFrom('', 'ann', 'bob'),
    usedMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(fc.record({ slice, afterMs: fc.nat(10_000), isTaken: fc.boolean() })), (steps) => {
      const queue = new SliceQueue();
      const [added, taken]: [Work[], Work[]] = [[], []];
      let nowMs = 0;
      for (const { slice, afterMs, isTaken } of steps) {
        nowMs += afterMs;
        const work = { ...slice };
        added.push(work);
        add(queue, [work], nowMs);
        const next = isTaken ? queue.take(nowMs) : undefined;
        if (next === undefined) continue;
        taken.push(next.work);
        queue.charge(next.work, afterMs / 10, nowMs);
      }
      taken.push(...order(queue, nowMs));
      return taken.length === added.length && new Set(taken).size === new Set(added).size;
    }),
  );
  t.pass();
});

test('a slice of the costliest work of the busiest caller is next within 20 s, however many new ones arrive', (t) => {
  const queue = new SliceQueue();
  const old = workOf('busy', 1e6);
  queue.charge(old, 1e9, 0);
  add(queue, [old]);
  for (let nowMs = 0; ; nowMs += 10) {
    add(queue, [workOf(`new ${nowMs}`)], nowMs);
    if (queue.take(nowMs)!.work !== old) continue;
    t.true(nowMs > 10_000 && nowMs <= 20_100, `${nowMs}`);
    return;
  }
});
