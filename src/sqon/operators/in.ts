import { anyValueFilter } from '../leaf-filter.ts';
import { placed } from '../scope.ts';
import { membership, scalarOrList } from './membership.ts';
import type { LeafOperator } from './operator.ts';

/** Some object has any of the values. */
export const isIn: LeafOperator = {
  ...membership,
  aliases: ['=', '==', '==='],
  introspection: {
    listedFor: ['ordered', 'measured', 'named', 'other'],
    applicableTo: 'all',
    valueType: scalarOrList,
  },
  complement: null,
  quantifier: 'some',
  compile: ({ leaf, field, scope, context }) =>
    placed(anyValueFilter(leaf, field, context.fields), field, scope, context),
  asSearch: ({ values }, anyOf) => anyOf(values),
};
