import test from 'ava';
import { facetPlaces, noneTaken } from '../../../../src/engines/embedded/query/facet-places.ts';

test('one thread alone has all facets', (t) => {
  t.deepEqual([...facetPlaces(3, undefined)], [0, 1, 2]);
  t.deepEqual([...facetPlaces(0, undefined)], []);
});

test("of threads that share each facet is one's, whoever comes first", (t) => {
  const taken = noneTaken();
  const [one, other] = [facetPlaces(4, taken), facetPlaces(4, taken)];
  t.is(one.next().value, 0);
  t.is(other.next().value, 1);
  t.deepEqual([...other], [2, 3]);
  t.true(one.next().done);
});
