import test from 'ava';
import fc from '../../../fast-check.ts';
import { ValueChunk } from '../../../../src/engines/embedded/columns/chunked.ts';

const lists = fc.array(fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 3 }), { maxLength: 40 });

const read = ({ values, offsets }: ValueChunk<Uint8Array>, local: number): number[] => {
  if (offsets !== null) return [...values.subarray(offsets[local], offsets[local + 1])];
  return values[local] === 0 ? [] : [values[local]!];
};

test('values come back, before and after the first list, with gaps left out or filled in', (t) => {
  const property = fc.property(lists, fc.boolean(), (all, isSkipping) => {
    const chunk = new ValueChunk<Uint8Array>(Uint8Array, 0);
    all.forEach((values, local) => {
      if (values.length === 1) chunk.putOne(local, values[0]!);
      else if (values.length > 1 || !isSkipping) chunk.put(local, values);
    });
    chunk.padTo(all.length);
    t.deepEqual(
      all.map((_, local) => read(chunk, local)),
      all,
    );
    t.is(
      chunk.offsets !== null,
      all.some(({ length }) => length > 1),
    );
    t.is(chunk.used, chunk.offsets === null ? all.length : all.flat().length);
  });
  t.notThrows(() => fc.assert(property));
});
