import test from 'ava';
import { exceptPattern } from '../../../../../src/engines/cluster/dsl/filter/word-query.ts';
import { wildcardPattern } from '../../../../../src/sqon/filter.ts';

/** JavaScript has no intersection: both sides must match. */
const matches = (expression: string, value: string): boolean => {
  const [, left, right] = /^\((.*)\)&\((.*)\)$/s.exec(expression)!;
  return [left, right].every((side) => new RegExp(`^(?:${side})$`, 's').test(value));
};

test('what a pattern matches but for some values', (t) => {
  const expression = exceptPattern(wildcardPattern('*t'), false, ['rot', 'r', ''])!;
  const found = ['rot', 'Violet', 'rott', 't', 'rt', 'ROT', 'r', 'xrot', ''].filter((value) =>
    matches(expression, value),
  );
  t.deepEqual(found, ['Violet', 'rott', 't', 'rt', 'xrot']);
});

test('case is folded in the pattern, never in the values', (t) => {
  const expression = exceptPattern(wildcardPattern('R?t'), true, ['rot'])!;
  t.deepEqual(
    ['rot', 'ROT', 'rat'].map((value) => matches(expression, value)),
    [false, true, true],
  );
});

test('characters that mean something to a server stand for themselves', (t) => {
  const expression = exceptPattern([{ literal: 'a.b&~"' }], false, ['a|b'])!;
  t.true(matches(expression, 'a.b&~"'));
  t.false(matches(expression, 'axb&~"'));
});

test('nothing is sent that is longer than servers take', (t) => {
  t.is(exceptPattern(wildcardPattern('*'), false, ['x'.repeat(500)]), null);
});
