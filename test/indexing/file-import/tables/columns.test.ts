import test from 'ava';
import { tableColumns } from '../../../../src/indexing/file-import/tables/columns.ts';
import { documentReader } from '../../../../src/indexing/file-import/tables/row-documents.ts';

const types = (cells: readonly string[]): string | undefined =>
  tableColumns(
    ['x'],
    cells.map((cell) => [cell]),
    null,
  )[0]?.type;

test('a column is a number or a boolean only if every filled cell is one', (t) => {
  t.is(types(['1', '', '-2.5', '1e-3', '1.0E3']), 'number');
  t.is(types(['1', '', '-2.5', '1e3']), 'text', 'a code');
  t.is(types(['1', 'x']), 'text');
  t.is(types(['01', '2']), 'text');
  t.is(types(['+4930123456', '+14155550100']), 'text', 'telephone numbers');
  t.is(types(['+5', '+1.5']), 'number');
  t.is(types(['true', 'false', '']), 'boolean');
  t.is(types(['true', '1']), 'text');
  t.is(types(['', '']), 'any');
});

test('digits past 2^53 stay text', (t) => {
  const columns = tableColumns(['n'], [['1']], null);
  t.deepEqual(documentReader(columns)(['9007199254740993']), {
    document: { n: '9007199254740993' },
    rounded: { n: 9007199254740992 },
  });
});

test('documents have the fields of their row, in the order of the columns, whatever rows came before', (t) => {
  const names = ['a', '__proto__', 'o.x', 'o.y', 'toString'];
  const read = documentReader(tableColumns(names, [['1', 'p', 'x', '2', 't']], null));
  const rows = [
    ['1', 'p', 'x', '2', 't'],
    ['', '', '', '3'],
    ['4'],
    ['', 'q', '', '', 'u'],
    ['1', 'p', 'x', '2', 't'],
  ];
  t.deepEqual(
    rows.map((row) => JSON.stringify(read(row).document)),
    [
      '{"a":1,"__proto__":"p","o":{"x":"x","y":2},"toString":"t"}',
      '{"o":{"y":3}}',
      '{"a":4}',
      '{"__proto__":"q","toString":"u"}',
      '{"a":1,"__proto__":"p","o":{"x":"x","y":2},"toString":"t"}',
    ],
  );
  t.is(Object.getPrototypeOf(read(rows[0]!).document), Object.prototype);
});
