import { TributaryError } from '../../../../errors/errors.ts';
import type { JsonObject } from '../../../../json/json.ts';
import type { Filter, PatternPart } from '../../../../sqon/filter.ts';

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
