import type { ReactNode } from 'react';
import type { Bucket, Facet, RangesFacet, ValuesFacet } from '../../api/answer.ts';
import { isYear, titleOf, type Field } from '../../api/fields.ts';
import type { Formats } from '../../i18n/formats.ts';
import type { Messages } from '../../i18n/en.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { countText, coveredRecords, valueText } from '../../look/honest.ts';
import type { Cohort } from '../../state/view.ts';
import { sameIntervals } from './same-intervals.ts';

const valuesShown = 12;

interface SideBySideProps {
  readonly field: Field;
  readonly cohorts: readonly Cohort[];
  readonly facets: readonly (Facet | undefined)[];
  readonly totals: readonly (number | null)[];
  readonly badge: ReactNode;
}

/** A value or an interval, and what is known of it in each cohort. */
interface SharedRow {
  readonly key: string;
  readonly label: string;
  readonly counts: readonly Counted[];
}

/** null: that cohort has no answer yet; without `isKnown`, the count is between nothing and the upper bound. */
type Counted = (Pick<Bucket, 'count' | 'upper' | 'estimate'> & { readonly isKnown: boolean }) | null;

/** Shares are of the records of those institutions that have the field: cohorts of any size can be compared. */
export const SideBySide = ({ field, cohorts, facets, totals, badge }: SideBySideProps) => {
  const locale = useLocale();
  const { t, number, percent } = locale;
  const rows = field.kind === 'values' ? valueRows(facets, t) : intervalRows(facets, field, locale);
  if (rows.length === 0) return null;
  const title = titleOf(field);
  return (
    <article className="card chart" aria-label={title}>
      <h3>
        {title} {badge}
      </h3>
      <div className="tablebox" tabIndex={0} role="region" aria-label={`${t.compare}: ${title}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.value}</th>
              {cohorts.map((cohort, at) => (
                <th key={at} scope="col" className="n">
                  {cohort.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, label, counts }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                {counts.map((counted, at) => {
                  const of = facets[at] === undefined ? null : coveredRecords(facets[at], totals[at] ?? null);
                  const share =
                    of === null || counted === null || !counted.isKnown
                      ? null
                      : of === 0
                        ? 0
                        : counted.count / of;
                  const shownShare = share === null ? '' : `${percent(share)} · `;
                  return (
                    <td key={at} className="n">
                      {counted === null ? '…' : `${shownShare}${countText(counted, number, t)}`}
                      <span className="value-share" aria-hidden>
                        <span style={{ width: `${100 * (share ?? 0)}%`, background: `var(--node-${at})` }} />
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
};

const valueRows = (facets: readonly (Facet | undefined)[], t: Messages): readonly SharedRow[] => {
  const values = facets.map((facet) => (facet?.kind === 'values' ? facet : null));
  return topKeys(values).map((key) => ({
    key,
    label: valueText(
      values.flatMap((facet) => facet?.buckets.find((each) => each.key === key) ?? [])[0] ?? { key },
      t,
    ),
    counts: values.map((facet): Counted => {
      if (facet === null) return null;
      const bucket = facet.buckets.find((each) => each.key === key);
      return bucket === undefined
        ? { count: 0, upper: facet.unlistedUpper, isKnown: facet.unlistedUpper === 0 }
        : { ...bucket, isKnown: true };
    }),
  }));
};

const intervalRows = (
  facets: readonly (Facet | undefined)[],
  { path, kind, unit }: Field,
  { t, number, day, bytes }: Formats & { readonly t: Messages },
): readonly SharedRow[] => {
  const ranges = facets.map((facet): RangesFacet | null =>
    facet === undefined || facet.kind === 'values' ? null : facet,
  );
  const show = kind === 'dates' ? day : unit === 'bytes' ? bytes : isYear(path) ? String : number;
  return sameIntervals(ranges, valuesShown).map(({ from, to, counts }) => ({
    key: String(from),
    label: t.rangeOf(show(from), show(to)),
    counts: counts.map((counted) => counted && { ...counted, isKnown: true }),
  }));
};

/** The most frequent values of each cohort in turn, so that none hides another's. */
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
