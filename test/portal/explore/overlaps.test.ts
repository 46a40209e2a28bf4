import test from 'ava';
import { linkNested, type Filter } from '../../../portal/src/api/filter.ts';
import { exactlyIn } from '../../../portal/src/cohorts/kept.ts';
import { combinationsOf } from '../../../portal/src/explore/compare/combinations.ts';

test('two cohorts have three combinations, four have fifteen, each once', (t) => {
  t.deepEqual(combinationsOf(2), [[0], [1], [0, 1]]);
  t.is(new Set(combinationsOf(4).map(String)).size, 15);
});

test('who is in two cohorts may be so by different objects of a list', (t) => {
  const fields = new Map([
    ['parts', { kind: 'nested' } as const],
    ['parts.name', { kind: 'values' } as const],
  ]);
  const named = (value: string): Filter => ({
    op: 'in',
    content: { fieldName: 'parts.name', value: [value] },
  });
  const cohorts = [
    ['a', 'b'],
    ['c', 'd'],
  ].map(([one, other]) => ({
    name: one!,
    filter: { op: 'or', content: [named(one!), named(other!)] } as const,
  }));
  for (const members of combinationsOf(2)) {
    const filter = exactlyIn(cohorts, members);
    t.deepEqual(linkNested(filter, fields), filter);
  }
});
