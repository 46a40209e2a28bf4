import test from 'ava';
import { countIn, openIn } from '../../../portal/src/api/answer.ts';
import { sizesOf } from '../../../portal/src/explore/view-question.ts';
import { comparedValues } from '../../../portal/src/explore/compare/shared-rows.ts';
import { valuesFacet } from '../values-facet.ts';

const cut = valuesFacet({ Lung: 9, Breast: 7 }, 'answered', 6);
const bucket = { key: 'Skin', label: null, count: 2, upper: 2, nodes: null };

test('a value that was not listed has the number that was counted by name, else bounds', (t) => {
  t.like(countIn(cut, 'Lung'), { count: 9, upper: 9 });
  t.deepEqual(countIn(cut, 'Skin'), { count: 0, upper: 6 });
  t.like(countIn({ ...cut, also: [bucket] }, 'Skin'), { count: 2, upper: 2 });
});

test('values are counted by name where a list leaves them open', (t) => {
  const keys = ['Lung', 'Skin', 'Liver'];
  t.deepEqual(openIn(cut, keys), ['Skin', 'Liver']);
  t.deepEqual(openIn({ ...cut, also: [bucket] }, keys), ['Liver']);
  t.deepEqual(openIn(valuesFacet({ Lung: 9 }), keys), [], 'a whole list leaves none');
});

test('cohorts are compared by the most frequent values of each', (t) => {
  const other = valuesFacet({ Skin: 3 });
  t.deepEqual(comparedValues([cut, undefined, other, valuesFacet({ Eye: 1 }, 'failed')]), [
    'Lung',
    'Skin',
    'Breast',
  ]);
});

test('values that are selected are counted by name, whether they are among the most frequent or not', (t) => {
  const chosen = { op: 'in', content: { fieldName: 'site', value: ['Skin', 'Eye'] } } as const;
  const search = { op: 'search', content: { fieldNames: ['site'], value: 'a' } } as const;
  const range = { op: 'gte', content: { fieldName: 'age', value: 60 } } as const;
  t.deepEqual(sizesOf({ filters: [chosen, search, range] }, {}), {
    asUsual: 6,
    more: {},
    also: { site: ['Skin', 'Eye'] },
  });
  t.deepEqual(sizesOf({ filters: [range] }, {}), { asUsual: 6, more: {} });
});
