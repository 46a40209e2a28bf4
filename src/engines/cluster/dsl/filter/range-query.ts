import { badUserInput } from '../../../../lib/errors/errors.ts';
import { compareTerms } from '../../../../introspection/terms/term-forms.ts';
import { isoMoment, nanosInMs } from '../../../../introspection/dates/dates.ts';
import { kindOf, memberType, type IndexField } from '../../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import { isWithinAll, patternMatcher } from '../../../../sqon/filter.ts';
import type { BoundName, Filter, RangeBound, PatternPart } from '../../../../sqon/filter.ts';
import { numberRounding } from '../../../semantics/stored-numbers.ts';
import { utf8Order, keywordTest } from '../../../../lib/text/text-comparison.ts';

type Range = Extract<Filter, { kind: 'range' }>;

/**
 * A range as a query clause. Of two bounds on the same side the stricter one applies: a server would silently pick one.
 * @throws TributaryError BAD_USER_INPUT for a range of keys
 */
export const rangeQuery = (filter: Range): JsonObject => {
  const { field, gt, gte, lt, lte } = filter;
  if (field.path === '_id') return keyQuery(filter);
  const bounds: readonly Bound[] = [
    ...stricter(field, ['gt', gt], ['gte', gte], 1),
    ...stricter(field, ['lt', lt], ['lte', lte], -1),
  ].map(([name, bound]) => [name, asStored(bound, field)]);
  const isDate = kindOf(memberType(field.type) ?? field.type) === 'date';
  const isNanos = field.type === 'date_nanos';
  const printed = isNanos ? nanoInstants(bounds) : isDate ? instants(bounds) : Object.fromEntries(bounds);
  return { range: { [field.path]: printed } };
};

/** Servers store the half_float nearest to a value but do not round bounds, even if they are the same number. */
const asStored = (bound: RangeBound, { type }: IndexField): RangeBound =>
  type === 'half_float' ? numberRounding(type, {})(Number(bound)) : bound;

/**
 * Bounds in milliseconds, which mean the same whatever the mapping's format. Elasticsearch 7 does not accept negative
 * ones, so dates before 1970 are written out, except in years that no server reads.
 */
const instants = (bounds: readonly Bound[]): JsonObject =>
  bounds.every(([, ms]) => Number(ms) >= 0) || bounds.some(([, ms]) => Number(ms) < firstYearMs)
    ? { ...Object.fromEntries(bounds), format: 'epoch_millis' }
    : {
        ...Object.fromEntries(bounds.map(([name, ms]) => [name, isoMoment(Number(ms))])),
        format: 'strict_date_optional_time',
      };

/** The year -9999: servers read years of four digits. */
const firstYearMs = -377_705_116_800_000;

/** @param nanos since 1970 */
const isoNanos = (nanos: bigint): string => {
  const behindMs = ((nanos % nanosInMs) + nanosInMs) % nanosInMs;
  return isoMoment(Number((nanos - behindMs) / nanosInMs)).replace(
    'Z',
    `${String(behindMs).padStart(6, '0')}Z`,
  );
};

const nanoInstants = (bounds: readonly Bound[]): JsonObject => ({
  ...Object.fromEntries(bounds.map(([name, nanos]) => [name, isoNanos(BigInt(nanos))])),
  format: 'strict_date_optional_time_nanos',
});

type Bound = readonly [BoundName, RangeBound];

/** @param direction 1 for lower bounds, -1 for upper ones */
const stricter = (
  field: IndexField,
  [exclusiveName, exclusive]: readonly [BoundName, RangeBound | undefined],
  [inclusiveName, inclusive]: readonly [BoundName, RangeBound | undefined],
  direction: 1 | -1,
): readonly Bound[] => {
  const without: readonly Bound[] = exclusive === undefined ? [] : [[exclusiveName, exclusive]];
  if (inclusive === undefined) return without;
  const within: readonly Bound[] = [[inclusiveName, inclusive]];
  if (exclusive === undefined) return within;
  const order = compareBounds(field, exclusive, inclusive);
  return direction * order >= 0 ? without : within;
};

const compareBounds = (field: IndexField, left: RangeBound, right: RangeBound): number => {
  const kind = kindOf(field.type);
  if (kind !== 'number' && kind !== 'date') return compareTerms(field.type, String(left), String(right));
  const [a, b] = [exact(left), exact(right)];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Digits may exceed the precision of a double. */
const exact = (bound: RangeBound): number | bigint =>
  typeof bound === 'string' && /^-?\d+$/.test(bound) ? BigInt(bound) : Number(bound);

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
  throw badUserInput(
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
    return patternMatcher(filter.pattern, fold)(key) && filter.except?.includes(key) !== true;
  }
  if (filter.kind === 'word') return keywordTest(filter)(key) && filter.except?.includes(key) !== true;
  return isWithinAll(filter, (bound) => utf8Order(key, String(bound)));
};

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
