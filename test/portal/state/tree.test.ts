import test from 'ava';
import type { Filter } from '../../../portal/src/api/filter.ts';
import { chosenOf } from '../../../portal/src/state/chosen.ts';
import { rangeOf, withRange, withValues } from '../../../portal/src/state/edit.ts';
import {
  apartAt,
  isOfAnyAt,
  negatedAt,
  togetherAt,
  withOtherJoinAt,
  withPart,
} from '../../../portal/src/state/tree.ts';
import type { View } from '../../../portal/src/state/view.ts';

const lung = { op: 'in', content: { fieldName: 'site', value: ['Lung'] } } as const;
const old = { op: 'gte', content: { fieldName: 'age', value: 60 } } as const;
const female = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;
const three: View = { filters: [lung, old, female] };
const nested: View = { filters: [lung, { op: 'or', content: [old, female] }] };

test('of two parts in brackets, one that stays alone needs none', (t) => {
  t.deepEqual(withPart(nested, [1, 0], null), { filters: [lung, female] });
  t.deepEqual(withPart(nested, [0], null), { filters: [old, female], join: 'or' });
});

test('brackets that say which list is meant stay', (t) => {
  const pivoted: View = { filters: [lung, { op: 'and', pivot: 'files', content: [old, female] }] };
  t.deepEqual(withPart(pivoted, [1, 0], null).filters, [
    lung,
    { op: 'and', pivot: 'files', content: [female] },
  ]);
});

test('a part changes in its place, however deep', (t) => {
  const skin = { op: 'in', content: { fieldName: 'site', value: ['Skin'] } } as const;
  t.deepEqual(withPart(nested, [1, 1], skin), { filters: [lung, { op: 'or', content: [old, skin] }] });
});

test('the opposite of a condition, of a range, of brackets, and back', (t) => {
  t.deepEqual(negatedAt(nested, [0]).filters?.[0], { ...lung, op: 'not-in' });
  const not = negatedAt(nested, [1]);
  t.deepEqual(not.filters?.[1], { op: 'not', content: [{ op: 'or', content: [old, female] }] });
  t.deepEqual(negatedAt(not, [1]), nested);
  t.deepEqual(negatedAt(nested, [1, 0]).filters?.[1], {
    op: 'or',
    content: [{ op: 'not', content: [old] }, female],
  });
});

test('"and" and "or" change places, outside and in brackets', (t) => {
  t.deepEqual(withOtherJoinAt(three, []), { ...three, join: 'or' });
  t.deepEqual(withOtherJoinAt({ ...three, join: 'or' }, []), three);
  t.deepEqual(withOtherJoinAt(nested, [1]).filters?.[1], { op: 'and', content: [old, female] });
});

test('conditions of one object are let apart, edited as others, and taken together again', (t) => {
  const type = { op: 'in', content: { fieldName: 'files.type', value: ['BAM'] } } as const;
  const size = { op: 'gte', content: { fieldName: 'files.size', value: 5 } } as const;
  const one: View = { filters: [type, lung, size] };
  const apart = apartAt(one, [], { pivot: 'files', parts: [0, 2] });
  const alone = (filter: Filter): Filter => ({ op: 'and', content: [filter], pivot: 'files' });
  t.deepEqual(apart.filters, [alone(type), lung, alone(size)]);
  t.true(isOfAnyAt(apart, [2, 0]));
  t.false(isOfAnyAt(apart, [1]));
  t.deepEqual(chosenOf(apart, 'files.type').values, ['BAM']);
  t.deepEqual(rangeOf(apart, 'files.size'), [5, null]);
  const changed = withRange(withValues(apart, 'files.type', ['CRAM']), 'files.size', 6, null);
  t.deepEqual(changed.filters, [
    alone({ op: 'in', content: { fieldName: 'files.type', value: ['CRAM'] } }),
    lung,
    alone({ op: 'gte', content: { fieldName: 'files.size', value: 6 } }),
  ]);
  t.deepEqual(withPart(changed, [0, 0], null).filters, changed.filters?.slice(1));
  t.deepEqual(togetherAt(apart, [2, 0]), one);
});

test('inside brackets they are let apart there', (t) => {
  const view: View = { filters: [lung, { op: 'not', content: [old, female] }] };
  const alone = (filter: Filter): Filter => ({ op: 'and', content: [filter], pivot: 'files' });
  const apart = apartAt(view, [1], { pivot: 'files', parts: [0, 1] });
  t.deepEqual(apart.filters, [lung, { op: 'not', content: [alone(old), alone(female)] }]);
  t.deepEqual(togetherAt(apart, [1, 0, 0]), view);
});
