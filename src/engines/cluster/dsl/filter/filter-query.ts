import { badUserInput, type TributaryError } from '../../../../lib/errors/errors.ts';
import { kindOf, type IndexField } from '../../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import { escapedWildcard, type Filter, type FilterValue, type PatternPart } from '../../../../sqon/filter.ts';
import { exceptPattern, wordQuery } from './word-query.ts';
import { keyQuery, matchesKey, wholeValue, rangeQuery } from './range-query.ts';

/** The default limit of a terms clause (index.max_terms_count). */
const maxTermsInClause = 65_536;

const matchAll: JsonObject = { match_all: {} };
const matchNone: JsonObject = { match_none: {} };

/**
 * A filter as a query clause for filter context.
 * @throws TributaryError BAD_USER_INPUT for filters these servers do not support: patterns and ranges on the key
 */
export const filterQuery = (filter: Filter): JsonObject => {
  if ('field' in filter && filter.field.constant !== undefined)
    return holdsFor(filter, filter.field.constant) ? matchAll : matchNone;
  switch (filter.kind) {
    case 'all':
      return matchAll;
    case 'none':
      return matchNone;
    case 'and':
      return conjunction(flattened('and', filter.of));
    case 'or':
      return disjunction(flattened('or', filter.of).map(filterQuery));
    case 'not':
      return { bool: { must_not: [filterQuery(filter.of)] } };
    case 'nested':
      return { nested: { path: filter.path, query: filterQuery(filter.of), ignore_unmapped: true } };
    case 'terms':
      return termsQuery(filter);
    case 'range':
      return rangeQuery(filter);
    case 'pattern':
      return patternQuery(filter);
    case 'word':
      if (filter.field.keyOf !== undefined) throw noPartsOfKeys(filter.field);
      return filter.field.path === '_id' ? keyQuery(filter) : wordQuery(filter);
    case 'exists':
      return existsQuery(filter.field);
  }
};

const existsQuery = ({ path, keyOf }: IndexField): JsonObject => {
  if (path === '_id') return matchAll;
  // OpenSearch finds some keys only by exists
  return keyOf === undefined ? { exists: { field: path } } : { prefix: { [path]: '' } };
};

/** Whether a constant satisfies a condition: OpenSearch takes stars in the wrong one of constant and pattern. */
const holdsFor = (filter: Extract<Filter, { field: unknown }>, constant: string): boolean => {
  if (filter.kind === 'exists') return true;
  return filter.kind === 'terms'
    ? filter.values.some((value) => String(value) === constant)
    : matchesKey(filter, constant);
};

/** Servers limit the nesting depth of clauses, so groups inside groups of the same kind are flattened. */
const flattened = (kind: 'and' | 'or', filters: readonly Filter[]): readonly Filter[] =>
  filters.flatMap((filter) => (filter.kind === kind ? flattened(kind, filter.of) : [filter]));

const conjunction = (filters: readonly Filter[]): JsonObject => {
  if (filters.length === 0) return matchAll;
  const clause = filters.length === 1 ? filterQuery : clauseBesideOthers;
  const required = filters.flatMap((filter) => (filter.kind === 'not' ? [] : [clause(filter)]));
  const excluded = filters.flatMap((filter) => (filter.kind === 'not' ? [filterQuery(filter.of)] : []));
  return {
    bool: {
      ...(required.length > 0 && { filter: required }),
      ...(excluded.length > 0 && { must_not: excluded }),
    },
  };
};

/**
 * Writes a single value as a one-element list: servers cache the result of such a clause, but never of a term
 * clause. A term clause is only faster on its own, where the server already knows its document count.
 */
const clauseBesideOthers = (filter: Filter): JsonObject =>
  filter.kind === 'terms' && filter.values.length === 1
    ? termsQuery(filter, { alone: false })
    : filterQuery(filter);

const disjunction = (queries: readonly JsonObject[]): JsonObject => {
  if (queries.length === 0) return matchNone;
  return queries.length === 1 ? queries[0]! : { bool: { should: queries, minimum_should_match: 1 } };
};

