import type { SqonScalar } from '../ast.ts';
import { leaf as leafOf } from '../ast.ts';
import { or } from '../filter.ts';
import { patternFilter } from '../leaf-filter.ts';
import { placed } from '../scope.ts';
import type { LeafOperator } from './operator.ts';

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
