import test from 'ava';
import fc, { runs } from '../../../../fast-check.ts';
import { neverStopped } from '../../../../../src/engines/embedded/columns/search-run.ts';
import { TermDictionary } from '../../../../../src/engines/embedded/columns/term-dictionary.ts';
import { foldedCodes, partTest } from '../../../../../src/engines/embedded/query/filter/folded-codes.ts';
import { keywordTest } from '../../../../../src/lib/text/text-comparison.ts';

const characters = fc.constantFrom('a', 'b', 'B', '1', ' ', '-', '_', '\0', '~', 'é', 'ß', '京', '\u{1F600}');
const strings = fc.array(
  fc.array(characters, { maxLength: 8 }).map((list) => list.join('')),
  { maxLength: 30 },
);
const part = fc
  .array(fc.constantFrom('a', 'b', '1', '\0'), { minLength: 1, maxLength: 3 })
  .map((list) => list.join(''));

test('a word of one part is found by its bytes where the test for any string finds it', (t) => {
  fc.assert(
    fc.property(strings, part, fc.boolean(), (values, word, isPrefix) => {
      const table = new TermDictionary();
      for (const value of values) table.add(value);
      const any = keywordTest({ word, isPrefix });
      const found = foldedCodes(table, word, any, neverStopped, partTest(word, isPrefix));
      const expected = Array.from({ length: table.size }, (_, at) => Number(any(table.value(at + 1))));
      t.deepEqual([...found], [0, ...expected]);
    }),
    { numRuns: runs(500) },
  );
});

test('strings added after a search are searched by the next', (t) => {
  const table = new TermDictionary();
  const find = (): readonly number[] => {
    const any = keywordTest({ word: 'elan', isPrefix: false });
    return [...foldedCodes(table, 'elan', any, neverStopped, partTest('elan', false))];
  };
  table.add('élan vital');
  t.deepEqual(find(), [0, 1]);
  table.add('Elan');
  table.add('last élan');
  t.deepEqual(find(), [0, 1, 1, 1]);
});
