import test from 'ava';
import { integerRange } from '../../../src/introspection/fields/field.ts';
import { numberRounding, readNumber } from '../../../src/engines/semantics/stored-numbers.ts';

test('numbers and their texts, whole numbers past 2^53 without loss', (t) => {
  for (const [text, value] of [
    ['12', 12],
    ['+12', 12],
    ['-0.5e2', -50],
    ['.5', 0.5],
    ['5.', 5],
    ['9007199254740993', 9007199254740993n],
    ['+9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -(2n ** 63n)],
    [1.5, 1.5],
  ] as const)
    t.is(readNumber(text), value, String(text));
});

test('what is not a number', (t) => {
  for (const text of ['', ' 1', '1 ', 'x', '0x10', '1e', '1e999', 'NaN', 'Infinity', '--1', NaN, Infinity]) {
    t.is(readNumber(text), null, String(text));
  }
});

test('types keep what they can hold', (t) => {
  t.is(numberRounding('float', {})(0.1), Math.fround(0.1));
  t.is(numberRounding('half_float', {})(2049), 2048);
  t.is(numberRounding('scaled_float', { scaling_factor: 100 })(19.996), 20);
  t.is(numberRounding('double', {})(0.1), 0.1);
  t.deepEqual(integerRange('byte'), { min: -128, max: 127 });
  t.is(integerRange('double'), null);
});
