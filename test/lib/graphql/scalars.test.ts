import test from 'ava';
import { parseValue } from 'graphql';
import { dateScalar, jsonScalar } from '../../../src/lib/graphql/scalars.ts';

const literal = (source: string, variables?: Record<string, unknown>) =>
  jsonScalar.parseLiteral(parseValue(source), variables);

test('an inline value is the JSON it writes', (t) => {
  t.deepEqual(literal('{op: "in", list: [1, -2.5, true, null, word], inner: {a: {}}}'), {
    op: 'in',
    list: [1, -2.5, true, null, 'word'],
    inner: { a: {} },
  });
});

test('variables inside an inline value are filled in', (t) => {
  t.deepEqual(literal('{value: [$a], none: $b}', { a: 0 }), { value: [0], none: undefined });
});

test('whole numbers past 2^53 keep their digits', (t) => {
  t.deepEqual(literal('[9007199254740991, 9007199254740993]'), [9007199254740991, '9007199254740993']);
});

test('a field called __proto__ is data', (t) => {
  const value = literal('{__proto__: {polluted: true}}') as object;
  t.deepEqual(Object.keys(value), ['__proto__']);
  t.is(Object.getPrototypeOf(value), Object.prototype);
});

test('a date is shown in ISO 8601, whatever it was stored as', (t) => {
  t.is(dateScalar.serialize(0), '1970-01-01T00:00:00.000Z');
  t.is(dateScalar.serialize('2020-01-02'), '2020-01-02T00:00:00.000Z');
  t.throws(() => dateScalar.serialize('soon'), { code: 'BAD_USER_INPUT' });
});
