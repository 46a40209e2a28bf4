import { countIn, type Bucket, type ValuesFacet } from '../api/answer.ts';
import { isKnown } from '../look/honest.ts';

/** How many records have both values; null: no institution has answered. */
export type HeatCount = Pick<Bucket, 'count' | 'upper' | 'estimate'> | null;

export interface HeatCounts {
  /** The values of the second field that are drawn. */
  readonly columns: readonly string[];
  /** One row for each value of the first field. */
  readonly rows: readonly (readonly HeatCount[])[];
}

/**
 * The second field's values within each value of the first, with their counts: values that were not sent may still occur
 * up to as often as those that were.
 * @param facets the facets of the second field, one for each value of the first; null: not answered yet
 */
export const heatCounts = (facets: readonly (ValuesFacet | null)[], maxColumns: number): HeatCounts => {
  const columns = topKeys(facets, maxColumns);
  return {
    columns,
    rows: facets.map((facet) => {
      if (facet === null || !isKnown(facet)) return columns.map(() => null);
      return columns.map((key) => countIn(facet, key));
    }),
  };
};

/** The most frequent values across all rows. */
const topKeys = (facets: readonly (ValuesFacet | null)[], max: number): readonly string[] => {
  const sums = new Map<string, number>();
  for (const facet of facets)
    for (const { key, count } of facet?.buckets ?? []) sums.set(key, (sums.get(key) ?? 0) + count);
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .slice(0, max)
    .map(([key]) => key);
};
