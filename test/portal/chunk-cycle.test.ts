import test from 'ava';
import { chunkCycle } from '../../scripts/chunk-cycle.ts';

const cycleIn = (imports: Readonly<Record<string, readonly string[]>>) =>
  chunkCycle(new Map(Object.entries(imports)));

test('chunks that import each other in a circle are found by the shortest one, diamonds are none', (t) => {
  t.is(cycleIn({ index: ['page', 'shared', 'react'], page: ['shared'], shared: ['react'], react: [] }), null);
  t.deepEqual(
    cycleIn({
      index: ['page', 'shared'],
      page: ['shared'],
      shared: ['fold', 'trouble'],
      fold: ['trouble'],
      trouble: ['shared'],
    }),
    ['shared', 'trouble', 'shared'],
  );
  t.deepEqual(cycleIn({ page: ['page'] }), ['page', 'page']);
});
