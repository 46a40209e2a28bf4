import test from 'ava';
import { csvOf } from '../../../portal/src/charts/export-chart.ts';

test('a table as CSV: quoted where it must be, never a formula, and with who is in each number', async (t) => {
  const table = {
    head: ['Value', 'Records'],
    rows: [
      ['a,"b"', 1],
      ['=1+1', 2],
      ['-5', 3],
      ['a;=1', 5],
      ['\n=1', 6],
      ['é', -4],
    ],
  };
  const blob = csvOf(table, [{ head: 'Institutions', text: '2 of 3' }]);
  t.is(
    await blob.text(),
    'Value,Records,Institutions\r\n"a,""b""",1,2 of 3\r\n\'=1+1,2,2 of 3\r\n-5,3,2 of 3\r\na;\'=1,5,2 of 3\r\n"\'\n=1",6,2 of 3\r\né,-4,2 of 3\r\n',
  );
});
