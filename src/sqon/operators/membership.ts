import { group, isPrefixPattern, isSpecialValue, leaf as leafOf, MISSING, type SqonScalar } from '../ast.ts';
import { none, not, patternMatcher, valuePattern } from '../filter.ts';
import { anyValueFilter, matchesMissing, existsFilter, valueFilters } from '../leaf-filter.ts';
import type { LeafOperator } from './operator.ts';
import { placed, someObjectAt, allOf, negated, here } from '../scope.ts';

/** Common properties of the operators that compare a field's values with a list. */
export const membership = {
  kind: 'leaf',
  older: null,
  takesSpecialValues: true,
  needsValues: false,
  isSearch: false,
  fits: 'all',
  bounds: null,
  notice: () => null,
  partTest: (value: SqonScalar) =>
    isPrefixPattern(value) ? patternMatcher(valuePattern(value), (text) => text) : null,
} as const satisfies Partial<LeafOperator>;

/** The type of values of these operators, as introspection words it. */
const scalarOrList = 'string | number | boolean | Array<string | number | boolean>';

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
    if (!matchesMissing(leaf)) return without;
    return allOf([without, placed(existsFilter(field, context.fields), field, scope, context)]);
  },
  asSearch: (sqon, anyOf) => {
    const values = sqon.values.filter((value) => value !== MISSING);
    const without = group('not', [anyOf(values)], null, sqon.at);
    if (values.length === sqon.values.length) return without;
    return group('and', [without, leafOf('not-in', sqon.fieldName, [MISSING], null, sqon.at)], null, sqon.at);
  },
};

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

/** Some object has any of the values, each taken literally, even with stars, `__missing__` or `set_id:`. */
export const is: LeafOperator = {
  ...isIn,
  aliases: [],
  introspection: null,
  older: {
    means: (sqon) => ({ ...sqon, op: 'in', values: sqon.values.map(closestPattern) }),
    differs: ({ values }) => values.some(isStarredOrSpecial),
    warning: 'it takes a star in a value for any characters, so it may find other values too',
  },
  takesSpecialValues: false,
  partTest: () => null,
};

/** Whether servers without `is` take a value of `in` for something other than itself. */
const isStarredOrSpecial = (value: SqonScalar): boolean =>
  isSpecialValue(value) || String(value).includes('*');

/** A pattern that matches the value, for servers where it has a special meaning. */
const closestPattern = (value: SqonScalar): SqonScalar =>
  isSpecialValue(value) && !isPrefixPattern(value) ? `*${String(value).slice(1)}` : value;
