import type { ReactNode } from 'react';
import type { Facet } from '../../api/answer.ts';
import { titleOf, type Field } from '../../api/fields.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { countText } from '../../look/honest.ts';
import type { Cohort } from '../../state/view.ts';
import { sharedRows, shareOf, type Counted } from './shared-rows.ts';

interface SideBySideProps {
  readonly field: Field;
  readonly cohorts: readonly Cohort[];
  readonly facets: readonly (Facet | undefined)[];
  readonly totals: readonly (number | null)[];
  readonly badge: ReactNode;
}

/** Shares are of the records of those institutions that have the field: cohorts of any size can be compared. */
export const SideBySide = ({ field, cohorts, facets, totals, badge }: SideBySideProps) => {
  const locale = useLocale();
  const { t } = locale;
  const rows = sharedRows(facets, field, locale);
  if (rows.length === 0) return null;
  const title = titleOf(field);
  return (
    <article className="card chart" aria-label={title}>
      <h3>
        {title} {badge}
      </h3>
      <div className="tablebox shares" tabIndex={0} role="region" aria-label={`${t.compare}: ${title}`}>
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
                {counts.map((counted, at) => (
                  <CountCell
                    key={at}
                    at={at}
                    {...{ counted }}
                    facet={facets[at]}
                    total={totals[at] ?? null}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
};

interface CountCellProps {
  readonly at: number;
  readonly counted: Counted;
  readonly facet: Facet | undefined;
  readonly total: number | null;
}

const CountCell = ({ at, counted, facet, total }: CountCellProps) => {
  const { t, number, percent } = useLocale();
  const share = shareOf(counted, facet, total);
  const shown =
    share === null
      ? ''
      : `${share.high > share.low ? t.atLeast(percent(share.low), percent(share.high)) : percent(share.low)} · `;
  return (
    <td className="n">
      {counted === null ? (facet === undefined ? '…' : '—') : shown + countText(counted, number, t)}
      <span className="value-share" aria-hidden>
        <span style={{ width: `${100 * (share?.low ?? 0)}%`, background: `var(--cohort-${at})` }} />
      </span>
    </td>
  );
};
