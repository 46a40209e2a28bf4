import test from 'ava';
import { responseMemory } from '../../../src/http/answers/send-json.ts';

test('there is room for so many bytes, which comes back when an answer has left', (t) => {
  const room = responseMemory(100);
  const first = room.take(60, () => t.fail());
  room.take(40, () => t.fail());
  t.throws(() => room.take(1, () => undefined), { code: 'NOT_READY' });
  first.end();
  first.end();
  t.notThrows(() => room.take(60, () => undefined));
  t.throws(() => room.take(1, () => undefined), { code: 'NOT_READY' });
});

test.serial('an answer that nothing is taken of makes room for others, the longest waiting first', (t) => {
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  performance.now = () => now() + aheadMs;
  t.teardown(() => {
    performance.now = now;
  });
  const left: string[] = [];
  const room = responseMemory(100);
  const first = room.take(40, () => left.push('first'));
  room.take(40, () => left.push('second'));
  room.take(20, () => left.push('third'));
  aheadMs = 10_000;
  first.onRead();
  room.take(50, () => undefined);
  t.deepEqual(left, ['second', 'third']);
  t.throws(() => room.take(50, () => undefined), { code: 'NOT_READY' });
});
