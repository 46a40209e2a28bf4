import type { JsonObject } from '../../json.ts';
import type { FacetQuery, HitsQuery, SearchQuery } from '../engine.ts';
import type { Dialect } from './dialect.ts';
import { facetAggregations } from './facet-aggregations.ts';
import { filterQuery } from './filter-query.ts';
import { hitsBody } from './hits-body.ts';

/** One search of a multi-search. */
export type SearchLine =
  | { readonly kind: 'hits'; readonly query: HitsQuery; readonly body: JsonObject }
  | {
      readonly kind: 'facets';
      readonly facets: readonly PlacedFacet[];
      readonly body: JsonObject;
    };

/** A facet with its place in the query. */
export interface PlacedFacet {
  readonly place: number;
  readonly facet: FacetQuery;
}

/**
 * A query as the searches of one request: one for each distinct filter of facets, without hits, so that the server can
 * answer it from its request cache, and one of hits. The same query gives the same text each time.
 * @throws TributaryError BAD_USER_INPUT for what the fields or the server cannot be asked
 */
export const searchLines = (query: SearchQuery, dialect: Dialect): readonly SearchLine[] => {
  const byFilter = new Map<string, PlacedFacet[]>();
  query.facets.forEach((facet, place) => {
    const filter = JSON.stringify(filterQuery(facet.filter));
    const group = byFilter.get(filter);
    if (group === undefined) byFilter.set(filter, [{ place, facet }]);
    else group.push({ place, facet });
  });
  return [
    ...[...byFilter.values()].map(facetsLine),
    ...(query.hits === undefined
      ? []
      : [{ kind: 'hits', query: query.hits, body: hitsBody(query.hits, dialect) } as const]),
  ];
};

/** Facets that share a filter, as one search. */
export const facetsLine = (facets: readonly PlacedFacet[]): SearchLine => ({
  kind: 'facets',
  facets,
  body: facetsBody(
    facets[0]!.facet,
    Object.assign(
      {},
      ...facets.map(({ facet }, at) => facetAggregations(facetName(at), facet)),
    ) as JsonObject,
  ),
});

/** A search for aggregations only, over the documents the facet looks at. */
export const facetsBody = (facet: FacetQuery, aggregations: JsonObject): JsonObject => ({
  size: 0,
  track_total_hits: false,
  query: filterQuery(facet.filter),
  aggs: aggregations,
});

/** What a facet is called within its line. */
export const facetName = (at: number): string => `f${at}`;
