import type { FacetResult, StatsResult, TermsBucket, TermsResult } from '../../engines/engine.ts';
import { TributaryError } from '../../errors.ts';
import { MISSING } from '../../sqon/ast.ts';
import type {
  BucketPart,
  BucketsPart,
  FacetPlan,
  FixedPart,
  MeasurePart,
  PlainBucketsPart,
  StatsPart,
} from './facet-plan.ts';

/** A value of the answer by response name, as byResponseKey reads it. */
export type ShapedFacets = Readonly<Record<string, unknown>>;

/** The answers to a plan's requests, in their order, as the GraphQL result: everything selected, in its order. */
export const shapeFacets = (plan: FacetPlan, results: readonly FacetResult[]): ShapedFacets =>
  byName(plan.parts, (part) =>
    part.kind === 'fixed' ? part.value : byName(part.measures, (measure) => measureValue(measure, results)),
  );

const byName = <Part extends { readonly as: string }>(
  parts: readonly Part[],
  value: (part: Part) => unknown,
): ShapedFacets => Object.fromEntries(parts.map((part) => [part.as, value(part)]));

const measureValue = (part: MeasurePart, results: readonly FacetResult[]): unknown => {
  switch (part.kind) {
    case 'fixed':
      return part.value;
    case 'bucketCount': {
      const { distinct, missing } = resultOf(results, part.request, 'terms');
      return distinct + (missing > 0 ? 1 : 0);
    }
    case 'buckets':
      return termsBuckets(part, results);
    case 'cardinality':
      return resultOf(results, part.request, 'cardinality').value;
    case 'stats':
      return statsValue(part.stats, resultOf(results, part.request, 'stats'));
    case 'histogram':
    case 'range': {
      const { buckets } = resultOf(results, part.request, part.kind);
      return byName(part.shown, (shown) =>
        shown.kind === 'fixed' ? shown.value : plainBuckets(shown, buckets),
      );
    }
  }
};

const resultOf = <Kind extends FacetResult['kind']>(
  results: readonly FacetResult[],
  request: number,
  kind: Kind,
): Extract<FacetResult, { kind: Kind }> => {
  const result = results[request];
  if (result?.kind !== kind)
    throw new TributaryError(
      'INTERNAL_SERVER_ERROR',
      `facet ${request} was answered with ${result?.kind ?? 'nothing'}, not ${kind}`,
    );
  return result as Extract<FacetResult, { kind: Kind }>;
};

const statsValue = (parts: readonly (StatsPart | FixedPart)[], stats: StatsResult): ShapedFacets =>
  byName(parts, (part) => (part.kind === 'fixed' ? part.value : statValue(part.kind, stats)));

/** Nothing has no least or average value, but it adds up to 0. */
const statValue = (name: StatsPart['kind'], stats: StatsResult): number | null =>
  name === 'sum' && stats.count === 0 ? 0 : stats[name];

const plainBuckets = (
  { max, bucket }: PlainBucketsPart,
  buckets: readonly { readonly key: string; readonly count: number }[],
): readonly ShapedFacets[] => (max === null ? buckets : buckets.slice(0, max)).map(bucketShape(bucket));

/** The bucket of missing values comes last and on top of max, whatever its count. */
const termsBuckets = (part: BucketsPart, results: readonly FacetResult[]): readonly ShapedFacets[] => {
  const { buckets, missing } = resultOf(results, part.request, 'terms');
  const topHits = new Map(
    part.bucket.flatMap((child) =>
      child.kind === 'topHits'
        ? [[child.request, topHitsByKey(resultOf(results, child.request, 'terms'))]]
        : [],
    ),
  );
  const shaped = (part.max === null ? buckets : buckets.slice(0, part.max)).map(
    bucketShape(part.bucket, topHits),
  );
  if (missing > 0) shaped.push(bucketShape(part.bucket)({ key: MISSING, count: missing }));
  return shaped;
};

type TopHits = ReadonlyMap<string, unknown>;

const topHitsByKey = ({ buckets }: TermsResult): TopHits =>
  new Map(buckets.map(({ key, topHit }) => [key, topHit]));

/**
 * Shapes one bucket; top hits are by request. Buckets are many: filling in a copy takes half of what adding one property
 * after another does.
 */
const bucketShape = (parts: readonly BucketPart[], topHits?: ReadonlyMap<number, TopHits>) => {
  const empty: Readonly<Record<string, unknown>> = byName(parts, () => null);
  return (found: TermsBucket): ShapedFacets => {
    const shaped = { ...empty };
    for (const part of parts)
      shaped[part.as] =
        part.kind === 'topHits'
          ? (topHits?.get(part.request)?.get(found.key) ?? null)
          : bucketValue(part, found);
    return shaped;
  };
};

const bucketValue = (part: Exclude<BucketPart, { kind: 'topHits' }>, found: TermsBucket): unknown => {
  switch (part.kind) {
    case 'fixed':
      return part.value;
    case 'key':
      return found.key;
    case 'keyAsString':
      return found.keyAsString ?? null;
    case 'docCount':
      return found.count;
    case 'filtered': {
      const count = found.filtered?.[part.position];
      return count === undefined ? null : { doc_count: count };
    }
  }
};
