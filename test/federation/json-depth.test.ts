import test from 'ava';
import fc from 'fast-check';
import { depthWithin } from '../../src/federation/json-depth.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

test('levels count, brackets in strings do not', (t) => {
  t.true(depthWithin(2)(bytes('[{"a":"[[[{{{\\"[["},{"b":"\\\\"},[]]')));
  t.false(depthWithin(2)(bytes('[{"a":"\\\\"},[{}]]')));
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((deepest, one) => Math.max(deepest, depthOf(one)), 0)
    : 0;

test('any JSON in any pieces is as deep as it is', (t) => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 7 }), (text, size) => {
      const depth = depthOf(JSON.parse(text));
      const within = (most: number): boolean => {
        const isShallow = depthWithin(most);
        const whole = bytes(text);
        for (let at = 0; at < whole.length; at += size)
          if (!isShallow(whole.subarray(at, at + size))) return false;
        return true;
      };
      return within(depth) && (depth === 0 || !within(depth - 1));
    }),
  );
  t.pass();
});
