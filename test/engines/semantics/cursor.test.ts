import test from 'ava';
import {
  missing,
  printCursor,
  readCursor,
  withMarks,
  type SortValue,
} from '../../../src/engines/semantics/cursor.ts';
import type { CursorKey } from '../../../src/engines/semantics/cursor.ts';
import type { CursorValue } from '../../../src/engines/engine.ts';

const least = '-9223372036854775808';
const most = '9223372036854775807';
const key = (type: string, order: 'asc' | 'desc' = 'asc', place: 'first' | 'last' = 'first'): CursorKey => ({
  field: { path: 'f', type },
  order,
  missing: place,
});
const value = (one: CursorValue): SortValue => ({ isMissing: false, value: one });

test('a missing value prints as its mark, and is read as missing again', (t) => {
  const marks: readonly (readonly [CursorKey, CursorValue])[] = [
    [key('long'), least],
    [key('date', 'desc'), most],
    [key('integer', 'asc', 'last'), most],
    [key('unsigned_long', 'desc', 'last'), least],
    [key('double'), '-Infinity'],
    [key('float', 'asc', 'last'), 'Infinity'],
    [key('keyword'), null],
    [key('boolean'), null],
  ];
  for (const [sortedBy, mark] of marks) {
    t.deepEqual(printCursor([missing], [sortedBy], 7), [mark, 7], sortedBy.field.type);
    t.deepEqual(readCursor([mark, 7], [sortedBy]), { values: [missing], tieBreak: 7 });
  }
});

test('a value that looks like a mark is marked as a value', (t) => {
  const sort = [key('keyword'), key('long'), key('long')];
  const values = [value('a'), value(least), missing];
  const printed = printCursor(values, sort, 17);
  t.deepEqual(printed, ['a', least, least, 'values:1;17']);
  t.deepEqual(readCursor(printed, sort), { values, tieBreak: '17' });
});

test('any value and any tie-break come back as they were', (t) => {
  const types = ['long', 'unsigned_long', 'double', 'date', 'keyword', 'boolean'];
  const ends = [least, most, '18446744073709551615', 'Infinity', '-9223372036854775807', 'values:0;1'];
  for (const type of types)
    for (const end of ends)
      for (const tieBreak of ['id', 'values:0;id', 'values:;', ''])
        t.deepEqual(readCursor(printCursor([value(end)], [key(type)], tieBreak), [key(type)]), {
          values: [value(end)],
          tieBreak,
        });
});

test('a number past 64 bits is a value of doubles, and of longs a mark that went through a double', (t) => {
  const read = (type: string) => readCursor([-9223372036854775808, 1], [key(type)]).values;
  t.deepEqual(read('double'), [value(-9223372036854775808)]);
  t.deepEqual(read('long'), [missing]);
});

test('servers mark a missing unsigned_long by its greatest value', (t) => {
  const read = (type: string) => readCursor(['18446744073709551615', 1], [key(type)]).values;
  t.deepEqual(read('unsigned_long'), [missing]);
  t.deepEqual(read('keyword'), [value('18446744073709551615')]);
});

test('marks are changed, values and tie-breaks are not', (t) => {
  const sort = [key('long'), key('long')];
  t.deepEqual(
    withMarks([most, most, 'values:1;k'], sort, () => least),
    [least, most, 'values:1;k'],
  );
  t.deepEqual(
    withMarks([1, 2, most], sort, () => least),
    [1, 2, most],
  );
});

test('a cursor of another length is refused', (t) => {
  for (const cursor of [[1], [1, 2, 3, 4]])
    t.throws(() => readCursor(cursor, [key('long'), key('long')]), { code: 'BAD_USER_INPUT' });
});
