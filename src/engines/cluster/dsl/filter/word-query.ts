import { TributaryError } from '../../../../errors/errors.ts';
import { kindOf } from '../../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../../json/json.ts';
import type { Filter } from '../../../../sqon/filter.ts';
import { foldedParts, ideographClass, separatorClass } from '../../../semantics/search-word.ts';
import { otherThanExpression } from './except-pattern.ts';
import { foldedExpression, maxExpressionLength } from './folded-expression.ts';

type WordFilter = Extract<Filter, { kind: 'word' }>;

/**
 * A search word as a query clause. Text is matched according to its analyser: most ignore case, few ignore accents. A
 * keyword is matched by a regular expression of all spellings.
 * @throws TributaryError BAD_USER_INPUT for a word whose expression is longer than servers accept
 */
export const wordQuery = (filter: WordFilter): JsonObject => {
  const { field, word, isPrefix } = filter;
  if (kindOf(field.type) === 'text')
    return { [isPrefix ? 'match_bool_prefix' : 'match']: { [field.path]: { query: word, operator: 'and' } } };
  const expression = wordExpression(filter);
  return expression === null ? { match_none: {} } : keywordQuery(filter, expression);
};

const keywordQuery = ({ field, word, except = [] }: WordFilter, expression: string): JsonObject => {
  if (expression.length > maxExpressionLength) throw tooLong(word, expression.length);
  const regexp = (value: string, flags: string) => ({ regexp: { [field.path]: { value, flags } } });
  if (except.length === 0) return regexp(expression, 'NONE');
  const both = `(${expression})&(${otherThanExpression(except)})`;
  if (both.length <= maxExpressionLength) return regexp(both, 'INTERSECTION');
  return { bool: { filter: [regexp(expression, 'NONE')], must_not: [{ terms: { [field.path]: except } }] } };
};

/** A boundary is an end of the value, a separator, or an ideograph on either side. null for a word without letters. */
const wordExpression = ({ word, isPrefix }: WordFilter): string | null => {
  const parts = foldedParts(word);
  const [first = ''] = parts[0] ?? '';
  const last = Array.from(parts.at(-1) ?? '').at(-1) ?? '';
  if (first === '') return null;
  const border = `[${separatorClass}${ideographClass}]`;
  const before = startsAlone.test(parts[0]!) ? '.*' : `(.*${border})?`;
  const behind = isPrefix || startsAlone.test(last) ? '.*' : `(${border}.*)?`;
  return `${before}${parts.map(foldedExpression).join(`[${separatorClass}]+`)}${behind}`;
};

const startsAlone = new RegExp(`^[${ideographClass}]`, 'u');

const tooLong = (word: string, length: number): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `filter: this search server takes at most ${maxExpressionLength} characters in one expression, and all spellings of "${shortened(word)}" take ${length}; search for a shorter word`,
    { details: { found: length, accepted: maxExpressionLength } },
  );

const shortened = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word);
