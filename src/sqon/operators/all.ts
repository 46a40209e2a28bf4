import { leaf as leafOf } from '../ast.ts';
import { none } from '../filter.ts';
import { valueFilters } from '../leaf-filter.ts';
import { placed, someObjectAt } from '../scope.ts';
import { allOf, here } from '../scoped.ts';
import { membership } from './membership.ts';
import type { LeafOperator } from './operator.ts';

/** Each value occurs in some object; with a pivot one object has all of them. An empty list matches nothing. */
export const all: LeafOperator = {
  ...membership,
  aliases: [],
  introspection: {
    listedFor: ['named'],
    applicableTo: 'all',
    valueType: 'Array<string | number | boolean>',
  },
  complement: null,
  quantifier: 'every',
  compile: ({ leaf, field, pivot, scope, context }) => {
    if (leaf.values.length === 0) return here(none);
    const each = valueFilters(leaf, field, context.fields).map((filter) =>
      placed(filter, field, pivot?.path ?? scope, context),
    );
    return pivot === null ? allOf(each) : someObjectAt(pivot, allOf(each), scope, context);
  },
  asSearch: (sqon) => leafOf(sqon.op, sqon.fieldName, sqon.values, sqon.pivot, sqon.at),
};
