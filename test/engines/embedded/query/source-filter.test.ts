import test from 'ava';
import { nestedObjects } from '../../../../src/engines/embedded/query/search.ts';

test('objects at a path, through lists, dots in keys and objects above, in the order of the document', (t) => {
  t.deepEqual(nestedObjects({ a: [{ n: 1 }, null, [{ n: 2 }], 'x'] }, 'a'), [{ n: 1 }, { n: 2 }]);
  t.deepEqual(nestedObjects({ o: { a: { n: 1 } }, 'o.a': [{ n: 2 }] }, 'o.a'), [{ n: 1 }, { n: 2 }]);
  t.deepEqual(nestedObjects({ 'o.a.n': 3 }, 'o.a'), [{ n: 3 }]);
  t.deepEqual(nestedObjects({ oa: { n: 1 }, o: 1 }, 'o.a'), []);
});
