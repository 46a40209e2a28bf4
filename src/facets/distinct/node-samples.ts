import type { DistinctSample } from '../../engines/measure.ts';
import { sampleOfValues } from '../../engines/semantics/sample-keys.ts';
import { sampleHash } from '../../engines/semantics/theta-sample.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { MergePart } from '../row/measure-row.ts';

/** The sample of a node that gives one, or else of the list of all its values; null when there is neither. */
export const nodeSample = (
  sampled: MergePart<'distinct_sample'> | undefined,
  listed: MergePart<'terms'> | undefined,
  field: Pick<Field, 'path' | 'type'>,
): DistinctSample | null => sampled?.result?.sample ?? (listed ? sampleOfList(listed, field) : null);

/** The keys of a list are shown ones, so texts; those of numbers are printed in several ways. */
const sampleOfList = (
  { asked, result, values }: MergePart<'terms'>,
  { type }: Pick<Field, 'type'>,
): DistinctSample | null => {
  if (result === null || asked === null || sampleHash({ type }) !== 'murmur3') return null;
  // a list as long as requested may have been truncated
  if (asked.max !== null && result.buckets.length >= asked.max) return null;
  return sampleOfValues(
    result.buckets.map(({ key }) => key),
    'murmur3',
    values?.listed ?? new Map(),
  );
};
