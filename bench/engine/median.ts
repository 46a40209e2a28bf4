/** The middle of the values; of an even number the upper middle one. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The value that a share (0 to 1) of the values does not exceed. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
};
