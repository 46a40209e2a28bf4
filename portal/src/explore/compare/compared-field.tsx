import type { Coverage, Facet } from '../../api/answer.ts';
import type { Catalogue } from '../../api/catalogue.ts';
import { titleOf, type Field } from '../../api/fields.ts';
import type { ChartTable } from '../../charts/chart-table.ts';
import type { CohortTexts } from '../../i18n/cohorts/en.ts';
import type { Messages } from '../../i18n/en.ts';
import { useCohortTexts } from '../../i18n/cohorts/use-cohort-texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { countText, coverageOfAll, whyRanges } from '../../look/honest.ts';
import { showValue } from '../../look/show-value.ts';
import type { Cohort } from '../../state/view.ts';
import type { Words } from '../sentence/describe-filter.ts';
import type { ComparedRow, Untested } from './compared.ts';
import type { Tested } from './statistics.ts';

/** A field of several cohorts; null: the institutions they are from. */
export interface Compared {
  readonly field: Field | null;
  readonly facets: readonly (Facet | undefined)[];
  readonly rows: readonly ComparedRow[];
  /** null: nothing is tested. */
  readonly tested: Tested | Untested | null;
}

interface ComparedFieldProps {
  readonly catalogue: Catalogue;
  readonly cohorts: readonly Cohort[];
  readonly compared: Compared;
  readonly coverage: readonly (readonly Coverage[] | null | undefined)[];
}

