import test from 'ava';
import { tableColumns, rowDocument } from '../../../../src/indexing/file-import/tables/columns.ts';

const types = (cells: readonly string[]): string | undefined =>
  tableColumns(['x'], cells.map((cell) => [cell]), null)[0]?.type; // prettier-ignore

test('a column is a number or a boolean only if every filled cell is one', (t) => {
  t.is(types(['1', '', '-2.5', '1e-3', '1.0E3']), 'number');
  t.is(types(['1', '', '-2.5', '1e3']), 'text', 'a code');
  t.is(types(['1', 'x']), 'text');
  t.is(types(['01', '2']), 'text');
  t.is(types(['true', 'false', '']), 'boolean');
  t.is(types(['true', '1']), 'text');
  t.is(types(['', '']), 'any');
});

test('digits past 2^53 stay text', (t) => {
  const columns = tableColumns(['n'], [['1']], null);
  t.deepEqual(rowDocument(columns, ['9007199254740993']), { n: '9007199254740993' });
});
