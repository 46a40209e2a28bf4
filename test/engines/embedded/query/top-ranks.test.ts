import test from 'ava';
import { TopRanks } from '../../../../src/engines/embedded/query/top-ranks.ts';

const all = { after: null, before: null };

test('ids that can be among the first are collected, those of the worst rank all of them', (t) => {
  const leading = new TopRanks(2);
  leading.add(Uint32Array.of(3, 5, 8, 9), Float64Array.of(4, 7, 4, 2), false, all);
  leading.add(Uint32Array.of(11, 12), Float64Array.of(4, 5), false, all);
  t.deepEqual(leading.ids(), [3, 8, 9, 11]);
  t.is(leading.size, 4);
});

test('ids start after a place and end at another', (t) => {
  const ids = Uint32Array.from({ length: 8 }, (_, at) => at);
  const leading = new TopRanks(8);
  leading.add(ids, Float64Array.of(1, 2, 2, 3, 4, 4, 4, 3), false, {
    after: { rank: 2, isPast: (at) => at > 1 },
    before: { rank: 4, isPast: (at) => at !== 5 },
  });
  t.deepEqual(leading.ids(), [2, 3, 5, 7]);
});

test('what is dropped is not collected any more, and better ids still are', (t) => {
  const leading = new TopRanks(3);
  leading.add(Uint32Array.of(0, 1, 2, 3, 4), Float64Array.of(6, 6, 6, 6, 5), false, all);
  leading.keep([4, 1, 3]);
  t.is(leading.size, 3);
  leading.add(Uint32Array.of(7, 8, 9), Float64Array.of(6, 6, 5), false, {
    after: null,
    before: { rank: 6, isPast: (at) => at === 0 },
  });
  t.deepEqual(leading.ids(), [1, 3, 4, 8, 9]);
});
