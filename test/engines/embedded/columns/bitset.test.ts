import test from 'ava';
import fc from '../../../fast-check.ts';
import {
  clearBit,
  complement,
  countBits,
  emptyBitset,
  fullBitset,
  hasBit,
  intersect,
  listBits,
  listFrom,
  setBit,
  setRange,
  unite,
  type Bitset,
} from '../../../../src/engines/embedded/columns/bitset.ts';

/** A number of positions and some of them. */
const sets = fc
  .integer({ min: 0, max: 700 })
  .chain((count) =>
    fc.tuple(
      fc.constant(count),
      fc.array(fc.nat(Math.max(0, count - 1))),
      fc.array(fc.nat(Math.max(0, count - 1))),
    ),
  )
  .map(([count, left, right]) => ({
    count,
    left: new Set(count === 0 ? [] : left),
    right: new Set(count === 0 ? [] : right),
  }));

const bitsOf = (count: number, positions: ReadonlySet<number>): Bitset => {
  const bits = emptyBitset(count);
  for (const position of positions) setBit(bits, position);
  return bits;
};

const sorted = (positions: Iterable<number>): number[] => [...positions].sort((a, b) => a - b);

test('bitsets are sets of positions', (t) => {
  const property = fc.property(sets, ({ count, left, right }) => {
    const [both, either] = [bitsOf(count, left), bitsOf(count, left)];
    intersect(both, bitsOf(count, right));
    unite(either, bitsOf(count, right));
    t.deepEqual([...listBits(both)], sorted([...left].filter((position) => right.has(position))));
    t.deepEqual([...listBits(either)], sorted(new Set([...left, ...right])));
    t.is(countBits(either), new Set([...left, ...right]).size);
    const none = complement(bitsOf(count, left), count);
    t.deepEqual(
      [...listBits(none)],
      sorted(Array.from({ length: count }, (_, i) => i).filter((i) => !left.has(i))),
    );
    for (const position of left) clearBit(either, position);
    t.deepEqual([...listBits(either)], sorted([...right].filter((position) => !left.has(position))));
  });
  t.notThrows(() => fc.assert(property));
});

test('bits past the count are never set', (t) => {
  for (const count of [0, 1, 31, 32, 33, 64]) {
    t.is(countBits(fullBitset(count)), count);
    t.is(countBits(complement(emptyBitset(count), count)), count);
    t.false(hasBit(fullBitset(count), count));
  }
});

test('a range is set from its start up to its end', (t) => {
  const bits = emptyBitset(100);
  setRange(bits, 30, 67);
  setRange(bits, 80, 80);
  t.deepEqual(
    [...listBits(bits)],
    Array.from({ length: 37 }, (_, i) => 30 + i),
  );
});

test('a set listed piece by piece, by whole words, is listed in order and whole', (t) => {
  const property = fc.property(sets, fc.integer({ min: 32, max: 100 }), ({ count, left }, size) => {
    const bits = bitsOf(count, left);
    const room = new Uint32Array(size);
    const found: number[] = [];
    for (let word = 0; word < bits.length;) {
      const { length, next } = listFrom(bits, word, room);
      t.true(next > word);
      found.push(...room.subarray(0, length));
      word = next;
    }
    t.deepEqual(found, sorted(left));
  });
  t.notThrows(() => fc.assert(property));
});
