import type { CountedBucket, MeasureKind } from '../../engines/measure.ts';
import type { ValueMap } from '../../facets/row/measure-row.ts';
import { unlistedOfCells } from '../../facets/terms.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { BucketAnswer, FacetAnswer, FailedFacet, TermsAnswer } from '../../search/nodes-answer.ts';
import { areOfSameNodes, upperOf } from '../../search/nodes-answer.ts';
import type { CatalogueQuery, CatalogueResult, FacetRequest, SearchFn } from '../../search/query.ts';
import { countOnly } from '../../search/query.ts';
import type { Sqon } from '../../sqon/ast.ts';
import type { NodeUp, NodeView } from '../nodes/node-view.ts';
import type { NetworkQuery } from './network-query.ts';
import { nodeFilter, withoutTrue, type FilterNode } from './plan-filter.ts';
import { planFacets, type PlannedFacets } from './plan-requests.ts';

/** A node's additional query for upper bounds, if some of its codes are wider than the network's. */
export interface UpperQuery {
  /** Matched by records that surely or possibly match. */
  readonly filters: Sqon | null;
  /** Whether it finds more than the query's filter. */
  readonly isWider: boolean;
  /** For each facet, the facet with its upper bounds; null: there is none. */
  readonly facets: ReadonlyMap<FacetRequest, FacetRequest | null>;
  /** The value map and field of a node's path. */
  readonly valuesOf: (path: string) => { readonly map: ValueMap | null; readonly field: Pick<Field, 'type'> };
}

/**
 * A node's additional query; null for a node without wider codes.
 * @param filter the filter of the node's query
 * @param planned the facets of the node's query
 */
export const upperQuery = (
  { filters, facets: all }: NetworkQuery,
  filter: Sqon | null,
  planned: PlannedFacets,
  node: NodeView,
  status: NodeUp,
  sure: FilterNode,
): UpperQuery | null => {
  if (node.config.wider === undefined) return null;
  const possible: FilterNode = { ...sure, isPossible: true, uncovered: () => {} };
  const most = filters && withoutTrue(nodeFilter(filters, possible));
  const { requests, indexes } = planFacets(all, node, status, possible);
  const facets = planned.indexes.flatMap((index, at) =>
    index == null ? [] : [[planned.requests[index]!, requests[indexes[at] ?? -1] ?? null] as const],
  );
  return {
    filters: most,
    isWider: JSON.stringify(most) !== JSON.stringify(filter),
    facets: new Map(facets),
    valuesOf: (own) => {
      const path = node.fieldMapping.toNetwork(own) ?? own;
      return { map: node.fieldMapping.valuesOf(path), field: sure.networkField(path) ?? { type: 'keyword' } };
    },
  };
};

type Facet = FacetAnswer | FailedFacet;

const countedKinds: ReadonlySet<MeasureKind> = new Set([
  'terms',
  'groups',
  'histogram',
  'date_histogram',
  'range',
]);

/**
 * A search that counts sure matches, bounded by possible ones: these are counted whatever the query shows, since `exact`
 * and the bounds of other selections are read from the same answer.
 * @param count searches the node without its translated sort
 */
export const boundedSearch =
  (search: SearchFn, count: SearchFn, upper: UpperQuery): SearchFn =>
  async (query, context) => {
    const counted = query.facets.filter((facet) => isCountedAgain(facet, upper));
    const isTotal = upper.isWider && query.hits?.trackTotal === true;
    const further: CatalogueQuery = {
      ...query,
      filters: upper.filters,
      facets: counted.flatMap((facet) => upper.facets.get(facet) ?? []),
      hits: isTotal ? { ...countOnly, bounded: true } : null,
    };
    const [sure, counts] = await Promise.all([
      search(query, context),
      isTotal || further.facets.length > 0 ? count(further, context) : null,
    ]);
    // in a network, other nodes may have answered
    const most = areOfSameNodes(sure.nodes, counts?.nodes) ? counts : null;
    const others = most?.facets[Symbol.iterator]();
    const facets = sure.facets.map((facet, at) => {
      const request = query.facets[at]!;
      const isSent = counted.includes(request) && upper.facets.get(request) !== null;
      const found = isSent ? others?.next().value : undefined;
      return boundedFacet(
        facet,
        found ?? (counted.includes(request) ? 'unknown' : null),
        request,
        { ...sure, isMissingShown: query.includeMissing && !('matching' in request.measure) },
        upper,
      );
    });
    return { ...sure, ...(isTotal && totalWithin(sure, most)), facets };
  };

