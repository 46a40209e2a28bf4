import { leaf as leafOf } from '../ast.ts';
import type { Bound } from '../range-filter.ts';
import { rangeFilter } from '../range-filter.ts';
import { placed } from '../scope.ts';
import type { LeafOperator } from './operator.ts';

const orderedTypes = [
  'long', 'integer', 'float', 'double', 'date', 'byte', 'short', 'half_float', 'scaled_float', 'unsigned_long',
]; // prettier-ignore

/** Common properties of the operators that compare by order. */
export const range = (
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
