import type { JsonObject } from '../../json.ts';
import type { FacetQuery, HitsQuery, SearchQuery } from '../engine.ts';
import type { Dialect } from './dialect.ts';
import { facetAggregations } from './facet-aggregations.ts';
import { facetSteps } from './facet-steps.ts';
import { facetTree, type FacetTree } from './facet-tree.ts';
import { filterQuery } from './filter-query.ts';
import { hitsBody } from './hits-body.ts';
import { sharedClauses } from './shared-clauses.ts';

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
 * A query as the searches of one request: one of all facets, without hits, so that the server can answer it from its
 * request cache, and one of hits. The same query gives the same text each time.
 * @throws TributaryError BAD_USER_INPUT for what the fields or the server cannot be asked
 */
export const searchLines = (query: SearchQuery, dialect: Dialect): readonly SearchLine[] => [
  ...(query.facets.length === 0 ? [] : [facetsLine(query.facets.map((facet, place) => ({ place, facet })))]),
  ...(query.hits === undefined
    ? []
    : [{ kind: 'hits', query: query.hits, body: hitsBody(query.hits, dialect) } as const]),
];

/**
 * Facets as one search. What all their filters ask is its query; what is left of a filter stands around the facets that
 * have it. Measured by bench/engines against a search for each filter.
 * @param aggregationsOf what is asked of each facet
 */
export const facetsLine = (
  facets: readonly PlacedFacet[],
  aggregationsOf: (facet: FacetQuery) => JsonObject = facetAggregations,
): FacetsLine => {
  const { shared, rest } = sharedClauses(facets.map(({ facet }) => facet.filter));
  const tree = facetTree(
    facets.map(({ facet }, at) => ({
      steps: [
        ...(rest[at]!.kind === 'all' ? [] : [{ filter: filterQuery(rest[at]!) }]),
        ...facetSteps(facet),
      ],
      aggregations: aggregationsOf(facet),
    })),
  );
  return {
    kind: 'facets',
    facets,
    tree,
    body: { size: 0, track_total_hits: false, query: filterQuery(shared), aggs: tree.aggs },
  };
};
