import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { neverStopped } from '../../../../src/engines/embedded/columns/search-run.ts';
import { chunkSize } from '../../../../src/engines/embedded/columns/chunked.ts';
import { NumberBlocks } from '../../../../src/engines/embedded/columns/number-blocks.ts';
import { NumberColumn } from '../../../../src/engines/embedded/columns/number-column.ts';

/** A run of objects with `each` values; long runs and lists end blocks, and chunks, at any of their values. */
const numberLists = fc.array(
  fc.record({
    objects: fc.oneof(fc.nat(5), fc.nat(9_000), fc.constant(chunkSize)),
    each: fc.oneof(fc.nat(3), fc.integer({ min: 4_095, max: 4_097 }), fc.constant(9_000)),
  }),
  { maxLength: 4 },
);

const read = (data: NumberColumn | null, ids: Uint32Array): (readonly [id: number, value: number])[] => {
  const pairs: (readonly [number, number])[] = [];
  const blocks = new NumberBlocks(data, ids, neverStopped);
  while (blocks.next()) {
    if (pairs.length > 1_000_000) throw new Error('the blocks do not end');
    for (let i = 0; i < blocks.length; i++) pairs.push([blocks.ids[i]!, blocks.values[i]!]);
  }
  return pairs;
};

test('the blocks have every value of the listed objects once, in their order', (t) => {
  const property = fc.property(numberLists, fc.integer({ min: 1, max: 3 }), (all, step) => {
    const column = new NumberColumn(false);
    const lists: number[][] = [];
    for (const { objects, each } of all)
      // few objects have long lists, or a column would take gigabytes
      for (let i = 0; i < (each > 3 ? Math.min(objects, 3) : objects); i++)
        lists.push(Array.from({ length: each }, (_, j) => lists.length + j / 8_192));
    lists.forEach((values, id) => {
      if (values.length > 0) column.append(id, values.length === 1 ? values[0]! : values);
    });
    column.padTo(lists.length);
    const ids = Uint32Array.from(lists.keys()).filter((id) => id % step === 0);
    const expected = [...ids].flatMap((id) => lists[id]!.map((value) => [id, value] as const));
    // a comparison of their texts: the assertion's own takes seconds for lists this long
    t.is(JSON.stringify(read(column, ids)), JSON.stringify(expected));
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(30) }));
});

test('a field without values has no block', (t) => {
  t.deepEqual(read(null, Uint32Array.of(0, 1)), []);
});
