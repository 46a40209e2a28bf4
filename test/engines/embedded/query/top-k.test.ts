import test from 'ava';
import fc from '../../../fast-check.ts';
import { topK } from '../../../../src/engines/embedded/query/top-ranks.ts';

test('the first of a list are those that sorting and cutting would give', (t) => {
  const property = fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.nat(20), (items, size) => {
    const compare = (left: number, right: number): number => items[left]! - items[right]! || left - right;
    const positions = items.map((_, i) => i);
    t.deepEqual(topK(positions, size, compare), positions.toSorted(compare).slice(0, size));
  });
  t.notThrows(() => fc.assert(property));
});
