import { termsUnder, unknownTerm } from '../../introspection/hierarchies/terms-under.ts';
import { badUserInput } from '../../lib/errors/errors.ts';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import { isSpecialValue, leaf as leafOf, type SqonLeaf } from '../ast.ts';
import { namedFilter } from '../leaf-filter.ts';
import { placed } from '../scope.ts';
import { membership } from './membership.ts';
import type { LeafOperator } from './operator.ts';

/** Some object has a value that is one of these terms or stands under one, and under none of `except`. */
export const under: LeafOperator = {
  ...membership,
  aliases: [],
  introspection: null,
  older: {
    means: (sqon, field) => {
      if (field?.hierarchy === undefined) return sqon;
      const codes = codesOf(sqon, field.hierarchy);
      const op = codes.some(isSpecialValue) ? 'is' : 'in';
      return leafOf(op, sqon.fieldName, codes, sqon.pivot, sqon.at);
    },
    differs: () => false,
    warning: 'it is sent the codes of the branch',
  },
  complement: null,
  takesSpecialValues: false,
  takesTerms: true,
  quantifier: 'some',
  fits: { accepts: ({ hierarchy }) => hierarchy !== undefined, others: 'has no hierarchy' },
  partTest: () => null,
  compile: ({ leaf, field, scope, context }) => {
    const codes = codesOf(leaf, field.hierarchy!);
    context.work.terms -= codes.length;
    if (context.work.terms < 0) throw badUserInput('the branches of the filter have too many terms together');
    return placed(namedFilter(codes, field), field, scope, context);
  },
  asSearch: (sqon) => sqon,
};

/** @throws TributaryError BAD_USER_INPUT for a term that the hierarchy lacks */
const codesOf = ({ values, exceptTerms = [], at }: SqonLeaf, hierarchy: Hierarchy): readonly string[] => {
  const terms = values.map(String);
  const check = (ids: readonly string[], key: string): void =>
    ids.forEach((id, position) => {
      if (hierarchy.indexOf(id) !== undefined) return;
      const path = `${at}.content.${key}[${position}]`;
      throw unknownTerm(hierarchy, id, `filter at ${path}`, path);
    });
  check(terms, 'value');
  check(exceptTerms, 'except');
  return termsUnder(hierarchy, terms, exceptTerms);
};
