import test from 'ava';
import { areUnalike, isSpokenUnit, measureOf } from '../../../src/lib/text/units.ts';

test('units are known by their names in three languages, and by signs', (t) => {
  t.deepEqual(measureOf('Années'), measureOf('years'));
  t.deepEqual(measureOf(' µl'), ['volume', 0.001]);
  t.is(measureOf('points'), undefined);
  t.true(isSpokenUnit('zoll'));
  t.false(isSpokenUnit('in'));
});

test('numbers are unalike where the units are known to be, and alike under two names', (t) => {
  t.is(areUnalike('mm', 'in'), true);
  t.is(areUnalike('years', 'mm'), true);
  t.is(areUnalike('B', 'bytes'), false);
  t.is(areUnalike('Points', 'points '), false);
  t.is(areUnalike('points', 'pts'), null);
});
