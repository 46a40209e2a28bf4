import test from 'ava';
import { csvOf } from '../../../portal/src/charts/export-chart.ts';

test('a table as CSV: quoted where it must be, and never a formula', async (t) => {
  const blob = csvOf({
    head: ['Value', 'Records'],
    rows: [
      ['a,"b"', 1],
      ['=1+1', 2],
      ['-5', 3],
      ['é', -4],
    ],
  });
  t.is(await blob.text(), 'Value,Records\r\n"a,""b""",1\r\n\'=1+1,2\r\n\'-5,3\r\né,-4\r\n');
});
