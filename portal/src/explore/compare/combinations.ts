/** Every nonempty subset of the cohorts, single ones first. */
export const combinationsOf = (count: number): readonly (readonly number[])[] =>
  Array.from({ length: 2 ** count - 1 }, (_, at) => at + 1)
    .map((bits) => Array.from({ length: count }, (_, at) => at).filter((at) => (bits >> at) & 1))
    .sort((one, other) => one.length - other.length);
