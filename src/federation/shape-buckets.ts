import type { SelectedField } from '../local/selected-fields.ts';
import type { MergedBucket, MergedTerms } from './merge/buckets.ts';
import type { CountedKey } from './merge/histogram.ts';

type Below = (field: SelectedField) => readonly SelectedField[];

/** Merged buckets as GraphQL shows them: `max` counts from the top, `__missing__` comes last and on top of it. */
export const shapeBuckets =
  (max: number | null, selected: readonly SelectedField[], below: Below) =>
  ({ buckets, missing }: MergedTerms): readonly unknown[] =>
    [...(max === null ? buckets : buckets.slice(0, max)), ...(missing ? [missing] : [])].map((bucket) =>
      Object.fromEntries(selected.map((field) => [field.responseName, bucketValue(bucket, field, below)])),
    );

const bucketValue = (bucket: MergedBucket, field: SelectedField, below: Below): unknown => {
  switch (field.name) {
    case 'key':
      return bucket.key;
    case 'key_as_string':
      return bucket.keyAsString;
    case 'doc_count':
      return bucket.count;
    case 'upper_bound':
      return bucket.upperBound;
    case 'exact':
      return bucket.upperBound === bucket.count;
    default:
      return bucket.nodes.map(({ nodeId, count }) =>
        Object.fromEntries(
          below(field).map(({ name, responseName }) => [responseName, name === 'nodeId' ? nodeId : count]),
        ),
      );
  }
};

/** Histogram and range buckets; bucket_count of both is null, as existing clients know it. */
export const shapeCounts =
  (selected: readonly SelectedField[], below: Below) =>
  (buckets: readonly CountedKey[]): unknown =>
    Object.fromEntries(
      selected.map((field) => [
        field.responseName,
        field.name === 'buckets' ? counts(buckets, field, below) : null,
      ]),
    );

const counts = (buckets: readonly CountedKey[], field: SelectedField, below: Below): readonly unknown[] => {
  const max = (field.args['max'] as number | null | undefined) ?? buckets.length;
  const selected = below(field);
  return buckets
    .slice(0, max)
    .map(({ key, count }) =>
      Object.fromEntries(
        selected.map(({ name, responseName }) => [
          responseName,
          name === 'key' ? key : name === 'doc_count' ? count : null,
        ]),
      ),
    );
};
