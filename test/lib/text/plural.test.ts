import test from 'ava';
import { countOf, plural } from '../../../src/lib/text/plural.ts';

test('a noun is plural for every number but 1', (t) => {
  t.deepEqual(
    [0, 1, 2].map((count) => plural(count, 'row')),
    ['rows', 'row', 'rows'],
  );
  t.is(plural(2, 'is', 'are'), 'are');
  t.is(countOf(1_234_567, 'record'), '1 234 567 records');
});
