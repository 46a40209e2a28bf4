import test from 'ava';
import { putAt, roomBeside, sizeOf, valueAt } from '../../../src/lib/json/json.ts';

test('the size of lists and objects is that of all that is in them', (t) => {
  const item = 'x'.repeat(1_000);
  for (const value of [[item, item, item], { a: item, b: item, c: item }, [[item], { a: [item, item] }]]) {
    const { length } = JSON.stringify(value);
    t.true(Math.abs(sizeOf(value) - length) < 30, String(sizeOf(value)));
    t.true(roomBeside(value, length + 30) >= 0);
    t.true(roomBeside(value, length - 30) < 0);
  }
});

test('the value at a path is found in objects, in all objects of lists, and under a key with dots', (t) => {
  const record = {
    a: { b: 1, 'c.d': 2, 'e.f': { g: 9 } },
    list: [{ b: 3 }, { b: [4, 5] }, { x: 6 }, 7],
    'a.b': 8,
    none: null,
  };
  t.deepEqual(
    ['a', 'a.b', 'a.c.d', 'a.e.f.g', 'list.b', 'list.y', 'a.b.c', '.b', 'none', 'none.b', 'toString'].map(
      (path) => valueAt(record, path),
    ),
    [record.a, 8, 2, 9, [3, 4, 5], undefined, undefined, undefined, null, undefined, undefined],
  );
  t.is(valueAt(undefined, 'a'), undefined);
  t.is(valueAt([], 'a'), undefined);
});

test('a value is put where there is none yet, in each object of a list, and under any name', (t) => {
  const target = { a: { b: 1 }, list: [{}, { b: 2 }, 3, null], word: 'x' };
  for (const path of [['a', 'b'], ['a', 'c'], ['list', 'b'], ['new', 'inner'], ['word', 'b'], ['__proto__']])
    putAt(target, path, 9);
  t.deepEqual(
    target,
    JSON.parse(
      '{"a":{"b":1,"c":9},"list":[{"b":9},{"b":2},3,null],"word":"x","new":{"inner":9},"__proto__":9}',
    ),
  );
});
