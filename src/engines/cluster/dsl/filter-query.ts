import { kindOf, type IndexField } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json.ts';
import type { Filter, FilterValue, PatternPart } from '../../../sqon/filter.ts';
import { exceptPattern } from './except-pattern.ts';
import { keyQuery, wholeValue } from './key-query.ts';
import { rangeQuery } from './range-query.ts';
import { wordQuery } from './word-query.ts';

/** What a server takes in one terms clause by default (index.max_terms_count). */
const maxTermsInClause = 65_536;

const matchAll: JsonObject = { match_all: {} };
const matchNone: JsonObject = { match_none: {} };

/** A filter is compiled once, however many facets hold it. */
const compiled = new WeakMap<Filter, JsonObject>();

/**
 * A filter as a query clause for filter context.
 * @throws TributaryError BAD_USER_INPUT for what these servers cannot be asked: patterns and ranges on the key
 */
export const filterQuery = (filter: Filter): JsonObject => {
  const known = compiled.get(filter);
  if (known !== undefined) return known;
  const query = compile(filter);
  compiled.set(filter, query);
  return query;
};

const compile = (filter: Filter): JsonObject => {
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
      return filter.field.path === '_id' ? keyQuery(filter) : wordQuery(filter);
    case 'exists':
      return filter.field.path === '_id' ? matchAll : { exists: { field: filter.field.path } };
  }
};

/** Servers bound the depth of clauses, so groups within groups of their own kind are dissolved. */
const flattened = (kind: 'and' | 'or', filters: readonly Filter[]): readonly Filter[] =>
  filters.flatMap((filter) => (filter.kind === kind ? flattened(kind, filter.of) : [filter]));

const conjunction = (filters: readonly Filter[]): JsonObject => {
  if (filters.length === 0) return matchAll;
  const clause = filters.length === 1 ? filterQuery : clauseBesideOthers;
  const held = filters.flatMap((filter) => (filter.kind === 'not' ? [] : [clause(filter)]));
  const excluded = filters.flatMap((filter) => (filter.kind === 'not' ? [filterQuery(filter.of)] : []));
  return {
    bool: {
      ...(held.length > 0 && { filter: held }),
      ...(excluded.length > 0 && { must_not: excluded }),
    },
  };
};

/**
 * One value as a list of one: servers keep what such a clause finds for later searches, but never what a term clause
 * does, which is quicker only alone, where the server already knows how many documents it finds.
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
  const fitting = values.filter((value) => canBe(value, field));
  if (alone && fitting.length === 1) return { term: { [field.path]: { value: fitting[0] } } };
  return disjunction(chunks(fitting).map((chunk) => ({ terms: { [field.path]: chunk } })));
};

/** Servers refuse what no boolean can be; nothing equals it. */
const canBe = (value: FilterValue, { type }: IndexField): boolean =>
  kindOf(type) !== 'boolean' || ['true', 'false'].includes(String(value));

const chunks = (values: readonly FilterValue[]): readonly (readonly FilterValue[])[] =>
  Array.from({ length: Math.ceil(values.length / maxTermsInClause) }, (_, position) =>
    values.slice(position * maxTermsInClause, (position + 1) * maxTermsInClause),
  );

const patternQuery = (filter: Leaf<'pattern'>): JsonObject => {
  const { field, pattern, caseInsensitive, except = [] } = filter;
  if (field.path === '_id') return keyQuery(filter);
  if (except.length > 0) return patternExceptQuery(filter, except);
  const whole = wholeValue(pattern);
  // servers find no empty string by an empty wildcard
  if (whole !== null && (whole === '' || !caseInsensitive))
    return { term: { [field.path]: { value: whole } } };
  const value = pattern.map(wildcardText).join('');
  return { wildcard: { [field.path]: { value, ...(caseInsensitive && { case_insensitive: true }) } } };
};

/**
 * One value must match and be none of the others. Where that is more than a server takes in one expression, a document
 * with one of the others is left out whatever its other values are.
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
  return part.literal.replace(/[\\*?]/g, '\\$&');
};
