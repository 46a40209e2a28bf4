import type { Bin, RangesFacet } from '../../api/answer.ts';
import { roundFactor } from '../../charts/drawn-bins.ts';

/** An interval, with the count of each cohort in it; null: not known. */
export interface SharedInterval {
  readonly from: number;
  readonly to: number;
  readonly counts: readonly (Pick<Bin, 'count' | 'upper'> | null)[];
}

/**
 * The intervals of several cohorts aligned, with neighbours combined until there are few enough to read. All cohorts were
 * queried with the same width, so their intervals begin at the same values.
 * @param facets null: that cohort has no answer
 */
export const sameIntervals = (
  facets: readonly (RangesFacet | null)[],
  maxRows: number,
): readonly SharedInterval[] => {
  const ends = new Map(facets.flatMap((facet) => (facet?.bins ?? []).map(({ from, to }) => [from, to])));
  const starts = [...ends.keys()].sort((one, other) => one - other);
  const each = roundFactor(starts.length / maxRows);
  const byStart = facets.map((facet) => facet && new Map(facet.bins.map((bin) => [bin.from, bin])));
  return Array.from({ length: Math.ceil(starts.length / each) }, (_, at) => {
    const own = starts.slice(at * each, (at + 1) * each);
    return {
      from: own[0]!,
      to: ends.get(own.at(-1)!)!,
      counts: byStart.map((bins) => bins && sumOf(own.flatMap((start) => bins.get(start) ?? []))),
    };
  });
};

const sumOf = (bins: readonly Bin[]): Pick<Bin, 'count' | 'upper'> => ({
  count: bins.reduce((sum, { count }) => sum + count, 0),
  upper: bins.reduce((sum, { upper }) => sum + upper, 0),
});
