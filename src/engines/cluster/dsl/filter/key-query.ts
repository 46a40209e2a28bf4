import { TributaryError } from '../../../../errors/errors.ts';
import type { JsonObject } from '../../../../json/json.ts';
import type { Filter, PatternPart, RangeBound } from '../../../../sqon/filter.ts';
import { patternMatcher } from '../../../../sqon/filter.ts';
import { keywordTest } from '../../../semantics/search-word.ts';
import { utf8Order } from '../../../semantics/utf8-order.ts';

/** A filter on part of a value or on its order. */
export type PartFilter = Extract<Filter, { kind: 'pattern' | 'range' | 'word' }>;

/**
 * A pattern or range of keys as a query clause: servers only find documents by their whole key, so only a pattern
 * without wildcards can be translated.
 * @throws TributaryError BAD_USER_INPUT for anything else
 */
export const keyQuery = (filter: PartFilter): JsonObject => {
  const query = wholeKeyQuery(filter);
  if (query !== null) return query;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `this search server matches whole _id values only, not ${filter.kind}s; use a field that holds the key`,
  );
};

/** null if it requires scanning every key. */
export const wholeKeyQuery = (filter: PartFilter): JsonObject | null => {
  if (filter.kind !== 'pattern') return null;
  const { pattern, caseInsensitive } = filter;
  const whole = wholeValue(pattern);
  if (whole !== null && !caseInsensitive) return { ids: { values: [whole] } };
  const isAnything =
    pattern.length > 0 && pattern.every((part) => 'wildcard' in part && part.wildcard === 'any');
  return isAnything ? { match_all: {} } : null;
};

/** The literal value of a pattern without wildcards, else null. */
export const wholeValue = (pattern: readonly PatternPart[]): string | null =>
  pattern.every((part) => 'literal' in part) ? pattern.map(({ literal }) => literal).join('') : null;

/** Whether a key satisfies a pattern, word or range as if it were a keyword value. */
export const matchesKey = (filter: PartFilter, key: string): boolean => {
  if (filter.kind === 'pattern') {
    const fold = filter.caseInsensitive ? foldAscii : (text: string): string => text;
    return patternMatcher(filter.pattern, fold)(key);
  }
  if (filter.kind === 'word') return keywordTest(filter)(key) && filter.except?.includes(key) !== true;
  const { gt, gte, lt, lte } = filter;
  return (
    holds(gt, (order) => order > 0, key) &&
    holds(gte, (order) => order >= 0, key) &&
    holds(lt, (order) => order < 0, key) &&
    holds(lte, (order) => order <= 0, key)
  );
};

const holds = (bound: RangeBound | undefined, fits: (order: number) => boolean, key: string): boolean =>
  bound === undefined || fits(utf8Order(key, String(bound)));

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