const isCountedAgain = (facet: FacetRequest, { isWider, facets }: UpperQuery): boolean => {
  const { kind } = facet.measure;
  if (!facets.has(facet) || !countedKinds.has(kind)) return false;
  return isWider || (kind === 'groups' && JSON.stringify(facets.get(facet)) !== JSON.stringify(facet));
};

const totalWithin = (
  { total }: CatalogueResult,
  most: CatalogueResult | null,
): Partial<Pick<CatalogueResult, 'totalBounds'>> => {
  if (total === null) return {};
  const upperBound = most?.totalBounds ? most.totalBounds.upperBound : (most?.total ?? null);
  return { totalBounds: { upperBound, exact: upperBound === total, estimate: null } };
};

/** @param most null: it was not counted again */
const boundedFacet = (
  facet: Facet,
  most: Facet | 'unknown' | null,
  request: FacetRequest,
  { withheld, isMissingShown }: Pick<CatalogueResult, 'withheld'> & { readonly isMissingShown: boolean },
  upper: UpperQuery,
): Facet => {
  const again = most === 'unknown' || most?.kind === 'failed' ? null : most;
  switch (facet.kind) {
    case 'terms': {
      const { map, field } = upper.valuesOf(request.field);
      const unlisted = (one: TermsAnswer) => unlistedIn(one, request, withheld !== undefined, field);
      const list = again?.kind === 'terms' ? again : unknownList(facet, isMissingShown);
      const both = most === null ? facet : boundedTerms(facet, list, unlisted(list));
      return map?.wider === undefined ? both : withWider(both, map, map.wider, unlisted(both));
    }
    case 'groups':
    case 'range':
    case 'histogram':
    case 'date_histogram':
      return most === null ? facet : ({ ...facet, buckets: bucketsWithin(facet.buckets, again) } as Facet);
    case 'cardinality':
      return upper.isWider ? { ...facet, exact: false, open: true } : facet;
    case 'distinct_sample':
      return upper.isWider ? { ...facet, sample: null } : facet;
    case 'percentiles':
    case 'stats':
    case 'survival':
    case 'failed':
      return facet;
  }
};

const unknownList = (sure: TermsAnswer, isMissingShown: boolean): TermsAnswer => ({
  ...{ ...sure, buckets: [], unlistedUpperBound: null },
  ...(isMissingShown && { missingBounds: { upperBound: null, exact: false, estimate: null } }),
});

/** Pairs buckets by position, those of histograms by key. @param most null: not known */
const bucketsWithin = (sure: readonly BucketAnswer[], most: Facet | null): readonly BucketAnswer[] => {
  if (most === null || !('buckets' in most)) return sure.map((bucket) => atMost(bucket, null));
  if (most.kind === 'groups' || most.kind === 'range')
    return sure.map((bucket, at) =>
      atMost(bucket, upperOf(most.buckets[at] ?? { count: 0, upperBound: null })),
    );
  const counts = new Map(sure.map((bucket) => [bucket.key, bucket]));
  return most.buckets.map((bucket) =>
    atMost(counts.get(bucket.key) ?? { ...bucket, count: 0 }, upperOf(bucket)),
  );
};

const atMost = <Bucket extends CountedBucket>(bucket: Bucket, most: number | null): Bucket => {
  const upperBound = most === null ? null : Math.max(bucket.count, most);
  return { ...bucket, upperBound, exact: upperBound === bucket.count, estimate: null };
};

