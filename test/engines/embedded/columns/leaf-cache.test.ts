import test from 'ava';
import { emptyBitset, listBits, setBit } from '../../../../src/engines/embedded/columns/bitset.ts';
import { LeafCache, type Leaf } from '../../../../src/engines/embedded/columns/leaf-cache.ts';
import type { FilterValue } from '../../../../src/sqon/filter.ts';

const leaf = (path: string, ...values: FilterValue[]): Leaf => ({
  kind: 'terms',
  field: { path, type: 'keyword', nestedIn: [] },
  values,
});

/** Bits with one position set, and how often they were asked for. */
const finding = (position: number, count: number) => {
  const found = { times: 0, find: () => (found.times++, setBitIn(emptyBitset(count), position)) };
  return found;
};

const setBitIn = (bits: Uint32Array, position: number): Uint32Array => {
  setBit(bits, position);
  return bits;
};

test('a condition is looked for once, whatever object asks for it', (t) => {
  const cache = new LeafCache();
  const state = { tree: {}, root: { count: 40 } };
  const first = finding(33, 40);
  for (let time = 0; time < 3; time++) {
    t.deepEqual([...listBits(cache.bits(state, leaf('kind', 'a', 'b'), first.find))], [33]);
  }
  t.is(first.times, 1);
});

test('other conditions are other ones, also where JSON writes them alike', (t) => {
  const cache = new LeafCache();
  const state = { tree: {}, root: { count: 40 } };
  const conditions = [
    leaf('kind', 'a'),
    leaf('color', 'a'),
    leaf('kind', 'a', 'b'),
    leaf('kind', 'ab'),
    leaf('kind', Infinity),
    leaf('kind', -Infinity),
    leaf('kind', NaN),
    { ...leaf('kind', 'a'), kind: 'exists' } as Leaf,
  ];
  for (const turn of [0, 1]) {
    conditions.forEach((condition, position) => {
      const found = finding(position, 40);
      t.deepEqual([...listBits(cache.bits(state, condition, found.find))], [position]);
      t.is(found.times, 1 - turn);
    });
  }
});

test('what was found is forgotten when a document or a field is added', (t) => {
  const cache = new LeafCache();
  const tree = {};
  const states = [
    { tree, root: { count: 40 } },
    { tree, root: { count: 41 } },
    { tree: {}, root: { count: 41 } },
  ];
  states.forEach((state, position) => {
    t.deepEqual([...listBits(cache.bits(state, leaf('kind', 'a'), finding(position, 41).find))], [position]);
  });
});

test('only so many bytes are kept', (t) => {
  const cache = new LeafCache();
  const count = 8 << 20;
  const state = { tree: {}, root: { count } };
  const ask = (value: string): number => {
    const found = finding(0, count);
    cache.bits(state, leaf('kind', value), found.find);
    return found.times;
  };
  // one MiB each
  t.deepEqual(['a', 'b', 'c', 'c', 'd', 'a'].map(ask), [1, 1, 1, 0, 1, 1]);
});
