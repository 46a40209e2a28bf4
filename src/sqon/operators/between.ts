import { betweenNotice } from '../between-bounds.ts';
import type { LeafOperator } from './operator.ts';
import { range } from './range.ts';

/** Both ends are inclusive; a single value is both. */
export const between: LeafOperator = {
  ...range(
    [
      { name: 'gte', of: 'least' },
      { name: 'lte', of: 'greatest' },
    ],
    [],
    'Array<number | date>',
  ),
  notice: betweenNotice,
};
