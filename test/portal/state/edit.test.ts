import test from 'ava';
import { chosenOf } from '../../../portal/src/state/chosen.ts';
import {
  rangeEnds,
  rangeOf,
  searchOf,
  withLevel,
  withMissing,
  withNodes,
  withRange,
  withFilters,
  withSearch,
  withValues,
} from '../../../portal/src/state/edit.ts';
import { filterOf, isView, type View } from '../../../portal/src/state/view.ts';

const lung = { op: 'in', content: { fieldName: 'site', value: ['Lung'] } } as const;
const old = { op: 'gte', content: { fieldName: 'age', value: 60 } } as const;

test('values are chosen, changed in place, and none removes the condition', (t) => {
  const one = withValues({ filters: [lung, old] }, 'site', ['Lung', 'Skin']);
  t.deepEqual(one.filters, [{ op: 'in', content: { fieldName: 'site', value: ['Lung', 'Skin'] } }, old]);
  t.deepEqual(withValues(one, 'site', []), { filters: [old] });
  t.deepEqual(withValues({ filters: [lung] }, 'site', []), {});
});

test('a chart shows another level, and the first one again', (t) => {
  const below = withLevel({ charts: ['code'] }, 'code', 'C15');
  t.deepEqual(below, { charts: ['code'], levels: { code: 'C15' } });
  t.true(isView(below));
  t.false(isView({ levels: { code: 15 } }));
  t.deepEqual(withLevel(below, 'place', 'Europe').levels, { code: 'C15', place: 'Europe' });
  t.deepEqual(withLevel(below, 'code', null), { charts: ['code'] });
});

test('what is excluded stays chosen', (t) => {
  const view = withValues({}, 'site', ['Lung'], true);
  t.deepEqual(view, { filters: [{ op: 'not-in', content: { fieldName: 'site', value: ['Lung'] } }] });
  t.deepEqual(chosenOf(view, 'site'), { values: ['Lung'], isExcluded: true });
});

test('true and false are chosen as facets count them', (t) => {
  const view: View = { filters: [{ op: 'in', content: { fieldName: 'native', value: [true, false] } }] };
  t.deepEqual(chosenOf(view, 'native').values, ['1', '0']);
  const texts: View = { filters: [{ op: 'in', content: { fieldName: 'site', value: ['true'] } }] };
  t.deepEqual(chosenOf(texts, 'site').values, ['true']);
});

test('values with stars and those that look like saved sets are chosen as they are', (t) => {
  const is = (...value: string[]) => ({ op: 'is', content: { fieldName: 'hla', value } }) as const;
  const chosen = withValues({ filters: [old] }, 'hla', ['A*02:01', 'B']);
  const both = {
    op: 'or',
    content: [is('A*02:01'), { op: 'in', content: { fieldName: 'hla', value: ['B'] } }],
  };
  t.deepEqual(chosen.filters, [old, both] as unknown);
  t.deepEqual(chosenOf(chosen, 'hla'), { values: ['A*02:01', 'B'], isExcluded: false });
  const one = withValues(chosen, 'hla', ['set_id:1']);
  t.deepEqual(one.filters, [old, is('set_id:1')]);
  const excluded = withValues(one, 'hla', ['4*'], true);
  t.deepEqual(excluded.filters, [old, { op: 'not', content: [is('4*')] }]);
  t.deepEqual(chosenOf(excluded, 'hla'), { values: ['4*'], isExcluded: true });
  t.deepEqual(withValues(excluded, 'hla', []).filters, [old]);
});

test('a range has one end, two or none', (t) => {
  t.deepEqual(withRange({}, 'age', 40, null).filters, [
    { op: 'gte', content: { fieldName: 'age', value: 40 } },
  ]);
  t.deepEqual(withRange({}, 'age', null, 60).filters, [
    { op: 'lte', content: { fieldName: 'age', value: 60 } },
  ]);
  const both = withRange({ filters: [old] }, 'age', 40, 60);
  t.deepEqual(both.filters, [{ op: 'between', content: { fieldName: 'age', value: [40, 60] } }]);
  t.deepEqual(rangeOf(both, 'age'), [40, 60]);
  t.deepEqual(withRange(both, 'age', null, null), {});
  const ends = (op: 'between' | 'gte' | 'lt', value: number | readonly number[]) =>
    rangeOf({ filters: [{ op, content: { fieldName: 'age', value } }] }, 'age');
  t.deepEqual(ends('between', 40), [40, 40]);
  t.deepEqual(ends('between', [50, 40, 60]), [40, 60]);
  t.deepEqual(
    [ends('gte', [40]), ends('lt', [40])],
    [
      [40, null],
      [null, 40],
    ],
  );
  const two: View = { filters: [old, { op: 'lte', content: { fieldName: 'age', value: 70 } }] };
  t.deepEqual(rangeOf(two, 'age'), [60, 70]);
  t.deepEqual(rangeOf({ ...two, join: 'or' }, 'age'), [60, null]);
  const days = [
    ['-0500-01-01', '-0400-12-31'],
    ['2010-01-01', '2015'],
  ];
  for (const [from, to] of [...days, ...days.map((each) => each.toReversed())])
    t.deepEqual(
      rangeOf(withRange({}, 'made', from!, to!), 'made'),
      days.find((each) => each.includes(from!)),
    );
});

