import type { JsonObject } from '../../../json/json.ts';
import type { FacetQuery, HitsQuery, SearchQuery } from '../../engine.ts';
import type { Dialect } from './hits.ts';
import { hitsBody } from './hits.ts';
import { facetAggregations } from './measure-dsl.ts';
import type { FacetTree } from './facet-tree.ts';
import { facetSteps, facetTree } from './facet-tree.ts';
import { filterQuery } from './filter/filter-query.ts';

/** One search of a multi-search. */
export type MsearchItem = HitsItem | FacetsItem;

export interface HitsItem {
  readonly kind: 'hits';
  readonly query: HitsQuery;
  readonly body: JsonObject;
}

export interface FacetsItem {
  readonly kind: 'facets';
  readonly facets: readonly IndexedFacet[];
  readonly tree: FacetTree;
  readonly body: JsonObject;
}

/** A facet with its position in the query. */
export interface IndexedFacet {
  readonly index: number;
  readonly facet: FacetQuery;
}

/**
 * Splits a query into the searches of one request: one per distinct facet filter, without hits, so that the server can
 * use its request cache, and one for the hits. Servers run them in parallel, which is faster than one search with a
 * filter around each group of facets (bench/engines). The same query always gives the same text.
 * @throws TributaryError BAD_USER_INPUT for what the fields or the server do not support
 */
export const msearchItems = (query: SearchQuery, dialect: Dialect): readonly MsearchItem[] => {
  const byFilter = new Map<string, IndexedFacet[]>();
  query.facets.forEach((facet, index) => {
    const filter = JSON.stringify(filterQuery(facet.filter));
    const group = byFilter.get(filter);
    if (group === undefined) byFilter.set(filter, [{ index, facet }]);
    else group.push({ index, facet });
  });
  return [
    // servers start searches in this order, and the longest is best started first
    ...[...byFilter.values()]
      .sort((one, other) => other.length - one.length)
      .map((facets) => facetsItem(facets)),
    ...(query.hits === undefined
      ? []
      : [{ kind: 'hits', query: query.hits, body: hitsBody(query.hits, dialect) } as const]),
  ];
};

/**
 * Facets that share a filter, as one search.
 * @param aggregationsOf the aggregations of each facet
 */
export const facetsItem = (
  facets: readonly IndexedFacet[],
  aggregationsOf: (facet: IndexedFacet) => JsonObject = ({ facet }) => facetAggregations(facet),
): FacetsItem => {
  const tree = facetTree(
    facets.map((one) => ({ steps: facetSteps(one.facet), aggregations: aggregationsOf(one) })),
  );
  const query = filterQuery(facets[0]!.facet.filter);
  return { kind: 'facets', facets, tree, body: { size: 0, track_total_hits: false, query, aggs: tree.aggs } };
};
