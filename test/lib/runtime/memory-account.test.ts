import test from 'ava';
import type { Holder } from '../../../src/lib/runtime/memory-account.ts';
import { memoryForRequests, MemoryAccount } from '../../../src/lib/runtime/memory-account.ts';

let callers = 0;

/** Each of another caller. */
const working = (): Holder => ({
  caller: `${(callers += 1)}`,
  isStalled: () => false,
  drop: () => {
    throw new Error('dropped although it does not wait for its client');
  },
});

test('requests hold so many bytes together, and free them as they end', (t) => {
  const account = new MemoryAccount(100);
  const first = account.open(working());
  const second = account.open(working());
  first.add(60);
  second.add(40);
  t.throws(() => second.add(1), { code: 'NOT_READY' });
  t.is(account.usedBytes, 100);
  t.is(account.refusals, 1);
  first.end();
  first.end();
  t.is(account.usedBytes, 40);
  t.notThrows(() => second.add(60));
});

test('one request may hold more than the limit while the others hold less than half of it', (t) => {
  const account = new MemoryAccount(100);
  const large = account.open(working());
  const small = account.open(working());
  small.add(50);
  large.add(500);
  t.throws(() => small.add(1), { code: 'NOT_READY' });
  t.throws(() => account.open(working()).add(1), { code: 'NOT_READY' });
});

test('a part ends before its request, which frees what is left of it', (t) => {
  const account = new MemoryAccount(100);
  const request = account.open(working());
  request.add(10);
  const page = request.part();
  page.add(30);
  page.end();
  page.end();
  t.is(account.usedBytes, 10);
  const next = request.part();
  next.add(30);
  request.raiseTo(20);
  t.is(account.usedBytes, 40);
  request.raiseTo(50);
  t.is(account.usedBytes, 50);
  request.end();
  next.end();
  t.is(account.usedBytes, 0);
});

test('work that was begun is not refused, but counts against others', (t) => {
  const account = new MemoryAccount(100);
  account.open(working()).use(200);
  t.throws(() => account.open(working()).add(1), { code: 'NOT_READY' });
});

test.serial('clients that stall make room, the longest first, as many as it takes', (t) => {
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  performance.now = () => now() + aheadMs;
  t.teardown(() => {
    performance.now = now;
  });
  const account = new MemoryAccount(100);
  const dropped: string[] = [];
  const open = (name: string, isStalled = true) => {
    const held = account.open({ caller: name, isStalled: () => isStalled, drop: () => dropped.push(name) });
    held.add(20);
    return held;
  };
  const reading = open('reading');
  open('worked on', false);
  open('second');
  open('third');
  open('fourth');
  t.throws(() => account.open(working()).add(20), { code: 'NOT_READY' });
  aheadMs = 10_000;
  reading.onProgress(16_384);
  account.open(working()).add(30);
  t.deepEqual(dropped, ['second', 'third']);
  t.is(account.drops, 2);
  t.is(account.usedBytes, 90);
});

test.serial('a client that drips makes no progress', (t) => {
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  performance.now = () => now() + aheadMs;
  t.teardown(() => {
    performance.now = now;
  });
  const account = new MemoryAccount(100);
  let isDropped = false;
  const dripping = account.open({
    caller: 'stalling',
    isStalled: () => true,
    drop: () => void (isDropped = true),
  });
  dripping.add(100);
  aheadMs = 3_000;
  dripping.onProgress(1);
  account.open(working()).add(20);
  t.true(isDropped);
});

test('the requests of one caller leave a quarter to others, and only its own make room for them', (t) => {
  const account = new MemoryAccount(100);
  account.open({ ...working(), isStalled: () => true }).add(10);
  const [first, second] = [
    account.open({ ...working(), caller: 'ann' }),
    account.open({ ...working(), caller: 'ann' }),
  ];
  first.add(45);
  second.add(30);
  t.throws(() => second.add(1), { code: 'NOT_READY' });
  account.open(working()).add(15);
  first.end();
  second.add(45);
  t.is(account.usedBytes, 100);
});

test('a quarter of the memory is for requests', (t) => {
  const mebibyte = 1024 * 1024;
  t.is(memoryForRequests(512 * mebibyte), 128 * mebibyte);
  t.true(memoryForRequests(undefined) >= 64 * mebibyte);
});
