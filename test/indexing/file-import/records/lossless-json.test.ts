import test from 'ava';
import { digitLoss, parseLosslessJson } from '../../../../src/indexing/file-import/records/lossless-json.ts';

test('numbers a double holds stay numbers, and nothing is reported as rounded', (t) => {
  const text = '{"a":9007199254740992,"b":0.12345678901234568,"c":"90071992547409931","d":-5}';
  t.deepEqual(parseLosslessJson(text), { value: JSON.parse(text) as unknown });
});

test('whole numbers a double would round keep their digits', (t) => {
  t.deepEqual(parseLosslessJson('{"a":[9007199254740993,1],"b":-9223372036854775807}'), {
    value: { a: ['9007199254740993', 1], b: '-9223372036854775807' },
    rounded: { a: [9007199254740992, 1], b: -9223372036854775807 }, // eslint-disable-line no-loss-of-precision
  });
});

test('fractions that a double would round keep their digits, wherever the point stands', (t) => {
  const text =
    '{"a":45.6666666666666667,"b":[-3.123456789012345678,0.25],"c":12345678.1234567890e5,"d":"0.1234567890123456789"}';
  t.deepEqual(parseLosslessJson(text), {
    value: {
      a: '45.6666666666666667',
      b: ['-3.123456789012345678', 0.25],
      c: '12345678.1234567890e5',
      d: '0.1234567890123456789',
    },
    rounded: JSON.parse(text) as unknown,
  });
});

test('digits of texts, fractions and safe numbers are left alone beside a number that would be rounded', (t) => {
  const text =
    '{"n":9007199254740993,"t":"a \\"9007199254740993","f":0.9007199254740993,"s":1234567890123456,"e":9007199254740993e1}';
  const { value, rounded } = parseLosslessJson(text);
  t.deepEqual(value, {
    ...(JSON.parse(text) as object),
    n: '9007199254740993',
    e: '9007199254740993e1',
  });
  t.deepEqual(rounded, JSON.parse(text));
});

test('losing digits is detected from the text', (t) => {
  t.is(digitLoss('9007199254740993'), 'of a long');
  t.is(digitLoss('9007199254740994'), 'none');
  t.is(
    digitLoss('1152921504606846976'),
    'of a long',
    'a double of this value is written 1152921504606847000',
  );
  t.is(digitLoss('9223372036854775808'), 'of a text');
  t.is(digitLoss('1e300'), 'none');
  t.is(digitLoss('0e400'), 'none');
  t.is(digitLoss('1e400'), 'of a text');
  t.is(digitLoss('-1.5E-400'), 'of a text');
  t.is(digitLoss('12'), 'none');
  t.is(digitLoss('0.00012345678901234567'), 'none');
  t.is(digitLoss('0.10000000000000000000'), 'none');
  t.is(digitLoss('45.6666666666666667'), 'of a fraction');
  t.is(digitLoss('1.234567890123456789e-5'), 'of a fraction');
  t.is(digitLoss('9007199254740993.5'), 'of a fraction');
  t.is(digitLoss('1.0000000000000001'), 'of a fraction');
  t.is(digitLoss('123456789012345.99999'), 'of a fraction');
  t.is(digitLoss('0.30000000000000004'), 'none');
  t.is(digitLoss('100000000000000000000.00'), 'none');
  t.is(digitLoss('2.50000000000000000e-7'), 'none');
  t.is(digitLoss('-0.00000000000000000'), 'none');
  t.is(digitLoss('99999999999999999999'), 'of a text');
});

test('numbers that a double cannot hold are texts', (t) => {
  t.deepEqual(parseLosslessJson('{"a":1e400,"b":[-2.5E-999,1e-8],"c":"1e400"}'), {
    value: { a: '1e400', b: ['-2.5E-999', 1e-8], c: '1e400' },
  });
});

test('what is not JSON throws', (t) => {
  t.throws(() => parseLosslessJson('{"a":9007199254740993'), { instanceOf: SyntaxError });
});
