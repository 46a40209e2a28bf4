import test from 'ava';
import { keyPlaces, linesOf } from '../../../portal/src/charts/export-chart.ts';

test('a long caption is broken between its words, and a longer word within', (t) => {
  t.deepEqual(linesOf('Sex: 2 of 3 institutions · Lyon: did not answer', 24), [
    'Sex: 2 of 3 institutions',
    '· Lyon: did not answer',
  ]);
  t.deepEqual(linesOf('Confluence', 4), ['Conf', 'luen', 'ce']);
});

test('the names of the colours stand beside each other, as many to a line as fit', (t) => {
  t.deepEqual(keyPlaces(['Lyon', 'Toronto', 'Confluence'], 20), [
    { name: 'Lyon', letter: 0, line: 1 },
    { name: 'Toronto', letter: 8, line: 1 },
    { name: 'Confluence', letter: 0, line: 2 },
  ]);
  t.deepEqual(keyPlaces([], 20), []);
});
