import test from 'ava';
import fc from '../../fast-check.ts';
import { bucketsOf, ColumnsWriter } from '../../../src/facets/terms/terms-columns.ts';

const bucket = fc.record({
  key: fc.oneof(fc.string(), fc.constantFrom('a', 'b', '__proto__', 'x'.repeat(5_000))),
  count: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
});

test('lists that are read one after the other, or at once, stay themselves', (t) => {
  const read = fc.property(
    fc.array(fc.tuple(fc.array(bucket, { maxLength: 1_200 }), fc.nat(2)), { maxLength: 20 }),
    (lists) => {
      const writers = lists.map(([list, unused]) => new ColumnsWriter(list.length + unused));
      lists.forEach(([list], at) => list.forEach(({ key, count }) => writers[at]!.add(key, count)));
      t.deepEqual(writers.map((writer) => bucketsOf(writer.columns())), lists.map(([list]) => list)); // prettier-ignore
    },
  );
  fc.assert(read);
});

test('a bucket taken out leaves the others, and other lists, as they were', (t) => {
  const lists = [0, 1, 2].map((list) => {
    const writer = new ColumnsWriter(4);
    for (const key of ['a', 'b', 'c', 'd']) writer.add(key, 10 * list + key.charCodeAt(0));
    return writer;
  });
  t.is(lists[1]!.remove(1), 108);
  t.deepEqual(
    lists.map((writer) =>
      bucketsOf(writer.columns())
        .map(({ key, count }) => `${key}${count}`)
        .join(' '),
    ),
    ['a97 b98 c99 d100', 'a107 c109 d110', 'a117 b118 c119 d120'],
  );
  t.is(lists[1]!.columns().smallestCount(), 107);
});

test('very many lists, and very long ones, stay themselves', (t) => {
  const long = Array.from({ length: 20_000 }, (_, at) => ({ key: `key ${at}`, count: at }));
  const lists = [long, ...Array.from({ length: 900 }, (_, at) => long.slice(at * 20, at * 20 + 30))];
  const columns = lists.map((list) => {
    const writer = new ColumnsWriter(list.length);
    list.forEach(({ key, count }) => writer.add(key, count));
    return writer.columns();
  });
  t.deepEqual(columns.map(bucketsOf), lists);
});