/** The maximum number of documents of a value that is not in a list. */
const unlistedIn = (
  answer: TermsAnswer,
  { measure }: FacetRequest,
  isWithheld: boolean,
  field: Pick<Field, 'type'>,
): number | null => {
  if (answer.unlistedUpperBound !== undefined) return answer.unlistedUpperBound;
  const terms = measure.kind === 'terms' ? measure : null;
  if (isWithheld) return unlistedOfCells(answer, terms, field);
  const isCut = terms !== null && terms.max !== null && answer.buckets.length >= terms.max;
  return isCut ? answer.buckets.reduce((least, { count }) => Math.min(least, count), Infinity) : 0;
};

/** Values with the sure matches, and the possible ones as upper bounds. @param unlisted the bound for values missing in `most` */
const boundedTerms = (sure: TermsAnswer, most: TermsAnswer, unlisted: number | null): TermsAnswer => {
  const known = new Map(most.buckets.map((bucket) => [bucket.key, bucket]));
  const keys = new Set(sure.buckets.map(({ key }) => key));
  const others = most.buckets.filter(({ key }) => !keys.has(key));
  const mostMissing = most.missingBounds ? most.missingBounds.upperBound : most.missing;
  const buckets = [
    ...sure.buckets.map((bucket) => {
      const other = known.get(bucket.key);
      return atMost(bucket, other ? upperOf(other) : unlisted);
    }),
    ...others.map((bucket) => unsure(bucket, sure, upperOf(bucket))),
  ];
  return {
    ...sure,
    ...{
      buckets,
      complete: buckets.every(({ count }) => count > 0) && unlisted === 0,
      unlistedUpperBound: unlisted,
    },
    ...(mostMissing !== sure.missing && {
      missingBounds: { upperBound: mostMissing, exact: false, estimate: null },
    }),
  };
};

/** A bucket that may hold documents, but none for sure. */
const unsure = (
  { key, keyAsString }: Pick<CountedBucket, 'key' | 'keyAsString'>,
  { buckets }: TermsAnswer,
  most: number | null,
): BucketAnswer => ({
  ...atMost({ key, count: 0, ...(keyAsString !== undefined && { keyAsString }) }, most),
  ...(buckets[0]?.nodes !== undefined && { nodes: [] }),
});

/** Adds to values of the network the documents of wider values that may have them. */
const withWider = (
  answer: TermsAnswer,
  map: ValueMap,
  wider: ReadonlyMap<string, readonly string[]>,
  unlisted: number | null,
): TermsAnswer => {
  const upperAt = new Map(answer.buckets.map((bucket) => [bucket.key, upperOf(bucket)]));
  const more = new Map<string, number | null>();
  for (const [own, narrower] of wider) {
    const most = upperAt.has(own) ? upperAt.get(own)! : unlisted;
    if (most !== 0) for (const value of narrower) more.set(value, added(more.get(value) ?? 0, most));
  }
  if (more.size === 0) return answer;
  const raised = answer.buckets.map((bucket): BucketAnswer => {
    const shown = map.toNetwork(bucket.key);
    const plus = more.get(shown);
    if (plus === undefined) return bucket;
    more.delete(shown);
    return atMost(bucket, added(upperOf(bucket), plus));
  });
  // a value that no other value of the node is shown as keeps its name, unless that means another value
  const others = [...more].map(([value, plus]) => ({
    key: map.toNode(value)[0],
    most: added(unlisted, plus),
  }));
  return {
    ...answer,
    buckets: [
      ...raised,
      ...others.flatMap(({ key, most }) => (key === undefined ? [] : [unsure({ key }, answer, most)])),
    ],
    complete: others.length === 0 && answer.complete !== false && unlisted === 0,
    unlistedUpperBound: others.reduce(
      (most, one) => (one.key === undefined ? larger(most, one.most) : most),
      unlisted,
    ),
  };
};

const added = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other;

const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);
