import test from 'ava';
import { escapeFormula } from '../../../src/local/download/cell-text.ts';

test('only the first character counts', (t) => {
  t.is(escapeFormula('=A1'), `'=A1`);
  t.is(escapeFormula('-'), `'-`);
  t.is(escapeFormula('a=1'), 'a=1');
  t.is(escapeFormula(' =1'), ' =1');
  t.is(escapeFormula(''), '');
});
