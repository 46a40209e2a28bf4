import test from 'ava';
import type { Filter } from '../../../portal/src/api/filter.ts';
import {
  cohortsIn,
  combinedFilter,
  fileOfCohorts,
  freeName,
  sizeNow,
} from '../../../portal/src/cohorts/kept.ts';
import { filterOf, viewOfCohort } from '../../../portal/src/state/view.ts';

const of = (fieldName: string): Filter => ({ op: 'in', content: { fieldName, value: ['x'] } });
const cohort = (name: string, filter: Filter | null) => ({ name, source: 'network', filter });

test('cohorts come back from their file as they were; what is malformed is left out', (t) => {
  const kept = [
    { ...cohort('Women', { op: 'and', content: [of('sex')] }), then: sizeNow(5, Infinity) },
    cohort('Everyone', null),
  ];
  t.deepEqual(cohortsIn(fileOfCohorts(kept)), kept);
  t.deepEqual(
    cohortsIn(JSON.stringify({ cohorts: [{ name: 'no filter' }, { ...kept[1], then: 3 }, kept[1]] })),
    [kept[1]],
  );
  for (const text of ['', '[]', '{}', 'null', '{"cohorts":3}']) t.is(cohortsIn(text), null, text);
});

test('a name that is there already gets a number', (t) => {
  t.is(freeName('Women', [cohort('Men', null)]), 'Women');
  t.is(freeName('Women', [cohort('Women', null), cohort('Women (2)', null)]), 'Women (3)');
});

test('cohorts are combined each in brackets of its own', (t) => {
  const [one, other] = [cohort('a', of('a')), cohort('b', { op: 'or', content: [of('b'), of('c')] })];
  const part = (filter: Filter | null): Filter => ({ op: 'and', content: filter === null ? [] : [filter] });
  t.deepEqual(combinedFilter('union', [one, other]), {
    op: 'or',
    content: [part(one.filter), part(other.filter)],
  });
  t.deepEqual(combinedFilter('intersection', [one, other]), {
    op: 'and',
    content: [part(one.filter), part(other.filter)],
  });
  t.deepEqual(combinedFilter('difference', [one, other, cohort('all', null)]), {
    op: 'and',
    content: [
      part(one.filter),
      { op: 'not', content: [part(other.filter)] },
      { op: 'not', content: [part(null)] },
    ],
  });
});

test('a cohort opens as the view that it was saved from', (t) => {
  for (const view of [{}, { filters: [of('a')] }, { filters: [of('a'), of('b')], join: 'or' as const }])
    t.deepEqual(filterOf(viewOfCohort({ filter: filterOf(view) })), filterOf(view));
  const pivoted: Filter = { op: 'and', pivot: 'parts', content: [of('parts.a')] };
  t.deepEqual(viewOfCohort({ filter: pivoted }), { filters: [pivoted] });
  t.deepEqual(viewOfCohort({ filter: { op: 'not', content: [of('a')] } }).filters?.length, 1);
});
