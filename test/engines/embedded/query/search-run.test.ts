import test from 'ava';
import { claimFacets, newFacetWorkQueue } from '../../../../src/engines/embedded/columns/checkpoint.ts';

test('one thread alone has all facets', (t) => {
  t.deepEqual([...claimFacets(3, undefined)], [0, 1, 2]);
  t.deepEqual([...claimFacets(0, undefined)], []);
});

test("of threads that share each facet is one's, whoever comes first", (t) => {
  const taken = newFacetWorkQueue();
  const [one, other] = [claimFacets(4, taken), claimFacets(4, taken)];
  t.is(one.next().value, 0);
  t.is(other.next().value, 1);
  t.deepEqual([...other], [2, 3]);
  t.true(one.next().done);
});
