import type { CountedBucket, FacetResult, MeasureKind } from '../../engines/measure.ts';
import { allBelow, type SelectedField } from '../../graphql/selected-fields.ts';
import type { BucketAnswer } from '../../search/facet-answer.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { answerOf } from './answers-of.ts';
import { type BucketPart, bucketShape, maxOf, plainBucketPart, upTo } from './bucket-shape.ts';
import { byName, fixed } from './by-name.ts';
import { bucketFits } from './fitting-values.ts';
import type { Asking, FacetAnswers, Show } from './measure-row.ts';

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
  measureOf: (field: SelectedField) => FacetMeasure<CountedKind>,
) => ({
  select:
    (_selected: readonly SelectedField[], { info, ask }: Asking) =>
    (field: SelectedField): Show => {
      const request = ask(measureOf(field));
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
  return ({ buckets, nodeId }: CountedAnswers) => upTo(buckets, max).map(bucketShape(parts, nodeId));
};
