import test from 'ava';
import fc from '../../fast-check.ts';
import { isValueWithin, JsonLevels, readJson } from '../../../src/lib/json/json.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const isNestedWithin = (text: string, max: number): boolean => new JsonLevels(max).add(bytes(text));

test('levels count, brackets in strings do not', (t) => {
  t.true(isNestedWithin('[{"a":"[[[{{{\\"[["},{"b":"\\\\"},[]]', 2));
  t.false(isNestedWithin('[{"a":"\\\\"},[{}]]', 2));
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
        isNestedWithin(text, max),
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
  t.deepEqual(readJson(text, { exact: true }), [rounded, limit, ...others]);
  t.deepEqual(readJson(text, { exact: 'rounded' }), [rounded, -(2 ** 63), ...others]);
  t.deepEqual(readJson(text, {}), [2 ** 53, -(2 ** 63), ...others]);
});

for (const exact of [false, true, 'rounded'] as const)
  for (const text of [
    '{"cut":',
    '{9007199254740993:1}',
    '{"a":1,9007199254740993 :1}',
    '[09007199254740993]',
  ])
    test(`invalid JSON is an error: ${text}, exact ${exact}`, (t) => {
      t.throws(() => readJson(text, { exact }), { instanceOf: SyntaxError });
    });

const integers = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((value) => ({ raw: `${value}` }));
const numbers = fc
  .tuple(fc.integer(), fc.integer({ min: 0 }), fc.integer({ min: -30, max: 30 }))
  .map(([whole, fraction, exponent]) => ({ raw: `${whole}.${fraction}12345678901234567e${exponent}` }));
const texts = fc.oneof(fc.string(), fc.stringMatching(/^[\\"1-9]{0,40}$/));
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    ...[integers, numbers, texts, fc.constantFrom(true, false, null)],
    ...[fc.array(tie('value')), fc.dictionary(texts, tie('value'))],
  ),
}));
const isRaw = (value: unknown): value is { readonly raw: string } =>
  typeof value === 'object' && value !== null && 'raw' in value && typeof value.raw === 'string';
const written = (value: unknown): string => {
  if (isRaw(value)) return value.raw;
  if (Array.isArray(value)) return `[${value.map(written).join(' ,')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)} : ${written(one)}`)
    .join()}}`;
};
/** By the function of JSON.parse that sees the text of each number. */
const naive = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context!.source
      : value,
  );

test('any JSON has its values, and the digits of its integers', (t) => {
  fc.assert(
    fc.property(anything, (value) => {
      const text = written(value);
      t.deepEqual(readJson(text, { exact: true }), naive(text));
      t.deepEqual(readJson(text), JSON.parse(text));
    }),
  );
});

test('a byte order mark is skipped, and no key is special', (t) => {
  const text = '{"é": 1, "__proto__": {"b": 9007199254740993}, "constructor": 1}';
  for (const exact of [false, true]) {
    const parsed = readJson(bytes(`\uFEFF${text}`), { exact }) as object;
    t.deepEqual(Object.keys(parsed), ['é', '__proto__', 'constructor']);
    t.is(Object.getPrototypeOf(parsed), Object.prototype);
  }
});

test('a number past the largest double is Infinity, its digits where they are requested', (t) => {
  const digits = `1${'0'.repeat(400)}`;
  const text = `[1e400, -1e400, 1e-400, ${digits}]`;
  t.deepEqual(readJson(text), [Infinity, -Infinity, 0, Infinity]);
  t.deepEqual(readJson(text, { exact: 'rounded' }), [Infinity, -Infinity, 0, digits]);
});

for (const [size, more] of [
  ['small', ''],
  ['large', 'x'.repeat(70_000)],
] as const)
  test(`what is nested too deeply is an error: ${size}`, (t) => {
    const text = `{"a": "${more}", "b": ${'['.repeat(120)}9007199254740993${']'.repeat(120)}}`;
    for (const exact of [false, true]) {
      t.throws(() => readJson(bytes(text), { exact, maxLevels: 100 }), {
        instanceOf: RangeError,
        message: 'nested deeper than 100 levels',
      });
      t.notThrows(() => readJson(bytes(text), { exact, maxLevels: 121 }));
    }
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
