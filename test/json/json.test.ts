import test from 'ava';
import { roomBeside, sizeOf } from '../../src/json/json.ts';

test('the size of lists and objects is that of all that is in them', (t) => {
  const item = 'x'.repeat(1_000);
  for (const value of [[item, item, item], { a: item, b: item, c: item }, [[item], { a: [item, item] }]]) {
    const { length } = JSON.stringify(value);
    t.true(Math.abs(sizeOf(value) - length) < 30, String(sizeOf(value)));
    t.true(roomBeside(value, length + 30) >= 0);
    t.true(roomBeside(value, length - 30) < 0);
  }
});
