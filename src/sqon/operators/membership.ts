import type { SqonScalar } from '../ast.ts';
import { starPattern } from '../pattern.ts';
import { isSetReference } from '../leaf-filter.ts';
import { patternMatcher } from '../pattern-matcher.ts';
import type { LeafOperator } from './operator.ts';

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
    typeof value === 'string' && value.includes('*') && !isSetReference(value)
      ? patternMatcher(starPattern(value), (text) => text)
      : null,
} as const satisfies Partial<LeafOperator>;

/** The type of values of these operators, as introspection words it. */
export const scalarOrList = 'string | number | boolean | Array<string | number | boolean>';
