import type { CountedBucket, FacetResult, MeasureKind } from '../../engines/measure.ts';
import { allBelow, below, type SelectedField } from '../../graphql/selected-fields.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { mergedOf, resultOf } from './answers-of.ts';
import { bucketShape, maxOf, plainBucketPart, upTo } from './bucket-shape.ts';
import { byName, fixed, type Shaped } from './by-name.ts';
import { bucketFits } from './fitting-values.ts';
import type { Asking, NetworkAsking, Show, ShowMerged } from './measure-row.ts';

/** The measures whose answer is a list of counts, the same list at every node. */
export type CountedKind = {
  readonly [Kind in MeasureKind]: Kind extends 'terms'
    ? never
    : FacetResult<Kind> extends { readonly buckets: unknown }
      ? Kind
      : never;
}[MeasureKind];

/** Counts by key, in the order of the answer. */
export type Counts = readonly CountedBucket[];

/**
 * How the fields of such a measure are asked and shown, by a catalogue and by a network.
 * @param measureOf what a field asks; throws TributaryError BAD_USER_INPUT
 */
export const countedSelection = <Kind extends CountedKind>(
  kind: Kind,
  measureOf: (field: SelectedField) => FacetMeasure<CountedKind>,
) => ({
  select:
    (_selected: readonly SelectedField[], { info, ask }: Asking) =>
    (field: SelectedField): Show => {
      const request = ask(measureOf(field));
      // buckets alone: clients know the counts of histograms and ranges as null
      const shape = byName<Counts>(allBelow(info, field), (child) =>
        child.name === 'buckets' ? plainBuckets(child, allBelow(info, child)) : fixed(child),
      );
      return (results) => shape((resultOf(results, request, kind) as { readonly buckets: Counts }).buckets);
    },
  selectNetwork:
    (_selected: readonly SelectedField[], { info, ask }: NetworkAsking) =>
    (field: SelectedField): ShowMerged => {
      // refused here as at a catalogue; the buckets are cut where they are shown
      for (const buckets of below(info, field)) maxOf(buckets);
      const request = ask(measureOf(field));
      return (facets) => mergedOf<Counts>(facets, request, kind);
    },
  fitsTypes: ({ buckets }: { readonly buckets: Counts }): boolean => buckets.every(bucketFits),
});

/** Neither top hits nor filters in them. */
const plainBuckets = (
  field: SelectedField,
  children: readonly SelectedField[],
): ((buckets: Counts) => readonly Shaped[]) => {
  const max = maxOf(field);
  const parts = children.map(plainBucketPart);
  return (buckets) => upTo(buckets, max).map(bucketShape(parts));
};
