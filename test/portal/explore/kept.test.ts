import test from 'ava';
import type { Filter } from '../../../portal/src/api/filter.ts';
import type { NodePart, Overview } from '../../../portal/src/api/answer.ts';
import {
  changeKept,
  cohortsIn,
  combinedFilter,
  fileOfCohorts,
  freeName,
  keptCohorts,
  sizeNow,
  withAdded,
  withChanged,
  withoutCohort,
  withSaved,
} from '../../../portal/src/cohorts/kept.ts';
import { filterOf, linkedCohort, viewOfCohort } from '../../../portal/src/state/view.ts';

const of = (fieldName: string): Filter => ({ op: 'in', content: { fieldName, value: ['x'] } });
const cohort = (name: string, filter: Filter | null) => ({ name, source: 'network', filter });
const overview = (total: number | null, upper = total ?? 0, states: readonly string[] = []): Overview => ({
  total,
  upper,
  estimate: null,
  partial: states.some((state) => state !== 'ok'),
  nodes: states.map((state) => ({ state }) as NodePart),
  facets: new Map(),
});
const day = new Date().toISOString().slice(0, 10);

test('cohorts come back from their file as they were; what is malformed is left out', (t) => {
  const kept = [
    { ...cohort('Women', { op: 'and', content: [of('sex')] }), then: sizeNow(overview(5, Infinity))! },
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

test('the size that is kept is a lower bound where somebody is missing, and none while somebody may still answer', (t) => {
  t.deepEqual(sizeNow(overview(5)), { count: 5, upper: 5, day });
  t.deepEqual(sizeNow(overview(5, 9)), { count: 5, upper: 9, day });
  t.deepEqual(sizeNow(overview(5, Infinity)), { count: 5, upper: null, day });
  t.deepEqual(sizeNow(overview(5, 5, ['ok', 'unreachable'])), { count: 5, upper: null, day });
  t.is(sizeNow(overview(5, 5, ['ok', 'pending'])), null);
  t.is(sizeNow(overview(null)), null);
});

test('sizes that arrive together are all kept, as is what changed since a component was drawn', (t) => {
  const drawn = ['a', 'b', 'c'].map((name) => cohort(name, of(name)));
  changeKept(() => drawn);
  // all three answers of one render, each with the cohort as it was drawn
  drawn.forEach((each, at) =>
    changeKept((kept) => withChanged(kept, each, { then: sizeNow(overview(at))! })),
  );
  changeKept((kept) => withChanged(kept, drawn[0]!, { name: 'renamed' }));
  changeKept((kept) => withoutCohort(kept, drawn[1]!));
  t.deepEqual(
    keptCohorts().map(({ name, then }) => [name, then?.count]),
    [
      ['renamed', 0],
      ['c', 2],
    ],
  );
  changeKept((kept) => withChanged(kept, drawn[1]!, { then: sizeNow(overview(7))! }));
  t.is(keptCohorts().length, 2, 'a size comes too late for a cohort that is gone');
});

test.serial('a browser without room keeps a cohort as long as the page', (t) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  const setItem = (): never => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const full = { getItem: () => fileOfCohorts([cohort('old', null)]), setItem };
  Object.defineProperty(globalThis, 'localStorage', { value: full, configurable: true });
  t.teardown(() => {
    Reflect.deleteProperty(globalThis, 'localStorage');
    if (before !== undefined) Object.defineProperty(globalThis, 'localStorage', before);
  });
  changeKept((kept) => withSaved(kept, cohort('new', null)));
  t.deepEqual(
    keptCohorts().map(({ name }) => name),
    ['new', 'old'],
  );
});

test('saving under a name takes its place in the same source only; what is combined or imported gets a free name', (t) => {
  const women = cohort('Women', of('sex'));
  const elsewhere = { ...women, source: 'lyon' };
  t.deepEqual(withSaved([cohort('Men', null), women, elsewhere], cohort('Women', null)), [
    cohort('Women', null),
    cohort('Men', null),
    elsewhere,
  ]);
  t.deepEqual(
    withAdded([women, cohort('Women (2)', null)], [women, cohort('Men', null), women]).map(
      ({ name }) => name,
    ),
    ['Women (3)', 'Men', 'Women (4)', 'Women', 'Women (2)'],
  );
});

test('what is opened in Compare is a name and a filter, without what this browser keeps beside them', (t) => {
  const kept = { ...cohort('Women', of('sex')), then: sizeNow(overview(5))! };
  t.deepEqual(linkedCohort(kept), { name: 'Women', filter: of('sex') });
});
