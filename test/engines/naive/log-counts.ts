import type { LogCountsResult } from '../../../src/engines/measure.ts';

/** Buckets between powers of 1.0202, or of its square and so on where more than 4 000 would be looked at. */
export const logCounts = (lists: readonly (readonly number[])[]): LogCountsResult => {
  const blocks = new Set(
    lists
      .flat()
      .filter(Boolean)
      .map((value) => `${value > 0} ${Math.floor(powerBelow(value) / 512)}`),
  );
  const level = [0, 1, 2, 3, 4, 5, 6].find((one) => (blocks.size * 512) / 2 ** one <= 4_000)!;
  const of = (isOfSign: (value: number) => boolean): readonly (readonly [number, number])[] => {
    const counts = new Map<number, number>();
    for (const list of lists)
      for (const index of new Set(
        list.filter(isOfSign).map((value) => Math.floor(powerBelow(value) / 2 ** level)),
      ))
        counts.set(index, (counts.get(index) ?? 0) + 1);
    return [...counts].sort(([left], [right]) => left - right);
  };
  return {
    kind: 'percentiles',
    level,
    zero: lists.filter((list) => list.includes(0)).length,
    positive: of((value) => value > 0),
    negative: of((value) => value < 0),
  };
};

/** The greatest power of 1.0202 that is not above a positive number, or is below what a negative one is without its sign. */
const powerBelow = (value: number): number => {
  const size = Math.abs(value);
  const isBelow = (power: number): boolean => (value > 0 ? 1.0202 ** power <= size : 1.0202 ** power < size);
  let power = Math.round(Math.log(size) / Math.log(1.0202)) - 2;
  while (isBelow(power + 1)) power += 1;
  return power;
};
