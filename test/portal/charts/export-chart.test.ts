import test from 'ava';
import { linesOf } from '../../../portal/src/charts/export-chart.ts';

test('a long caption is broken between its words', (t) => {
  t.deepEqual(linesOf('Sex: 2 of 3 institutions · Lyon: did not answer', 24), [
    'Sex: 2 of 3 institutions',
    '· Lyon: did not answer',
  ]);
  t.deepEqual(linesOf('Confluence', 4), ['Confluence']);
});
