import { matchesText, wildcardFilter, patternFilter } from '../leaf-filter.ts';
import { malformed } from '../malformed.ts';
import type { MultiOperator, LeafOperator } from './operator.ts';
import type { SqonScalar } from '../ast.ts';
import { leaf as leafOf } from '../ast.ts';
import { or } from '../filter.ts';
import { placed } from '../scope.ts';

/** A case-insensitive pattern for whole values: `*` is any run of characters, `?` any one. */
export const wildcard: MultiOperator = {
  kind: 'multi',
  aliases: ['filter'],
  introspection: {
    listedFor: ['measured', 'named', 'other'],
    listedAs: 'filter',
    applicableTo: 'all',
    valueType: 'string',
  },
  older: null,
  properties: {
    value: { type: 'string', description: '`*` is any run of characters, `?` any one.' },
  },
  parse: ({ value }, at) => {
    if (typeof value !== 'string') throw malformed(`${at}.value`, value, 'a string with * or ?');
    return { value };
  },
  finds: matchesText,
  notice: () => null,
  parts: (sqon) => [sqon],
  compilePart: wildcardFilter,
};

/** Some value begins with any of these, taken literally; in text, some word does. */
export const startsWith: LeafOperator = {
  kind: 'leaf',
  aliases: [],
  introspection: null,
  older: {
    means: (sqon) => ({
      ...leafOf('in', sqon.fieldName, sqon.values.map(asPattern), sqon.pivot, sqon.at),
      ...(sqon.except !== undefined && { except: sqon.except }),
    }),
    warning: 'it matches values as patterns, in which a star stands for any characters',
  },
  complement: null,
  takesSpecialValues: false,
  needsValues: false,
  quantifier: 'some',
  isSearch: true,
  fits: { kinds: ['keyword', 'text', 'boolean'], others: 'has no text' },
  bounds: null,
  notice: () => null,
  compile: ({ leaf, field, scope, context }) => {
    const each = leaf.values.map((value) =>
      patternFilter(field, [{ literal: String(value) }, { wildcard: 'any' }], false, leaf.except),
    );
    return placed(or(each), field, scope, context);
  },
  partTest: (value) => (shown) => shown.startsWith(String(value)),
  asSearch: (sqon) => leafOf(sqon.op, sqon.fieldName, sqon.values, sqon.pivot, sqon.at),
};

const asPattern = (value: SqonScalar): string => `${String(value)}*`;
