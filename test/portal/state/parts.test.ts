import test from 'ava';
import type { Filter } from '../../../portal/src/api/filter.ts';
import { chosenOf } from '../../../portal/src/state/chosen.ts';
import {
  negatedAt,
  rangeOf,
  togetherAt,
  withApart,
  withOtherJoin,
  withPart,
  withRange,
  withValues,
} from '../../../portal/src/state/edit.ts';
import type { View } from '../../../portal/src/state/view.ts';

const lung = { op: 'in', content: { fieldName: 'site', value: ['Lung'] } } as const;
const old = { op: 'gte', content: { fieldName: 'age', value: 60 } } as const;
const female = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;
const three: View = { filters: [lung, old, female] };
const nested: View = { filters: [lung, { op: 'or', content: [old, female] }] };

test('brackets that stay alone become the whole filter, unless they say which list is meant', (t) => {
  t.deepEqual(withPart(nested, 0, null), { filters: [old, female], join: 'or' });
  const files: Filter = { op: 'and', pivot: 'files', content: [old, female] };
  t.deepEqual(withPart({ filters: [lung, files] }, 0, null), { filters: [files] });
});

test('the opposite of a condition, of a range, of brackets, and back', (t) => {
  t.deepEqual(negatedAt(nested, 0).filters?.[0], { ...lung, op: 'not-in' });
  t.deepEqual(negatedAt(three, 1).filters?.[1], { op: 'not', content: [old] });
  const not = negatedAt(nested, 1);
  t.deepEqual(not.filters?.[1], { op: 'not', content: [{ op: 'or', content: [old, female] }] });
  t.deepEqual(negatedAt(not, 1), nested);
});

test('"and" and "or" change places', (t) => {
  t.deepEqual(withOtherJoin(three), { ...three, join: 'or' });
  t.deepEqual(withOtherJoin({ ...three, join: 'or' }), three);
});

test('conditions of one object are let apart, edited as others, and taken together again', (t) => {
  const type = { op: 'in', content: { fieldName: 'files.type', value: ['BAM'] } } as const;
  const size = { op: 'gte', content: { fieldName: 'files.size', value: 5 } } as const;
  const one: View = { filters: [type, lung, size] };
  const apart = withApart(one, { pivot: 'files', parts: [0, 2] });
  const alone = (filter: Filter): Filter => ({ op: 'and', content: [filter], pivot: 'files' });
  t.deepEqual(apart.filters, [alone(type), lung, alone(size)]);
  t.deepEqual(chosenOf(apart, 'files.type').values, ['BAM']);
  t.deepEqual(rangeOf(apart, 'files.size'), [5, null]);
  const changed = withRange(withValues(apart, 'files.type', ['CRAM']), 'files.size', 6, null);
  t.deepEqual(changed.filters, [
    alone({ op: 'in', content: { fieldName: 'files.type', value: ['CRAM'] } }),
    lung,
    alone({ op: 'gte', content: { fieldName: 'files.size', value: 6 } }),
  ]);
  t.deepEqual(withPart(changed, 0, null).filters, changed.filters?.slice(1));
  t.deepEqual(togetherAt(apart, 2), one);
  t.deepEqual(negatedAt(apart, 0).filters?.[0], alone({ ...type, op: 'not-in' }));
});
