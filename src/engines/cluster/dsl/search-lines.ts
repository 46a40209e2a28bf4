import type { JsonObject } from '../../../json.ts';
import type { FacetQuery, HitsQuery, SearchQuery } from '../../engine.ts';
import type { Dialect } from './dialect.ts';
import { facetAggregations } from './facet-aggregations.ts';
import { facetSteps } from './facet-steps.ts';
import { facetTree, type FacetTree } from './facet-tree.ts';
import { filterQuery } from './filter-query.ts';
import { hitsBody } from './hits-body.ts';

/** One search of a multi-search. */
export type SearchLine = HitsLine | FacetsLine;

export interface HitsLine {
  readonly kind: 'hits';
  readonly query: HitsQuery;
  readonly body: JsonObject;
}

export interface FacetsLine {
  readonly kind: 'facets';
  readonly facets: readonly PlacedFacet[];
  readonly tree: FacetTree;
  readonly body: JsonObject;
}

/** A facet with its place in the query. */
export interface PlacedFacet {
  readonly place: number;
  readonly facet: FacetQuery;
}

/**
 * A query as the searches of one request: one for each distinct filter of facets, without hits, so that the server can
 * answer it from its request cache, and one of hits. Servers run them side by side, which is quicker than one search
 * with a filter around each group of facets (bench/engines). The same query gives the same text each time.
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
    // servers begin in this order, and the longest search is best begun first
    ...[...byFilter.values()]
      .sort((one, other) => other.length - one.length)
      .map((facets) => facetsLine(facets)),
    ...(query.hits === undefined
      ? []
      : [{ kind: 'hits', query: query.hits, body: hitsBody(query.hits, dialect) } as const]),
  ];
};

/**
 * Facets that share a filter, as one search.
 * @param aggregationsOf what is asked of each facet
 */
export const facetsLine = (
  facets: readonly PlacedFacet[],
  aggregationsOf: (facet: FacetQuery) => JsonObject = facetAggregations,
): FacetsLine => {
  const tree = facetTree(
    facets.map(({ facet }) => ({ steps: facetSteps(facet), aggregations: aggregationsOf(facet) })),
  );
  const query = filterQuery(facets[0]!.facet.filter);
  return { kind: 'facets', facets, tree, body: { size: 0, track_total_hits: false, query, aggs: tree.aggs } };
};
