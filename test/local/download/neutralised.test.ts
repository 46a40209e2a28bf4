import test from 'ava';
import { neutralised } from '../../../src/local/download/neutralised.ts';

test('only the first character counts', (t) => {
  t.is(neutralised('=A1'), `'=A1`);
  t.is(neutralised('-'), `'-`);
  t.is(neutralised('a=1'), 'a=1');
  t.is(neutralised(' =1'), ' =1');
  t.is(neutralised(''), '');
});
