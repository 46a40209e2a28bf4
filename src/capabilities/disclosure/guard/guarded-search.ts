import { createHash } from 'node:crypto';
import { keyedMac } from '../../../lib/runtime/keyed-mac.ts';
import type { MeasureKind } from '../../../engines/measure.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { CatalogueConfig, GuardedTier } from '../../../introspection/fields/catalogue-config.ts';
import type { Fields } from '../../../introspection/fields/field.ts';
import { fieldsFingerprint } from '../../../introspection/mapping/mapping.ts';
import { MISSING, type Sqon } from '../../../sqon/ast.ts';
import { withoutField } from '../../../sqon/rewrite.ts';
import { facetFilter } from '../../../sqon/compile.ts';
import { countBetween, upperOf, type Count } from '../../../search/count.ts';
import type { BucketAnswer, FacetAnswer, FailedFacet } from '../../../search/nodes-answer.ts';
import { releasedFacet } from '../../../search/released-facet.ts';
import type { CatalogueQuery, CatalogueResult, FacetRequest } from '../../../search/query.ts';
import type { RequestContext } from '../../../search/request-context.ts';
import { serverVersion } from '../../../lib/runtime/server-version.ts';
import { runInSlices, yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';
import { notDisclosed } from '../../../search/catalogue.ts';
import { assertReleased, unitFormulas, filterQuestion } from '../question/filter-question.ts';
import type { ReleasedCount, ReleasedCounts } from '../question/released-counts.ts';
import { fieldsOf, releasedCounts, together } from '../question/released-counts.ts';
import type { Release, Stratum } from '../release/release.ts';
import type { DimensionCell } from '../table/released-table.ts';
import { statementFor, strataFor } from './covered-strata.ts';
import { facetBuckets, listedCells, type QueriedBucket } from './facet-buckets.ts';

/**
 * The search for callers who may not see records. It uses only a release: no engine, no index, no cache of other callers'
 * answers. Any reader of the release could compute its answers.
 */
export type GuardedSearch = (
  query: CatalogueQuery,
  context: RequestContext,
  tier: GuardedTier,
) => Promise<CatalogueResult>;

export interface GuardSettings {
  readonly catalogueId: string;
  /** Clients that do not select upper bounds get lower bounds instead of an error. */
  readonly lowerBoundsToOldClients: boolean;
  /** The secret from which the data names shown to callers are derived. */
  readonly nameKey: Uint8Array;
  /** The hierarchies of the catalogue's fields. */
  readonly fieldHierarchies?: CatalogueConfig['fieldHierarchies'];
}

/** @returns a search that throws NOT_DISCLOSED, BAD_USER_INPUT, UNAUTHENTICATED and FORBIDDEN only */
export const guardedSearch = (release: Release, settings: GuardSettings): GuardedSearch => {
  const fields = fieldsOf(release, settings);
  const schema = fieldsFingerprint(fields);
  const strata = new Map(release.strata.map((stratum) => [stratum.value, releasedCounts(stratum, fields)]));
  const generationOf = generations(release, settings);
  return async (query, context, tier) => {
    assertAnswerable(query, settings);
    const access = await context.caller.accessFilter(settings.catalogueId);
    const values = strataFor(access, release);
    const chosen = values.map((value) => strata.get(value)!);
    if (chosen.length === 0) throw notDisclosed('this part of the records is');
    if (query.filters !== null) assertReleased(query.filters, chosen[0]!.translation);
    const generation = generationOf(tier, values);
    context.trace.generations.set(generation, null);
    const shown = (count: ReleasedCount): Count =>
      tier === 'boolean' ? existence(count, release.threshold) : interval(count);
    const countOf: CountOf = (question) =>
      shown(together(chosen.map((counts) => counts.count(question(counts)))));
    const facets: (FacetAnswer | FailedFacet)[] = [];
    for (const facet of query.facets) {
      // many facets must not keep other requests waiting, nor be computed for a client that has left
      await yieldToEventLoop(context.signal);
      const counted = await runInSlices(facetOf(facet, query, { fields, countOf, chosen }), context.signal);
      facets.push(releasedFacet(counted, facet.measure, fields.get(facet.field)!));
    }
    return {
      total: totalOf(query, countOf),
      withheld: {
        tier,
        threshold: release.threshold,
        counted: release.unit,
        ...statementFor(release, values),
      },
      hits: [],
      facets,
      warnings: [],
      // callers learn the date of the release, never when records changed
      origin: { version: serverVersion(), schema, generation, lastUpdated: null },
    };
  };
};

/**
 * Names the data that answers a caller: a MAC over only their tier and the tables of their strata. The hash of a table, or
 * of a release, would let a caller of one stratum verify guesses about another.
 */
const generations = (
  release: Release,
  { catalogueId, nameKey }: GuardSettings,
): ((tier: GuardedTier, strata: readonly (string | null)[]) => string) => {
  const digests = new Map(release.strata.map((stratum) => [stratum.value, digestOf(stratum)]));
  const mac = keyedMac(nameKey);
  return (tier, strata) =>
    mac(JSON.stringify([catalogueId, tier, strata.map((value) => [value, digests.get(value)])]));
};

const digestOf = ({ date, table }: Stratum): string => {
  const digest = createHash('sha256').update(JSON.stringify([date, table.total, table.dimensions]));
  for (const [block, { levels }] of table.blocks) digest.update(block).update(levels);
  return digest.digest('base64url');
};

const interval = ({ lower, upper, estimate }: ReleasedCount): Count => countBetween(lower, upper, estimate);

/** At least the threshold, or not known. */
const existence = ({ lower }: ReleasedCount, threshold: number): Count => ({
  lower: lower >= threshold ? threshold : 0,
  upper: null,
});

type CountOf = (question: (counts: ReleasedCounts) => QueriedBucket['formulas']) => Count;

/** The measures that show counts; others are not answered at all. */
const countingKinds: ReadonlySet<MeasureKind> = new Set([
  'terms',
  'histogram',
  'date_histogram',
  'range',
  'groups',
]);

/** Refuses everything that shows records, before anything is computed. @throws TributaryError NOT_DISCLOSED */
const assertAnswerable = (
  { hits, facets }: CatalogueQuery,
  { lowerBoundsToOldClients }: GuardSettings,
): void => {
  if (hits !== null) {
    if (hits.first !== 0 || hits.offset !== 0) throw notDisclosed('records are');
    if (hits.searchAfter !== null || hits.sort.length > 0) throw notDisclosed('pages of records are');
  }
  const isOld =
    (hits !== null && hits.trackTotal && hits.bounded !== true) ||
    facets.some(({ measure, bounded }) => bounded !== true && countingKinds.has(measure.kind));
  if (isOld && !lowerBoundsToOldClients)
    throw new TributaryError(
      'NOT_DISCLOSED',
      'counts are lower bounds here, and this client would show them as exact: select upper_bound beside total and doc_count',
      { details: { select: 'upper_bound' } },
    );
};

const totalOf = ({ hits, filters }: CatalogueQuery, countOf: CountOf): Count | null =>
  hits !== null && hits.trackTotal
    ? countOf(({ translation }) => filterQuestion(filters, translation))
    : null;

interface FacetParts {
  readonly fields: Fields;
  readonly countOf: CountOf;
  readonly chosen: readonly ReleasedCounts[];
}

/** Yields between buckets, each of which may take long under a long filter. */
function* facetOf(
  { field: path, measure }: FacetRequest,
  query: CatalogueQuery,
  { fields, countOf, chosen }: FacetParts,
): Generator<undefined, FacetAnswer> {
  const [first] = chosen as [ReleasedCounts];
  const field = fields.get(path);
  const dimension = first.translation.dimensions.find(({ fieldName }) => fieldName === path);
  if (field === undefined || dimension === undefined) throw notDisclosed('this field is');
  const filters = assertedFilters(query, first, path);
  const { filter, objects } = facetFilter(filters, field, fields, true);
  // once for all buckets
  const filterFormulas = new Map(
    chosen.map(({ translation }) => [translation, unitFormulas(filter, translation)] as const),
  );
  const buckets: BucketAnswer[] = [];
  for (const bucket of facetBuckets(measure, field, dimension.cells, query.includeMissing)) {
    yield;
    const count = countOf(({ translation }) =>
      bucket.question(filterFormulas.get(translation)!, Object.values(objects), translation),
    );
    buckets.push({ ...bucket.shown, count });
  }
  if (measure.kind === 'percentiles') return releasedIntervals(dimension.cells, buckets);
  if (measure.kind === 'terms') return listOf(buckets, listedCells(measure, field, dimension.cells).length);
  return { kind: measure.kind, buckets } as FacetAnswer;
}

/** @throws TributaryError NOT_DISCLOSED in a tier without upper bounds */
const releasedIntervals = (
  cells: readonly DimensionCell[],
  buckets: readonly BucketAnswer[],
): FacetAnswer<'percentiles'> => {
  const ranges = cells.flatMap((cell) => (cell.kind === 'range' ? [cell] : []));
  const released = ranges.map(({ from, to }, index) => {
    const { count } = buckets[index]!;
    if (upperOf(count) === null) throw notDisclosed('statistics of values are');
    return { from, to, count };
  });
  return { kind: 'percentiles', level: 0, zero: 0, positive: [], negative: [], released };
};

/** Lists units without a value separately, as engines count them. */
const listOf = (all: readonly BucketAnswer[], distinct: number): FacetAnswer<'terms'> => {
  const missing = all.find(({ key }) => key === MISSING);
  const buckets = all.filter((bucket) => bucket !== missing);
  return { kind: 'terms', buckets, missing: missing?.count ?? 0, distinct };
};

/** The filter that applies to a facet: without its own selections, as everywhere. */
const assertedFilters = (
  { filters, filterThemselves }: CatalogueQuery,
  { translation }: ReleasedCounts,
  path: string,
): Sqon | null => {
  if (filters !== null) assertReleased(filters, translation);
  return filterThemselves ? filters : withoutField(filters, path);
};
