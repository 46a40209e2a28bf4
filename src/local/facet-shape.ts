import type { FacetResult, TermsBucket, TermsResult } from '../engines/engine.ts';
import { TributaryError } from '../errors.ts';
import { MISSING } from '../sqon/ast.ts';
import type { BucketPart, BucketsPart, FacetPlan, MeasurePart, PlainBucketsPart } from './facet-plan.ts';

/** A value of the answer by response name, as byResponseKey reads it. */
export type ShapedFacets = Readonly<Record<string, unknown>>;

/** The answers to a plan's requests, in their order, as the GraphQL result. */
export const shapeFacets = (plan: FacetPlan, results: readonly FacetResult[]): ShapedFacets =>
  byName(plan.parts, ({ measures }) => byName(measures, (part) => measureValue(part, results)));

/** Buckets are many: a loop takes a third of what Object.fromEntries does. */
const byName = <Part extends { readonly as: string }>(
  parts: readonly Part[],
  value: (part: Part) => unknown,
): ShapedFacets => {
  const shaped: Record<string, unknown> = {};
  for (const part of parts)
    // an alias may be called so, and setting it would change the object's kind
    if (part.as === '__proto__')
      Object.defineProperty(shaped, part.as, { value: value(part), enumerable: true });
    else shaped[part.as] = value(part);
  return shaped;
};

const measureValue = (part: MeasurePart, results: readonly FacetResult[]): unknown => {
  switch (part.kind) {
    case 'bucketCount': {
      const { distinct, missing } = resultOf(results, part.request, 'terms');
      return distinct + (missing > 0 ? 1 : 0);
    }
    case 'buckets':
      return termsBuckets(part, results);
    case 'cardinality':
      return resultOf(results, part.request, 'cardinality').value;
    case 'stats':
      return resultOf(results, part.request, 'stats');
    case 'histogram':
    case 'range': {
      const { buckets } = resultOf(results, part.request, part.kind);
      return byName(part.buckets, (shown) => plainBuckets(shown, buckets));
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

const plainBuckets = (
  { max, bucket }: PlainBucketsPart,
  buckets: readonly { readonly key: string; readonly count: number }[],
): readonly ShapedFacets[] =>
  (max === null ? buckets : buckets.slice(0, max)).map((found) =>
    byName(bucket, (part) => bucketValue(part, found)),
  );

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
  const valueOf = (child: BucketPart, found: TermsBucket): unknown =>
    child.kind === 'topHits'
      ? (topHits.get(child.request)?.get(found.key) ?? null)
      : bucketValue(child, found);
  const shown = part.max === null ? buckets : buckets.slice(0, part.max);
  const shaped = shown.map((found) => byName(part.bucket, (child) => valueOf(child, found)));
  if (missing === 0) return shaped;
  return [...shaped, byName(part.bucket, (child) => bucketValue(child, { key: MISSING, count: missing }))];
};

const topHitsByKey = ({ buckets }: TermsResult): ReadonlyMap<string, unknown> =>
  new Map(buckets.map(({ key, topHit }) => [key, topHit]));

const bucketValue = (part: BucketPart, found: TermsBucket): unknown => {
  switch (part.kind) {
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
    case 'topHits':
      return null;
  }
};
