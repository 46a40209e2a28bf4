import type { CountedBucket, FacetResult, MeasureKind, CountBounds } from '../../engines/measure.ts';
import { TributaryError } from '../../errors/errors.ts';
import { allBelow, type SelectedField } from '../../graphql/execution.ts';
import { sumOfCounts, type BucketAnswer, type NodeCount } from '../../search/nodes-answer.ts';
import type { FacetMeasure } from '../../search/query.ts';
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
export type Counts = readonly CountedBucket[];

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
              allBelow(info, child).map((one) => plainBucketPart(info, one)),
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
 * Merged buckets with each node's part in them, looked up when it is read: few clients need it.
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
  const boundsOf = uncertainty(parts, identity);
  return buckets.map((bucket) => ({
    ...bucket,
    ...boundsOf?.(bucket),
    get nodes() {
      return nodesOf(bucket.key);
    },
  }));
};

/**
 * What nodes whose counts have bounds add to a sum of lower bounds; null where there are none. A node that withholds
 * its records lists the intervals of its release: its count for any other interval is not known.
 */
const uncertainty = <Kind extends CountedKind>(
  parts: readonly MergePart<Kind>[],
  identity: (key: string) => string | number,
): ((bucket: CountedBucket) => CountBounds) | null => {
  const listed = parts.flatMap(({ result, withheld }) => {
    const buckets = (result as { readonly buckets: Counts } | null)?.buckets ?? [];
    const isBounded = withheld === true || buckets.some(({ upperBound }) => upperBound !== undefined);
    return isBounded ? [{ list: groupedBy(buckets, identity), most: withheld ? null : 0 }] : [];
  });
  if (listed.length === 0) return null;
  return ({ key, count }) => {
    const uncertain = listed.flatMap(
      ({ list, most }) => list.get(identity(key)) ?? [{ key, count: 0, upperBound: most }],
    );
    const certain = count - uncertain.reduce((sum, one) => sum + one.count, 0);
    const { upperBound, exact, estimate } = sumOfCounts([{ count: certain }, ...uncertain]);
    return { upperBound, exact, estimate };
  };
};

const groupedBy = (
  buckets: Counts,
  identity: (key: string) => string | number,
): ReadonlyMap<string | number, Counts> => Map.groupBy(buckets, ({ key }) => identity(key));

const nodeCounts = <Kind extends CountedKind>(
  parts: readonly MergePart<Kind>[],
  identity: (key: string) => string | number,
): ReadonlyMap<string | number, readonly NodeCount[]> => {
  const nodes = new Map<string | number, NodeCount[]>();
  for (const { nodeId, result } of parts)
    for (const bucket of (result as { readonly buckets: Counts } | null)?.buckets ?? []) {
      if (bucket.count === 0) continue;
      const known = nodes.get(identity(bucket.key));
      const part = { nodeId, count: bucket.count };
      if (known) known.push(part);
      else nodes.set(identity(bucket.key), [part]);
    }
  return nodes;
};
