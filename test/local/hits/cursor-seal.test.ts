import test from 'ava';
import { cursorSeal } from '../../../src/local/hits/cursor.ts';

const cursors = cursorSeal('a key that nobody knows');

for (const [name, cursor, sortKeys] of [
  ['a number', ['Atlas', 5, 17], 2],
  ['a text', ['Atlas', 'doc;1'], 1],
  ['nothing before it', [17], 0],
  ['a text that looks like a sealed one', ['tie:abc'], 0],
  ['a note on the values before it', ['Infinity', 'values:0;17'], 1],
] as const)
  test(`a tie-break is opaque and can be read again: ${name}`, (t) => {
    const shown = cursors.seal(cursor, sortKeys);
    t.deepEqual(shown.slice(0, sortKeys), cursor.slice(0, sortKeys));
    t.regex(String(shown[sortKeys]), /^(values:0;)?tie:[\w-]{30,}$/);
    t.notDeepEqual(cursors.seal(cursor, sortKeys), shown);
    t.deepEqual(cursors.open(shown, sortKeys), cursor);
  });

test('what nodes note on the values stays readable for those who merge', (t) => {
  t.regex(String(cursors.seal(['Infinity', 'values:0;17'], 1)[1]), /^values:0;tie:/);
});

test('a cursor of before, and one without a tie-break, is read as it is', (t) => {
  for (const [cursor, sortKeys] of [
    [['Atlas', 17], 1],
    [['Atlas', 'doc-1'], 1],
    [['Infinity', 'values:0;17'], 1],
    [['Atlas'], 1],
  ] as const)
    t.deepEqual(cursors.open(cursor, sortKeys), cursor);
});

test('a cursor that was changed, or sealed under another key, is refused', (t) => {
  const [own] = cursors.seal([17], 0) as [string];
  const [foreign] = cursorSeal('another key').seal([17], 0);
  const changed = own.slice(0, -2) + (own.at(-2) === 'A' ? 'B' : 'A') + own.slice(-1);
  for (const tieBreak of [foreign!, changed, 'tie:abc', 'tie:'.padEnd(60, 'x')])
    t.throws(() => cursors.open([tieBreak], 0), {
      code: 'BAD_USER_INPUT',
      message: 'searchAfter is a cursor that this server cannot read; start again from the first page',
    });
});
