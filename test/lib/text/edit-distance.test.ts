import test from 'ava';
import fc from '../../fast-check.ts';
import { editDistance } from '../../../src/lib/text/edit-distance.ts';

test('counts insertions, deletions and replacements', (t) => {
  t.is(editDistance('kitten', 'sitting'), 3);
  t.is(editDistance('', 'abc'), 3);
  t.is(editDistance('SERVER_PORT', 'SERVR_PORT'), 1);
});

test('is a metric', (t) => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      const symmetric = editDistance(a, b) === editDistance(b, a);
      const separates = (editDistance(a, b) === 0) === (a === b);
      return symmetric && separates && editDistance(a, c) <= editDistance(a, b) + editDistance(b, c);
    }),
  );
  t.pass();
});