type Leaf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

const termsQuery = ({ field, values }: Leaf<'terms'>, { alone } = { alone: true }): JsonObject => {
  if (field.path === '_id') return { ids: { values: values.map(String) } };
  // values of a term clause are read in the mapping's format, which ranges need not be
  if (kindOf(field.type) === 'date')
    return disjunction(
      values.flatMap((value) =>
        typeof value === 'boolean' ? [] : [rangeQuery({ kind: 'range', field, gte: value, lte: value })],
      ),
    );
  const fitting = kindOf(field.type) === 'boolean' ? values.filter(isBoolean) : values;
  if (alone && fitting.length === 1) return { term: { [field.path]: { value: fitting[0] } } };
  return disjunction(chunks(fitting).map((chunk) => ({ terms: { [field.path]: chunk } })));
};

/** Servers reject values that are not booleans; nothing equals those. */
const isBoolean = (value: FilterValue): boolean => ['true', 'false'].includes(String(value));

const chunks = (values: readonly FilterValue[]): readonly (readonly FilterValue[])[] =>
  Array.from({ length: Math.ceil(values.length / maxTermsInClause) }, (_, position) =>
    values.slice(position * maxTermsInClause, (position + 1) * maxTermsInClause),
  );

const patternQuery = (filter: Leaf<'pattern'>): JsonObject => {
  const { field, pattern, caseInsensitive, except = [] } = filter;
  if (field.path === '_id') return keyQuery(filter);
  if (field.keyOf !== undefined) return flattenedKeyQuery(filter);
  if (except.length > 0) return patternExceptQuery(filter, except);
  const whole = wholeValue(pattern);
  // an empty wildcard does not match an empty string on servers
  if (whole !== null && (whole === '' || !caseInsensitive))
    return { term: { [field.path]: { value: whole } } };
  const value = pattern.map(wildcardText).join('');
  return { wildcard: { [field.path]: { value, ...(caseInsensitive && { case_insensitive: true }) } } };
};

/** At the keys of flattened fields servers find whole values, and those that start with a text. */
const flattenedKeyQuery = ({ field, pattern, caseInsensitive, except = [] }: Leaf<'pattern'>): JsonObject => {
  const [last] = pattern.slice(-1);
  const isPrefix = last !== undefined && 'wildcard' in last && last.wildcard === 'any';
  const text = wholeValue(isPrefix ? pattern.slice(0, -1) : pattern);
  if (text === null || (caseInsensitive && /[a-z]/i.test(text))) throw noPartsOfKeys(field);
  const query: JsonObject = { [isPrefix ? 'prefix' : 'term']: { [field.path]: { value: text } } };
  if (except.length === 0) return query;
  return { bool: { filter: [query], must_not: [{ terms: { [field.path]: except } }] } };
};

const noPartsOfKeys = ({ path, keyOf }: IndexField): TributaryError =>
  badUserInput(
    `filter: this search server finds values of ${path}, a key of the flattened field ${keyOf}, as a whole or by a prefix with "*"; search for parts of them in ${keyOf}`,
    { details: { fieldName: path } },
  );

/**
 * One value must match and not be excluded. Where that exceeds what a server accepts in one expression, a document with
 * an excluded value is left out whatever its other values are.
 */
const patternExceptQuery = (filter: Leaf<'pattern'>, except: readonly string[]): JsonObject => {
  const { field, pattern, caseInsensitive } = filter;
  const value = exceptPattern(pattern, caseInsensitive, except);
  if (value !== null) return { regexp: { [field.path]: { value, flags: 'INTERSECTION' } } };
  const matching = patternQuery({ kind: 'pattern', field, pattern, caseInsensitive });
  return { bool: { filter: [matching], must_not: [{ terms: { [field.path]: except } }] } };
};

const wildcardText = (part: PatternPart): string => {
  if ('wildcard' in part) return part.wildcard === 'any' ? '*' : '?';
  return escapedWildcard(part.literal);
};
