import { objectIn, type JsonObject } from '../../../lib/json/json.ts';
import { objectFilter, type FacetQuery, type HitsQuery, type SearchQuery } from '../../engine.ts';
import { filterQuery } from './filter/filter-query.ts';
import { hitsBody, type Dialect } from './hits.ts';
import { facetAggregations, searchedSets } from './measures.ts';

/** One search of a multi-search. */
export type MsearchItem = HitsItem | FacetsItem | SetItem;

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

/** A set of values of the facet at `index`, whose documents are the total. */
export interface SetItem {
  readonly kind: 'set';
  readonly index: number;
  readonly set: number;
  readonly body: JsonObject;
}

/** A facet with its position in the query. */
export interface IndexedFacet {
  readonly index: number;
  readonly facet: FacetQuery;
}

/**
 * Splits a query into the searches of one request: one per distinct facet filter, without hits, so that the server can
 * use its request cache, one for the hits, and one for each set of values that is counted. Servers run them in parallel,
 * which is faster than one search with a filter around each group of facets (bench/engines) or set (bench/branches.ts).
 * The same query always gives the same text.
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
    ...[...byFilter.values()].sort((a, b) => b.length - a.length).map((facets) => facetsItem(facets)),
    ...(query.hits === undefined
      ? []
      : [{ kind: 'hits', query: query.hits, body: hitsBody(query.hits, dialect) } as const]),
    ...query.facets.flatMap((facet, index) =>
      searchedSets(facet).map(({ set, filter }): SetItem => {
        const body = { size: 0, track_total_hits: true, query: filterQuery(filter) };
        return { kind: 'set', index, set, body };
      }),
    ),
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
    facets.map((request) => {
      const aggregations = aggregationsOf(request);
      const isEmpty = Object.keys(aggregations).length === 0;
      return { steps: isEmpty ? [] : facetSteps(request.facet), aggregations };
    }),
  );
  const query = filterQuery(facets[0]!.facet.filter);
  return { kind: 'facets', facets, tree, body: { size: 0, track_total_hits: false, query, aggs: tree.aggs } };
};

/** The aggregations of one facet, and the steps that lead to its objects. */
export interface FacetBranch {
  readonly steps: readonly JsonObject[];
  readonly aggregations: JsonObject;
}

export interface FacetTree {
  readonly aggs: JsonObject;
  /** Where the results of each facet are found. */
  readonly paths: readonly FacetPath[];
}

interface FacetPath {
  /** The names of the enclosing aggregations. */
  readonly within: readonly string[];
  /** The names of its own aggregations. */
  readonly names: readonly string[];
}

interface Node {
  readonly own: Record<string, JsonObject>;
  /** By the JSON text of the step, in insertion order. */
  readonly below: Map<string, { readonly name: string; readonly step: JsonObject; readonly node: Node }>;
}

const newNode = (): Node => ({ own: {}, below: new Map() });

/** Facets in one aggregation tree: facets that start with the same steps share them. */
const facetTree = (facets: readonly FacetBranch[]): FacetTree => {
  const root = newNode();
  const paths = facets.map(({ steps, aggregations }, at): FacetPath => {
    const within: string[] = [];
    let node = root;
    for (const step of steps) {
      const taken = stepInto(node, step);
      within.push(taken.name);
      node = taken.node;
    }
    for (const [name, aggregation] of Object.entries(aggregations))
      node.own[nameOf(at, name)] = aggregation as JsonObject;
    return { within, names: Object.keys(aggregations) };
  });
  return { aggs: printed(root), paths };
};

const nameOf = (at: number, name: string): string => `f${at}_${name}`;

const stepInto = ({ below }: Node, step: JsonObject): { readonly name: string; readonly node: Node } => {
  const text = JSON.stringify(step);
  const taken = below.get(text) ?? { name: `in${below.size}`, step, node: newNode() };
  below.set(text, taken);
  return taken;
};

const printed = ({ own, below }: Node): JsonObject => ({
  ...own,
  ...Object.fromEntries(
    [...below.values()].map(({ name, step, node }) => [name, { ...step, aggs: printed(node) }]),
  ),
});

/** The results of a facet's aggregations under their own names; absent ones are omitted. */
export const facetAnswers = ({ paths }: FacetTree, at: number, aggregations: JsonObject): JsonObject => {
  const { within, names } = paths[at]!;
  const answers = within.reduce(objectIn, aggregations);
  return Object.fromEntries(
    names.flatMap((name) => {
      const answer = answers[nameOf(at, name)];
      return answer === undefined ? [] : [[name, answer]];
    }),
  );
};

/**
 * The empty nested and filter aggregations that lead to the objects a facet covers: down to the innermost nested path;
 * outer paths only where their objects are restricted. None for a non-nested field.
 */
const facetSteps = (facet: FacetQuery): readonly JsonObject[] =>
  facet.field.nestedIn.flatMap((path, depth, { length }): readonly JsonObject[] => {
    const condition = objectFilter(facet, path);
    if (condition.kind !== 'all') return [{ nested: { path } }, { filter: filterQuery(condition) }];
    return depth < length - 1 ? [] : [{ nested: { path } }];
  });