test('each condition of a range has its ends', (t) => {
  const condition = (op: 'gt' | 'lte' | 'between', value: number | readonly number[]) =>
    rangeEnds({ op, content: { fieldName: 'age', value } });
  t.deepEqual(condition('gt', 40), [40, null]);
  t.deepEqual(condition('lte', 60), [null, 60]);
  t.deepEqual(condition('between', [40, 60]), [40, 60]);
});

test('a search stands first and there is one', (t) => {
  const view = withSearch(withSearch({ filters: [lung] }, ['a'], 'one'), ['a', 'b'], 'two');
  t.deepEqual(view.filters, [{ op: 'search', content: { fieldNames: ['a', 'b'], value: 'two' } }, lung]);
  t.is(searchOf(view), 'two');
  t.deepEqual(withSearch(view, ['a'], ''), { filters: [lung] });
  const pattern = { op: 'wildcard', content: { fieldNames: ['a'], value: '*one*' } } as const;
  t.is(searchOf({ filters: [pattern] }), '');
  t.deepEqual(withSearch({ filters: [pattern] }, ['a'], ''), { filters: [pattern] });
});

test('"or" is a word between two conditions, so one condition has none', (t) => {
  const either = withFilters({ join: 'or' }, [lung, old]);
  t.deepEqual(filterOf(either), { op: 'or', content: [lung, old] });
  t.deepEqual(withFilters(either, [lung]), { filters: [lung] });
  t.is(filterOf({}), null);
});

test('a range and "no value" take each other\'s place, and the word between conditions stays', (t) => {
  const missing = { op: 'in', content: { fieldName: 'age', value: ['__missing__'] } } as const;
  const range = { op: 'gte', content: { fieldName: 'age', value: 40 } } as const;
  const either = { join: 'or', filters: [missing, lung] } as const;
  t.deepEqual(withRange(either, 'age', 40, null), { join: 'or', filters: [range, lung] });
  t.deepEqual(withMissing(withRange(either, 'age', 40, null), 'age', true), either);
  t.deepEqual(withMissing({ filters: [range, lung, missing] }, 'age', false), { filters: [lung] });
  t.deepEqual(withMissing({}, 'age', true), { filters: [missing] });
});

test('a value is not added to those that a record must all have, nor to those beside which it has others', (t) => {
  const skin = { op: 'in', content: { fieldName: 'site', value: ['Skin'] } } as const;
  for (const op of ['all', 'some-not-in'] as const) {
    const view: View = { filters: [{ ...lung, op }] };
    t.deepEqual(chosenOf(view, 'site').values, []);
    t.deepEqual(withValues(view, 'site', ['Skin']).filters, [{ ...lung, op }, skin]);
  }
});

test('institutions are chosen, and none chosen is all of them', (t) => {
  t.deepEqual(withNodes({ filters: [lung], nodes: ['a'] }, ['a', 'b']), {
    filters: [lung],
    nodes: ['a', 'b'],
  });
  t.deepEqual(withNodes({ filters: [lung], nodes: ['a'] }, []), { filters: [lung] });
});

test('values of which one part is excluded are no choice of values', (t) => {
  const none = { values: [], isExcluded: false };
  const not = { op: 'not-in', content: { fieldName: 'site', value: ['Skin'] } } as const;
  for (const op of ['or', 'not'] as const)
    t.deepEqual(chosenOf({ filters: [{ op, content: [lung, not] }] }, 'site'), none);
  t.deepEqual(chosenOf({ filters: [not] }, 'site'), { values: ['Skin'], isExcluded: true });
});
