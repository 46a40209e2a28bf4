import test from 'ava';
import { allocate, Chunked, chunkSize, withRoom } from '../../../../src/engines/embedded/columns/chunked.ts';

test('numbers come back across the borders of chunks', (t) => {
  const chunked = new Chunked(Float64Array);
  const length = 2 * chunkSize + 3;
  for (let i = 0; i < length; i++) chunked.push(i / 2);
  t.is(chunked.length, length);
  t.is(chunked.chunks.length, 3);
  for (const i of [0, 63, 64, chunkSize - 1, chunkSize, 2 * chunkSize, length - 1])
    t.is(chunked.at(i), i / 2);
});

test('an array grows into shared memory and keeps what it held', (t) => {
  const array = allocate(Uint16Array, 2);
  array.set([7, 9]);
  t.is(withRoom(array, 2), array);
  const larger = withRoom(array, 3);
  t.true(larger.length >= 3 && larger.buffer instanceof SharedArrayBuffer);
  t.deepEqual([...larger.subarray(0, 3)], [7, 9, 0]);
});
