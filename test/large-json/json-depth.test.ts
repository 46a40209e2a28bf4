import test from 'ava';
import fc from '../fast-check.ts';
import { isNestedWithin } from '../../src/large-json/json-depth.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

test('levels count, brackets in strings do not', (t) => {
  t.true(isNestedWithin(bytes('[{"a":"[[[{{{\\"[["},{"b":"\\\\"},[]]'), 2));
  t.false(isNestedWithin(bytes('[{"a":"\\\\"},[{}]]'), 2));
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((deepest, one) => Math.max(deepest, depthOf(one)), 0)
    : 0;

test('any JSON is as deep as it is', (t) => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const depth = depthOf(JSON.parse(text));
      return isNestedWithin(bytes(text), depth) && (depth === 0 || !isNestedWithin(bytes(text), depth - 1));
    }),
  );
  t.pass();
});
