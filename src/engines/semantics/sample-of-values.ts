import type { DistinctSample, SampleHash } from '../measure.ts';
import { SampleKeys } from './sample-keys.ts';
import { partsFor } from './theta-sample.ts';

/** Values that are sampled as others. */
export type ShownAs = ReadonlyMap<string, string>;

/**
 * The sample of all distinct values of a field, each given once.
 * @param shownAs those that are sampled as others: as texts, so then all are
 */
export const sampleOfValues = (
  values: readonly string[],
  hash: SampleHash,
  shownAs: ShownAs,
): DistinctSample => {
  const keys = new SampleKeys(shownAs.size > 0 ? 'murmur3' : hash, partsFor(values.length));
  for (const value of values) keys.add(shownAs.get(value) ?? value);
  return keys.sample();
};
