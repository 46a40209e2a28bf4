import type { FacetResult, MeasureKind } from '../../../engines/measure.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { allBelow, type SelectedField } from '../../../lib/graphql/execution.ts';
import { countBetween, isExact, lowerOf, sumOfCounts, type Count } from '../../count.ts';
import type { BucketAnswer, NodeCount } from '../../nodes-answer.ts';
import type { FacetMeasure } from '../../query.ts';
import type { BucketPart } from './answer-shape.ts';
import {
  answerOf,
  bucketShape,
  maxOf,
  plainBucketPart,
  upTo,
  byName,
  fixed,
  bucketFits,
} from './answer-shape.ts';
import type { SelectionContext, FacetAnswers, Show, MergePart } from './measure-row.ts';

/** The measures whose result is a list of counts with the same keys at every node. */
export type CountedKind = {
  readonly [Kind in MeasureKind]: Kind extends 'terms'
    ? never
    : FacetResult<Kind> extends { readonly buckets: unknown }
      ? Kind
      : never;
}[MeasureKind];

/** Counts by key, in answer order. */
export type Counts = readonly BucketAnswer[];

/**
 * How the fields of such a measure are requested and shown.
 * @param measureOf the measure that a field requests; throws TributaryError BAD_USER_INPUT
 */
export const countedSelection = <Kind extends CountedKind>(
  kind: Kind,
  measureOf: (field: SelectedField, context: SelectionContext) => FacetMeasure<CountedKind>,
) => ({
  select:
    (_selected: readonly SelectedField[], context: SelectionContext) =>
    (field: SelectedField): Show => {
      const { info } = context;
      const request = context.addRequest(measureOf(field, context));
      // buckets only: clients expect null for the counts of histograms and ranges
      const shape = byName<CountedAnswers>(allBelow(info, field), (child) =>
        child.name === 'buckets'
          ? plainBuckets(
              child,
              allBelow(info, child).map((leaf) => plainBucketPart(info, leaf)),
            )
          : fixed(child),
      );
      return (answers) => {
        const { buckets } = answerOf(answers, request, kind) as { readonly buckets: readonly BucketAnswer[] };
        return shape({ buckets, nodeId: answers.nodeId });
      };
    },
  fitsTypes: ({ buckets }: { readonly buckets: Counts }): boolean => buckets.every(bucketFits),
});

interface CountedAnswers extends Pick<FacetAnswers, 'nodeId'> {
  readonly buckets: readonly BucketAnswer[];
}

/** Buckets without top hits or filters. */
const plainBuckets = (field: SelectedField, parts: readonly BucketPart[]) => {
  const max = maxOf(field);
  return ({ buckets, nodeId }: CountedAnswers) => upTo(buckets, max).map(bucketShape(parts, { nodeId }));
};

/** The error for a histogram of a node whose buckets have another interval. */
export const otherInterval = (field: string): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `the answer is malformed at ${field}: keys of another interval`);

/** The least and the greatest of some numbers, which are too many for arguments of Math.min. */
export const extent = (numbers: Iterable<number>): readonly [number, number] => {
  let [first, last] = [Infinity, -Infinity];
  for (const number of numbers) {
    first = Math.min(first, number);
    last = Math.max(last, number);
  }
  return [first, last];
};

/**
 * Merged buckets with the bounds of their counts, and with each node's part in them, looked up when it is read: few clients
 * need it.
 * @param buckets the sums of what nodes list at least
 * @param identity equal for buckets that count the same values
 */
export const withNodeCounts = <Kind extends CountedKind>(
  buckets: Counts,
  parts: readonly MergePart<Kind>[],
  identity: (key: string) => string | number,
): readonly BucketAnswer[] => {
  let nodes: ReadonlyMap<string | number, readonly NodeCount[]> | null = null;
  const nodesOf = (key: string): readonly NodeCount[] =>
    (nodes ??= nodeCounts(parts, identity)).get(identity(key)) ?? [];
  const countOf = uncertainty(parts, identity);
  return buckets.map((bucket) => ({
    ...bucket,
    count: countOf(bucket),
    get nodes() {
      return nodesOf(bucket.key);
    },
  }));
};

/**
 * The count of a bucket whose nodes have at least its own: some do not say how many they have in it at most, or whether
 * they have any in an interval that they did not list.
 */
const uncertainty = <Kind extends CountedKind>(
  parts: readonly MergePart<Kind>[],
  identity: (key: string) => string | number,
): ((bucket: BucketAnswer) => Count) => {
  const listed = parts.flatMap((part) => {
    const { buckets, unlistedUpperBound: most = 0 } = listOf(part);
    const isCertain = most === 0 && buckets.every(({ count }) => isExact(count));
    return isCertain ? [] : [{ list: groupedBy(buckets, identity), unlisted: countBetween(0, most) }];
  });
  if (listed.length === 0) return ({ count }) => count;
  return ({ key, count }) => {
    const uncertain = listed.flatMap(
      ({ list, unlisted }) => list.get(identity(key))?.map((bucket) => bucket.count) ?? [unlisted],
    );
    const certain = lowerOf(count) - lowerOf(sumOfCounts(uncertain));
    return sumOfCounts([certain, ...uncertain]);
  };
};

interface NodeList {
  readonly buckets: Counts;
  /** See CountsAnswer. */
  readonly unlistedUpperBound?: number | null;
}

const listOf = <Kind extends CountedKind>({ result, matches }: MergePart<Kind>): NodeList =>
  (result as NodeList | null) ?? { buckets: [], ...(matches === null && { unlistedUpperBound: null }) };

const groupedBy = (
  buckets: Counts,
  identity: (key: string) => string | number,
): ReadonlyMap<string | number, Counts> => Map.groupBy(buckets, ({ key }) => identity(key));

const nodeCounts = <Kind extends CountedKind>(
  parts: readonly MergePart<Kind>[],
  identity: (key: string) => string | number,
): ReadonlyMap<string | number, readonly NodeCount[]> => {
  const nodes = new Map<string | number, NodeCount[]>();
  for (const part of parts)
    for (const bucket of listOf(part).buckets) {
      const count = lowerOf(bucket.count);
      if (count === 0) continue;
      const known = nodes.get(identity(bucket.key));
      const contribution = { nodeId: part.nodeId, count };
      if (known) known.push(contribution);
      else nodes.set(identity(bucket.key), [contribution]);
    }
  return nodes;
};