/** The values of two cohorts as bars in opposite directions, on one scale; for more cohorts as bars side by side. */
export const ComparedField = ({ catalogue, cohorts, compared, coverage }: ComparedFieldProps) => {
  const locale = useLocale();
  const { t } = locale;
  const words = useCohortTexts();
  const { field, facets, rows, tested } = compared;
  const title = field === null ? t.institutions : titleOf(field);
  const isMirrored = cohorts.length === 2;
  const widest = Math.max(0.01, ...rows.flatMap(({ shares }) => shares.map((share) => share?.high ?? 0)));
  const cells = (row: ComparedRow, from: number, to: number) =>
    row.counts.slice(from, to).map((counted, at) => (
      <td key={from + at} className={isMirrored && from === 0 ? 'n' : undefined}>
        <ShareCell
          {...{ row, widest }}
          at={from + at}
          isAwaited={counted === null && isAwaited(facets, from + at)}
        />
      </td>
    ));
  const heads = cohorts.map(({ name }, at) => (
    <th key={at} scope="col" className={isMirrored && at === 0 ? 'n' : undefined}>
      <span className="dot" style={{ background: `var(--cohort-${at})` }} aria-hidden /> {name}
    </th>
  ));
  // institutions have one order everywhere
  const sorted = field?.kind === 'values' ? byDifference(rows) : rows;
  return (
    <article className="card chart" aria-label={title}>
      <h3>
        {title}{' '}
        <CoverageBadge
          catalogue={catalogue}
          coverage={coverageOfAll(coverage)}
          ranges={whyRanges(rows.flatMap(({ counts }) => counts.filter((each) => each !== null)))}
          saysAll
        />
      </h3>
      <div className="tablebox shares" tabIndex={0} role="region" aria-label={`${t.compare}: ${title}`}>
        <table className={isMirrored ? 'mirrored' : undefined}>
          <thead>
            <tr>
              {isMirrored && heads[0]}
              <th scope="col">{field === null ? t.institution : t.value}</th>
              {isMirrored ? heads[1] : heads}
              <th scope="col" className="n">
                {words.points}
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <tr key={row.key}>
                {isMirrored && cells(row, 0, 1)}
                <th scope="row">{row.label}</th>
                {cells(row, isMirrored ? 1 : 0, cohorts.length)}
                <td className="n">{pointsText(row, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Medians {...{ cohorts, field, facets }} />
      {tested !== null && <Verdict tested={tested} />}
    </article>
  );
};

const isAwaited = (facets: readonly (Facet | undefined)[], at: number): boolean =>
  facets.length > 0 && facets[at] === undefined;

const byDifference = (rows: readonly ComparedRow[]): readonly ComparedRow[] =>
  rows.toSorted((one, other) => Math.abs(other.difference ?? 0) - Math.abs(one.difference ?? 0));

/** In percentage points, with its sign. */
const pointsText = ({ difference }: ComparedRow, { number }: Words): string => {
  if (difference === null) return '';
  const points = Math.round(difference * 1000) / 10;
  return `${points > 0 ? '+' : points < 0 ? '−' : ''}${number(Math.abs(points))}`;
};

interface ShareCellProps {
  readonly row: ComparedRow;
  readonly at: number;
  readonly widest: number;
  readonly isAwaited: boolean;
}

const ShareCell = ({ row, at, widest, isAwaited: isLoading }: ShareCellProps) => {
  const { t, number, percent } = useLocale();
  const [counted, share] = [row.counts[at]!, row.shares[at] ?? null];
  const shown =
    share === null
      ? ''
      : `${share.high > share.low ? t.atLeast(percent(share.low), percent(share.high)) : percent(share.low)} · `;
  return (
    <>
      {counted === null ? (isLoading ? '…' : '—') : shown + countText(counted, number, t)}
      <span className="value-share" aria-hidden>
        <span
          style={{ width: `${(100 * (share?.low ?? 0)) / widest}%`, background: `var(--cohort-${at})` }}
        />
      </span>
    </>
  );
};

type MediansProps = Pick<Compared, 'field' | 'facets'> & { readonly cohorts: readonly Cohort[] };

const Medians = ({ cohorts, field, facets }: MediansProps) => {
  const locale = useLocale();
  const { t } = locale;
  const words = useCohortTexts();
  const medians = facets.map((facet) => (facet?.kind === 'numbers' ? (facet.median ?? null) : null));
  if (field === null || medians.every((median) => median === null)) return null;
  const show = showValue(field, locale);
  const texts = cohorts.map(({ name }, at) =>
    t.labelled(name, medians[at] == null ? '—' : show(medians[at])),
  );
  return <p className="small">{t.labelled(words.median, texts.join(' · '))}</p>;
};

/** The result of a test, and its meaning. */
export const Verdict = ({ tested }: { readonly tested: Tested | Untested }) => {
  const locale = useLocale();
  const words = useCohortTexts();
  if (tested === 'nothing') return null;
  if (typeof tested === 'string') return <p className="small quiet">{words.untested[tested]}</p>;
  return (
    <div className="small verdict">
      <span>{verdictText(tested, locale, words)}</span>
      <details>
        <summary>{words.whatIsThis}</summary>
        <p className="quiet">{words.testedWhy[tested.kind]}</p>
      </details>
    </div>
  );
};

const verdictText = (
  { kind, statistic, degrees, p, effect }: Tested,
  { number, percent }: Words,
  words: CohortTexts,
): string => {
  const round = (value: number, digits: number): string => number(Number(value.toFixed(digits)));
  return words.tested[kind](
    round(statistic, 2),
    degrees === null ? '' : number(degrees),
    p < 0.001 ? `< ${number(0.001)}` : round(p, 3),
    effect === null ? '' : kind === 'chiSquared' ? round(effect, 2) : percent(effect),
  );
};

/** The whole comparison as one table: a row for each value. */
export const comparisonTable = (
  all: readonly Compared[],
  cohorts: readonly Cohort[],
  { t, words }: { readonly t: Messages; readonly words: CohortTexts },
): ChartTable => ({
  head: [
    t.field,
    t.value,
    ...cohorts.flatMap(({ name }) => [`${name}: ${t.total}`, `${name}: ${t.atMost}`, `${name}: ${t.share1}`]),
    words.points,
    words.test,
    'p',
    words.effect,
  ],
  rows: all.flatMap(({ field, rows, tested }) => {
    const test = tested === null || typeof tested === 'string' ? null : tested;
    return rows.map((row) => [
      field === null ? t.institutions : titleOf(field),
      row.label,
      ...row.counts.flatMap((counted, at) => [
        counted?.count ?? '',
        counted === null || counted.upper === Infinity ? '' : counted.upper,
        row.shares[at]?.low ?? '',
      ]),
      row.difference === null ? '' : row.difference * 100,
      test?.kind ?? '',
      test?.p ?? '',
      test?.effect ?? '',
    ]);
  }),
});
