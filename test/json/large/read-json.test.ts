import test from 'ava';
import fc from '../../fast-check.ts';
import {
  isNestedWithin,
  isValueWithin,
  JsonLevels,
  parseJsonNow,
} from '../../../src/json/large/read-json.ts';

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
      const isWithin = (max: number): readonly boolean[] => [
        isNestedWithin(bytes(text), max),
        isValueWithin(JSON.parse(text), max),
      ];
      return isWithin(depth).every(Boolean) && (depth === 0 || !isWithin(depth - 1).some(Boolean));
    }),
  );
  t.pass();
});

test('the levels of a value may be below any key', (t) => {
  const value: unknown = JSON.parse('{"__proto__": [[]], "a": 1}');
  t.true(isValueWithin(value, 3));
  t.false(isValueWithin(value, 2));
});

test('whole numbers past 2^53 keep their digits, others stay numbers', (t) => {
  const text = '[9007199254740993,-9223372036854775808,1.2345678901234567,1e20,12,"9007199254740993"]';
  const [rounded, limit, ...others] = [
    '9007199254740993',
    '-9223372036854775808',
    1.2345678901234567,
    1e20,
    12,
    '9007199254740993',
  ];
  t.deepEqual(parseJsonNow(text, { exact: true }), [rounded, limit, ...others]);
  t.deepEqual(parseJsonNow(text, { exact: 'rounded' }), [rounded, -(2 ** 63), ...others]);
  t.deepEqual(parseJsonNow(text, {}), [2 ** 53, -(2 ** 63), ...others]);
});

test('invalid JSON is an error', (t) => {
  t.throws(() => parseJsonNow('{"cut":', { exact: true }), { instanceOf: SyntaxError });
});

test('JSON that arrives in two pieces has the levels and values of the whole, wherever it is cut', (t) => {
  const whole = bytes('[{"a\\"[":[1,"\\\\",{"b":"}"}]},2]');
  const counted = new JsonLevels(4);
  t.true(counted.add(whole));
  for (let at = 0; at <= whole.length; at += 1)
    for (const max of [3, 4]) {
      const levels = new JsonLevels(max);
      t.is(levels.add(whole.subarray(0, at)) && levels.add(whole.subarray(at)), max === 4, `cut at ${at}`);
      if (max === 4) t.is(levels.values, counted.values);
    }
});
