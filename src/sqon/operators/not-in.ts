import { group } from '../ast.ts';
import { not } from '../filter.ts';
import { anyValueFilter } from '../leaf-filter.ts';
import { placed } from '../scope.ts';
import { membership, scalarOrList } from './membership.ts';
import type { LeafOperator } from './operator.ts';

/** Some object, or the record, has none of the values. */
export const notIn: LeafOperator = {
  ...membership,
  aliases: ['!=', '!=='],
  introspection: {
    listedFor: ['ordered', 'measured', 'named', 'other'],
    applicableTo: 'all',
    valueType: scalarOrList,
  },
  complement: { of: 'in', on: 'object' },
  quantifier: 'some',
  compile: ({ leaf, field, scope, context }) =>
    placed(not(anyValueFilter(leaf, field, context.fields)), field, scope, context),
  asSearch: ({ values, at }, anyOf, nestedPath) =>
    group('and', [group('not', [anyOf(values)])], nestedPath, at),
};
