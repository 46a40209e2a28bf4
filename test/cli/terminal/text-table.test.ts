import test from 'ava';
import { textTable, textTables } from '../../../src/cli/terminal/text-table.ts';

test('columns are as wide as their widest cell, numbers to the right', (t) => {
  const rows = [
    ['field', 'empty'],
    ['a', '1'],
    ['longer name', '12 000'],
  ];
  t.deepEqual(textTable(rows, { indent: '  ', alignedRight: [1], rule: true }), [
    '  field         empty',
    '  -----------  ------',
    '  a                 1',
    '  longer name  12 000',
  ]);
  t.deepEqual(textTable([]), []);
});

test('wide characters take two columns, marks none', (t) => {
  const rows = [
    ['東京都', 'x'],
    ['abcdef', 'x'],
    ['ガ', 'x'],
    ['e\u0301a', 'x'],
    ['😀', 'x'],
  ];
  t.deepEqual(textTable(rows), ['東京都  x', 'abcdef  x', 'ガ      x', 'e\u0301a      x', '😀      x']);
});

test('what would control a terminal is shown as its code point', (t) => {
  const rows = [
    ['\u001b[31mred', 'x'],
    ['a\nb', 'x'],
    ['\u202eabc', 'x'],
  ];
  t.deepEqual(textTable(rows), ['\\u{001b}[31mred  x', 'a\\u{000a}b       x', '\\u{202e}abc      x']);
});

test('long cells are cut between characters, or run on past a column that is wide enough', (t) => {
  t.deepEqual(textTable([['東京都庁', 'x']], { maxLength: 6 }), ['東京…  x']);
  t.deepEqual(
    textTable(
      [
        ['abcdefgh', 'x'],
        ['a', 'x'],
      ],
      { widest: 4 },
    ),
    ['abcdefgh  x', 'a     x'],
  );
});

test('columns that do not fit stand in a table below, which begins alike', (t) => {
  const rows = [
    ['field', '京都', 'east', 'west'],
    ['genus', 'yes', 'no', 'no'],
  ];
  t.deepEqual(textTables(rows, 17, 1, { rule: true }), [
    'field  京都  east',
    '-----  ----  ----',
    'genus  yes   no',
    '',
    'field  west',
    '-----  ----',
    'genus  no',
  ]);
});
