import type { DistinctSample } from '../../engines/measure.ts';
import { commonParts, unionOf } from './key-union.ts';

/** A number of distinct values: within these bounds, or exact. */
export interface DistinctEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly exact: boolean;
}

/**
 * How many distinct values some samples of the same hash stand for, a value of several counted once: n keys of part 0
 * of N stand for n N values, with a standard deviation of N sqrt(n (1 - 1 / N)). The bounds are three of these away:
 * 99.7 of 100 hold. All values are known where N is 1.
 */
export const estimateOf = (samples: readonly DistinctSample[]): DistinctEstimate => {
  const keys = samples.length === 1 ? samples[0]!.keys : unionOf(samples).size;
  return estimateFrom(keys, commonParts(samples));
};

/** The same, of the number of keys. */
export const estimateFrom = (keys: number, parts: number): DistinctEstimate => {
  const value = keys * parts;
  const deviation = 3 * parts * Math.sqrt(keys * (1 - 1 / parts));
  return {
    value,
    // no fewer than there are keys
    lower: Math.max(keys, Math.floor(value - deviation)),
    upper: Math.ceil(value + deviation),
    exact: parts === 1,
  };
};
