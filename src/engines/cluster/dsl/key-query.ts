import { TributaryError } from '../../../errors.ts';
import type { JsonObject } from '../../../json.ts';
import type { Filter, PatternPart } from '../../../sqon/filter.ts';

/** A filter on a part of a value or on its order. */
export type PartFilter = Extract<Filter, { kind: 'pattern' | 'range' | 'word' }>;

/**
 * A pattern or range of keys as a query clause: servers find documents by their whole key only, and a pattern that
 * asks for no more than that is one.
 * @throws TributaryError BAD_USER_INPUT for any other
 */
export const keyQuery = (filter: PartFilter): JsonObject => {
  const query = wholeKeyQuery(filter);
  if (query !== null) return query;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `this search server matches whole _id values only, not ${filter.kind}s; use a field that holds the key`,
  );
};

/** null when it takes looking at every key. */
export const wholeKeyQuery = (filter: PartFilter): JsonObject | null => {
  if (filter.kind !== 'pattern') return null;
  const { pattern, caseInsensitive } = filter;
  const whole = wholeValue(pattern);
  if (whole !== null && !caseInsensitive) return { ids: { values: [whole] } };
  const isAnything =
    pattern.length > 0 && pattern.every((part) => 'wildcard' in part && part.wildcard === 'any');
  return isAnything ? { match_all: {} } : null;
};

/** The one value that a pattern without wildcards is, else null. */
export const wholeValue = (pattern: readonly PatternPart[]): string | null =>
  pattern.every((part) => 'literal' in part) ? pattern.map(({ literal }) => literal).join('') : null;
