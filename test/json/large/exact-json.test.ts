import test from 'ava';
import { exactJson } from '../../../src/json/large/exact-json.ts';

test('whole numbers past 2^53 keep their digits, others stay numbers', (t) => {
  t.deepEqual(
    exactJson('[9007199254740993,-9223372036854775808,1.2345678901234567,1e20,12,"9007199254740993"]'),
    ['9007199254740993', '-9223372036854775808', 1.2345678901234567, 1e20, 12, '9007199254740993'],
  );
});

test('what is no json is an error', (t) => {
  t.throws(() => exactJson('{"cut":'), { instanceOf: SyntaxError });
});
