import { group, leaf as leafOf, MISSING } from '../ast.ts';
import { anyValueFilter, asksForMissing, existsFilter } from '../leaf-filter.ts';
import { placed } from '../scope.ts';
import { allOf, negated } from '../scoped.ts';
import { membership, scalarOrList } from './membership.ts';
import type { LeafOperator } from './operator.ts';

/** No object has any of the values; `__missing__` among them requires, as in not-in, some object with a value. */
export const someNotIn: LeafOperator = {
  ...membership,
  aliases: [],
  introspection: { listedFor: ['named'], applicableTo: 'all', valueType: scalarOrList },
  complement: { of: 'in', on: 'record' },
  quantifier: 'some',
  compile: ({ leaf, field, scope, context }) => {
    const others = anyValueFilter(leaf, field, context.fields, { missing: false });
    const without = negated(placed(others, field, scope, context));
    if (!asksForMissing(leaf)) return without;
    return allOf([without, placed(existsFilter(field, context.fields), field, scope, context)]);
  },
  asSearch: (sqon, anyOf) => {
    const values = sqon.values.filter((value) => value !== MISSING);
    const without = group('not', [anyOf(values)], null, sqon.at);
    if (values.length === sqon.values.length) return without;
    return group('and', [without, leafOf('not-in', sqon.fieldName, [MISSING], null, sqon.at)], null, sqon.at);
  },
};
