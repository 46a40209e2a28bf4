import { leaf as leafOf } from '../ast.ts';
import type { Bound } from '../range-filter.ts';
import { rangeFilter, betweenNotice } from '../range-filter.ts';
import { placed } from '../scope.ts';
import type { LeafOperator } from './operator.ts';

const orderedTypes = [
  'long', 'integer', 'float', 'double', 'date', 'byte', 'short', 'half_float', 'scaled_float', 'unsigned_long',
]; // prettier-ignore

/** Common properties of the operators that compare by order. */
const range = (
  bounds: readonly Bound[],
  aliases: readonly string[],
  valueType = 'number | date',
): LeafOperator => ({
  kind: 'leaf',
  aliases,
  introspection: { listedFor: ['ordered', 'measured'], applicableTo: orderedTypes, valueType },
  older: null,
  complement: null,
  takesSpecialValues: false,
  needsValues: true,
  quantifier: 'some',
  isSearch: false,
  fits: { kinds: ['number', 'date'], others: 'has no order' },
  bounds,
  notice: () => null,
  compile: ({ leaf, field, scope, context }) =>
    placed(rangeFilter(leaf, bounds, field), field, scope, context),
  partTest: () => null,
  asSearch: (sqon) => leafOf(sqon.op, sqon.fieldName, sqon.values, sqon.pivot, sqon.at),
});

/** Of several bounds the greatest applies. */
export const gt = range([{ name: 'gt', of: 'greatest' }], ['>']);

/** Of several bounds the greatest applies. */
export const gte = range([{ name: 'gte', of: 'greatest' }], ['>=']);

/** Of several bounds the least applies. */
export const lt = range([{ name: 'lt', of: 'least' }], ['<']);

/** Of several bounds the least applies. */
export const lte = range([{ name: 'lte', of: 'least' }], ['<=']);

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
