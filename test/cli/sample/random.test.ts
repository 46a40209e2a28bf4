import test from 'ava';
import fc from '../../fast-check.ts';
import { seededRandom } from '../../../src/cli/sample/patient.ts';

test('equal seeds give equal values, another seed others', (t) => {
  const values = (seed: string): number[] => {
    const random = seededRandom(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  t.deepEqual(values('a'), values('a'));
  t.notDeepEqual(values('a'), values('b'));
});

test('random values stay within their bounds', (t) => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 9 }), (seed, count) => {
      const random = seededRandom(seed);
      const some = random.some(['a', 'b', 'c', 'd'], count);
      t.is(some.length, Math.min(count, 4));
      t.deepEqual([...new Set(some)].sort(), some);
      const whole = random.integer(3, 5);
      t.true(whole >= 3 && whole <= 5);
      t.is(random.weighted({ never: 0, always: 1 }), 'always');
    }),
  );
});

test('weights are held on the whole', (t) => {
  const random = seededRandom('weights');
  const drawn = Array.from({ length: 4_000 }, () => random.weighted({ one: 3, other: 1 }));
  const share = drawn.filter((key) => key === 'one').length / drawn.length;
  t.true(share > 0.7 && share < 0.8, String(share));
});
