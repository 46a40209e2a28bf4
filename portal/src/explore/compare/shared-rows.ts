import { countIn, type Bucket, type Facet, type RangesFacet, type ValuesFacet } from '../../api/answer.ts';
import type { Field } from '../../api/fields.ts';
import type { Messages } from '../../i18n/en.ts';
import type { Formats } from '../../i18n/formats.ts';
import { isKnown } from '../../look/honest.ts';
import { intervalText } from '../../look/show-value.ts';
import { valueText } from '../../look/value-text.ts';
import { sameIntervals } from './same-intervals.ts';

type Words = Formats & { readonly t: Messages };

/** A value or an interval, with what is known about it in each cohort. */
export interface SharedRow {
  readonly key: string;
  readonly label: string;
  readonly counts: readonly Counted[];
}

/** null: no institution has answered for that cohort. */
export type Counted = Pick<Bucket, 'count' | 'upper' | 'estimate'> | null;

const valuesShown = 12;

/** The values by which cohorts are compared. @param facets as of `sharedRows` */
export const comparedValues = (facets: readonly (Facet | undefined)[]): readonly string[] =>
  topKeys(facets.map((facet) => (facet?.kind === 'values' && isKnown(facet) ? facet : null)));

/** The rows of a comparison. @param facets the facet of each cohort; undefined: not answered yet */
export const sharedRows = (
  facets: readonly (Facet | undefined)[],
  field: Field,
  words: Words,
): readonly SharedRow[] => {
  const known = facets.map((facet) => (facet !== undefined && isKnown(facet) ? facet : null));
  return field.kind === 'values' ? valueRows(known, field, words) : intervalRows(known, field, words);
};

const valueRows = (facets: readonly (Facet | null)[], field: Field, { t }: Words): readonly SharedRow[] => {
  const values = facets.map((facet) => (facet?.kind === 'values' ? facet : null));
  return topKeys(values).map((key) => {
    const named = values.flatMap((facet) => facet?.buckets ?? []).find((bucket) => bucket.key === key);
    return {
      key,
      label: valueText(named ?? { key }, field, t),
      counts: values.map((facet) => facet && countIn(facet, key)),
    };
  });
};

const intervalRows = (
  facets: readonly (Facet | null)[],
  field: Field,
  words: Words,
): readonly SharedRow[] => {
  const ranges = facets.map((facet): RangesFacet | null =>
    facet === null || facet.kind === 'values' ? null : facet,
  );
  return sameIntervals(ranges, valuesShown).map(({ from, to, counts }) => ({
    key: String(from),
    label: intervalText(field, { from, to }, words),
    counts,
  }));
};

/** The most frequent values of each cohort in turn, so that no cohort's values displace another's. */
const topKeys = (facets: readonly (ValuesFacet | null)[]): readonly string[] => {
  const keys = new Set<string>();
  const longest = Math.max(0, ...facets.map((facet) => facet?.buckets.length ?? 0));
  for (let at = 0; at < longest && keys.size < valuesShown; at += 1)
    for (const facet of facets) {
      const key = facet?.buckets[at]?.key;
      if (key !== undefined && keys.size < valuesShown) keys.add(key);
    }
  return [...keys];
};

/**
 * A count's share of a cohort's records, counting only institutions that have the field. With the count's bounds: from the
 * lowest to the highest possible share.
 * @param of the number of those records; null: not known
 * @returns null if it is not known
 */
export const shareOf = (
  counted: Counted,
  of: number | null,
): { readonly low: number; readonly high: number } | null => {
  if (of === null || counted === null) return null;
  const part = (count: number): number => (of === 0 ? 0 : Math.min(1, count / of));
  return { low: part(counted.count), high: part(counted.upper) };
};
