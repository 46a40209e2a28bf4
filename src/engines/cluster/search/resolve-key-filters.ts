import { TributaryError } from '../../../errors/errors.ts';
import { matchesKey, wholeKeyQuery } from '../dsl/filter/key-query.ts';
import type { FacetQuery, SearchQuery } from '../../engine.ts';
import type { Filter } from '../../../sqon/filter.ts';
import { all } from '../../../sqon/filter.ts';
import { deepHits } from './deep-hits.ts';
import type { SearchContext } from './search-context.ts';

/** The maximum number of keys scanned here, since servers only find documents by their whole key. */
const maxScannedKeys = 100_000;

/**
 * Replaces patterns and ranges of keys in a query with the keys that satisfy them: keys are scanned here because
 * servers do not do it. Other queries are returned unchanged.
 * @throws TributaryError BAD_USER_INPUT when the index has more than 100 000 documents
 */
export const resolveKeyFilters = async (
  searching: SearchContext,
  query: SearchQuery,
): Promise<SearchQuery> => {
  if (!filtersOf(query).some(needsKeys)) return query;
  const page = { filter: all, size: maxScannedKeys + 1, offset: 0, sort: [], searchAfter: null, source: [] };
  const { hits } = await deepHits(searching, { ...page, trackTotal: false });
  if (hits.length > maxScannedKeys)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `this search server matches whole _id values only, and ${searching.index} has more than ${maxScannedKeys} to scan; use a field that holds the key`,
    );
  const keys = hits.map(({ id }) => id);
  // facets of one query share their filters, and each would match every key again
  const known = new Map<Filter, Filter>();
  const replace = (filter: Filter): Filter => {
    const replaced = known.get(filter) ?? withKeys(filter, keys, replace);
    known.set(filter, replaced);
    return replaced;
  };
  return {
    ...(query.hits && { hits: { ...query.hits, filter: replace(query.hits.filter) } }),
    facets: query.facets.map((facet) => facetWith(facet, replace)),
  };
};

const filtersOf = ({ hits, facets }: SearchQuery): readonly Filter[] => [
  ...(hits === undefined ? [] : [hits.filter]),
  ...facets.flatMap(({ filter, measure }) => [
    filter,
    ...(measure.kind === 'terms' ? (measure.filters ?? []) : []),
  ]),
];

const needsKeys = (filter: Filter): boolean => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(needsKeys);
    case 'not':
      return needsKeys(filter.of);
    case 'pattern':
    case 'range':
    case 'word':
      return filter.field.path === '_id' && wholeKeyQuery(filter) === null;
    case 'nested':
      // nested objects have no keys
      return false;
    case 'all':
    case 'none':
    case 'terms':
    case 'exists':
      return false;
  }
};

const withKeys = (filter: Filter, keys: readonly string[], replace: (filter: Filter) => Filter): Filter => {
  if (!needsKeys(filter)) return filter;
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, of: filter.of.map(replace) };
    case 'not':
      return { ...filter, of: replace(filter.of) };
    case 'pattern':
    case 'range':
    case 'word': {
      const values = keys.filter((key) => matchesKey(filter, key));
      return { kind: 'terms', field: filter.field, values };
    }
    case 'all':
    case 'none':
    case 'terms':
    case 'exists':
    case 'nested':
      return filter;
  }
};

const facetWith = (facet: FacetQuery, replace: (filter: Filter) => Filter): FacetQuery => {
  const { measure } = facet;
  const filters = measure.kind === 'terms' && measure.filters !== undefined && measure.filters.map(replace);
  return {
    ...facet,
    filter: replace(facet.filter),
    ...(measure.kind === 'terms' && filters && { measure: { ...measure, filters } }),
  };
};
