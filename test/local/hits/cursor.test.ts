import test from 'ava';
import type { SortKey } from '../../../src/engines/engine.ts';
import { missing, printCursor } from '../../../src/engines/semantics/cursor.ts';
import { engineCursor, shownCursor, shownCursorPrinter } from '../../../src/local/hits/cursor.ts';

const least = '-9223372036854775808';
const greatest = '9223372036854775807';

const key = (type: string, order: SortKey['order'], missing: SortKey['missing']): SortKey => ({
  field: { path: 'f', type, nestedIn: [] },
  order,
  missing,
  mode: 'min',
});

test('a missing number or date prints alike wherever it stands', (t) => {
  for (const type of ['long', 'date']) {
    t.deepEqual(shownCursor([greatest, 7], [key(type, 'asc', 'last')]), [least, 7]);
    t.deepEqual(shownCursor([least, 7], [key(type, 'asc', 'first')]), [least, 7]);
  }
});

test('the engine gets the marker of the end where the key puts missing values', (t) => {
  const markers = (order: SortKey['order'], missing: SortKey['missing']) =>
    [least, greatest].map((value) => engineCursor([value], [key('long', order, missing)])[0]);
  t.deepEqual(markers('asc', 'first'), [least, least]);
  t.deepEqual(markers('asc', 'last'), [greatest, greatest]);
  t.deepEqual(markers('desc', 'first'), [greatest, greatest]);
  t.deepEqual(markers('desc', 'last'), [least, least]);
});

test('keywords that look like a marker and the tie-break stay as they are', (t) => {
  const keyword = [key('keyword', 'asc', 'last')];
  t.deepEqual(shownCursor([greatest, greatest], keyword), [greatest, greatest]);
  t.deepEqual(engineCursor([least, least], keyword), [least, least]);
});

test('many cursors of one sort print as each by itself', (t) => {
  const keys = (['long', 'date', 'float', 'boolean', 'keyword', 'unsigned_long'] as const).flatMap((type) => [
    key(type, 'asc', 'first'),
    key(type, 'asc', 'last'),
    key(type, 'desc', 'first'),
  ]);
  const print = shownCursorPrinter(keys);
  const values = [least, greatest, 'Infinity', null, 7, 2 ** 63, '18446744073709551615', true];
  for (const value of values)
    for (const tieBreak of ['17', 'values:1;17', 17]) {
      const all = keys.map((_, at) => (at % 4 === 3 ? missing : { isMissing: false as const, value }));
      t.deepEqual(print(all, tieBreak), shownCursor(printCursor(all, keys, tieBreak), keys));
    }
});
