import { useQueries } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { Facet, Overview, ValuesFacet } from '../../api/answer.ts';
import { askOverview } from '../../api/questions.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { countText, coveredRecords, shortCountText } from '../../look/honest.ts';
import { Trouble } from '../../look/trouble.tsx';
import type { Cohort } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { SaveCohort } from '../sentence/save-cohort.tsx';
import { Overlaps } from './overlaps.tsx';

/** Enough that what is frequent in one cohort is known of the others too. */
const valuesAsked = 100;
const valuesShown = 12;

/** Two to four cohorts side by side. */
const CompareTab = ({ paths, ...exploration }: Exploration & { readonly paths: readonly string[] }) => {
  const { t, number } = useLocale();
  const { catalogue, view, question, extents, change } = exploration;
  const cohorts = view.cohorts ?? [];
  const asked = paths.filter((path) => catalogue.fields.get(path)?.kind === 'values');
  const answers = useQueries({
    queries: cohorts.map(({ filter }) => ({
      queryKey: ['cohort', catalogue.source.id, filter, question.nodes, asked],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        askOverview(
          catalogue,
          { filter, nodes: question.nodes, isExact: true },
          asked,
          extents,
          { asUsual: valuesAsked, more: {} },
          signal,
        ),
    })),
  });
  const error = answers.find((answer) => answer.error)?.error;
  const show = ({ filter }: Cohort): void => {
    const filters =
      filter === null ? [] : filter.op === 'and' || filter.op === 'or' ? filter.content : [filter];
    const { filters: _filters, join: _join, tab: _tab, ...rest } = view;
    change({
      ...rest,
      ...(filters.length === 0 ? {} : { filters: filters as never }),
      ...(filter?.op === 'or' ? { join: 'or' as const } : {}),
    });
  };
  if (cohorts.length === 0)
    return (
      <div className="note">
        <p>
          <b>{t.noCohorts}</b>
        </p>
        <p>{t.compareIntro}</p>
        <SaveCohort {...exploration} />
      </div>
    );
  return (
    <div className="stack wide">
      <div className="figures" role="list" aria-label={t.cohorts}>
        {cohorts.map((cohort, at) => (
          <div key={`${at} ${cohort.name}`} role="listitem">
            <div className="row">
              <span className="dot" style={{ background: `var(--node-${at})` }} aria-hidden />
              <Button className="bare" aria-label={t.showCohort(cohort.name)} onPress={() => show(cohort)}>
                {cohort.name}
              </Button>
              <Button
                className="bare"
                aria-label={t.remove(cohort.name)}
                onPress={() => change({ ...view, cohorts: cohorts.filter((_, index) => index !== at) })}
              >
                ×
              </Button>
            </div>
            <CohortSize overview={answers[at]?.data} />
          </div>
        ))}
      </div>
      {cohorts.length < 2 && <p className="quiet">{t.compareIntro}</p>}
      {error && <Trouble error={error} />}
      {cohorts.length > 1 && <Overlaps catalogue={catalogue} cohorts={cohorts} nodes={question.nodes} />}
      {asked.map((path) => (
        <SideBySide
          key={path}
          name={catalogue.fields.get(path)!.name}
          cohorts={cohorts}
          facets={answers.map(({ data }) => data?.facets.get(path))}
          totals={answers.map(({ data }) => data?.total ?? null)}
          badge={
            <CoverageBadge
              catalogue={catalogue}
              coverage={answers[0]?.data?.facets.get(path)?.coverage ?? null}
              saysAll
            />
          }
          number={number}
        />
      ))}
    </div>
  );
};

const CohortSize = ({ overview }: { readonly overview: Overview | undefined }) => {
  const { t, number } = useLocale();
  if (overview === undefined) return <p className="quiet">{t.loading}</p>;
  return (
    <>
      <div className="number">
        {overview.total === null ? '—' : shortCountText({ ...overview, count: overview.total }, number, t)}
      </div>
      <p className="small quiet">
        {overview.total === null ? t.fromNobody : t.records(overview.total)}
        {overview.partial && (
          <b className="gone">
            {' '}
            {t.fromSome(overview.nodes.filter(({ hits }) => hits !== null).length, overview.nodes.length)}
          </b>
        )}
      </p>
    </>
  );
};

interface SideBySideProps {
  readonly name: string;
  readonly cohorts: readonly Cohort[];
  readonly facets: readonly (Facet | undefined)[];
  readonly totals: readonly (number | null)[];
  readonly badge: React.ReactNode;
  readonly number: (value: number) => string;
}

/** Shares are of the records of those institutions that have the field: cohorts of any size can be compared. */
const SideBySide = ({ name, cohorts, facets, totals, badge, number }: SideBySideProps) => {
  const { t, percent } = useLocale();
  const values = facets.map((facet) => (facet?.kind === 'values' ? facet : null));
  const keys = topKeys(values);
  if (keys.length === 0) return null;
  return (
    <article className="card chart" aria-label={name}>
      <h3>
        {name} {badge}
      </h3>
      <div className="tablebox" tabIndex={0} role="region" aria-label={`${t.compare}: ${name}`}>
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
            {keys.map((key) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                {values.map((facet, at) => {
                  const bucket = facet?.buckets.find((each) => each.key === key);
                  const of = facet == null ? null : coveredRecords(facet, totals[at] ?? null);
                  const unlisted = facet?.unlistedUpper ?? 0;
                  const isKnown = bucket !== undefined || unlisted === 0;
                  const share = of === null || !isKnown ? null : of === 0 ? 0 : (bucket?.count ?? 0) / of;
                  const shownShare = share === null ? '' : `${percent(share)} · `;
                  return (
                    <td key={at} className="n">
                      {facet == null
                        ? '…'
                        : `${shownShare}${countText(bucket ?? { count: 0, upper: unlisted }, number, t)}`}
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

/** The most frequent values of each cohort in turn, so that none hides another's. */
const topKeys = (facets: readonly (ValuesFacet | null)[]): readonly string[] => {
  const keys = new Set<string>();
  for (let at = 0; at < valuesAsked && keys.size < valuesShown; at += 1)
    for (const facet of facets) {
      const key = facet?.buckets[at]?.key;
      if (key !== undefined && keys.size < valuesShown) keys.add(key);
    }
  return [...keys];
};

export default CompareTab;
