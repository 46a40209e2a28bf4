import type { CountedBucket, FacetResult, MeasureKind } from '../../engines/measure.ts';
import { allBelow, below, type SelectedField } from '../../graphql/selected-fields.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { mergedOf, resultOf } from './answers-of.ts';
import { bucketShape, maxOf, plainBucketPart, upTo } from './bucket-shape.ts';
import { byName, fixed, type Shaped } from './by-name.ts';
import { bucketFits } from './fitting-values.ts';
import type { Asking, NetworkAsking, Show, ShowMerged } from './measure-row.ts';

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
 * How a catalogue and a network request and show the fields of such a measure.
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
      const shape = byName<Counts>(allBelow(info, field), (child) =>
        child.name === 'buckets' ? plainBuckets(child, allBelow(info, child)) : fixed(child),
      );
      return (results) => shape((resultOf(results, request, kind) as { readonly buckets: Counts }).buckets);
    },
  selectNetwork:
    (_selected: readonly SelectedField[], { info, ask }: NetworkAsking) =>
    (field: SelectedField): ShowMerged => {
      // validated here as at a catalogue; buckets are cut when they are shown
      for (const buckets of below(info, field)) maxOf(buckets);
      const request = ask(measureOf(field));
      return (facets) => mergedOf<Counts>(facets, request, kind);
    },
  fitsTypes: ({ buckets }: { readonly buckets: Counts }): boolean => buckets.every(bucketFits),
});

/** Buckets without top hits or filters. */
const plainBuckets = (
  field: SelectedField,
  children: readonly SelectedField[],
): ((buckets: Counts) => readonly Shaped[]) => {
  const max = maxOf(field);
  const parts = children.map(plainBucketPart);
  return (buckets) => upTo(buckets, max).map(bucketShape(parts));
};
