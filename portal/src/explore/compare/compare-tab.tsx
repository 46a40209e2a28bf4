import { useQueries } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { Bin, Bucket, Facet, Overview } from '../../api/answer.ts';
import { linkNested } from '../../api/filter.ts';
import { fetchOverview } from '../../api/questions.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { coverageOfAll, hasAnswered, shortCountText, whyRanges } from '../../look/honest.ts';
import { Trouble } from '../../look/trouble.tsx';
import type { Cohort } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { SaveCohort } from '../sentence/save-cohort.tsx';
import { Overlaps } from './overlaps.tsx';
import { SideBySide } from './side-by-side.tsx';

/** Enough that what is frequent in one cohort is known of the others too. */
const valuesAsked = 100;

/** Two to four cohorts side by side. */
const CompareTab = ({ paths, ...exploration }: Exploration & { readonly paths: readonly string[] }) => {
  const { t } = useLocale();
  const { catalogue, view, question, extents, change } = exploration;
  const cohorts = view.cohorts ?? [];
  // where numbers begin and end may be known later than the rest
  const comparable = paths.filter(
    (path) => catalogue.fields.get(path)?.kind === 'values' || extents.has(path),
  );
  const answers = useQueries({
    queries: cohorts.map(({ filter }) => ({
      queryKey: ['cohort', catalogue.source.id, filter, question.nodes, comparable],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        fetchOverview(
          catalogue,
          { filter: filter && linkNested(filter, catalogue.fields), nodes: question.nodes, isExact: true },
          comparable,
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
              <span className="dot" style={{ background: `var(--cohort-${at})` }} aria-hidden />
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
      {comparable.map((path) => (
        <SideBySide
          key={path}
          field={catalogue.fields.get(path)!}
          cohorts={cohorts}
          facets={answers.map(({ data }) => data?.facets.get(path))}
          totals={answers.map(({ data }) => data?.total ?? null)}
          badge={
            <CoverageBadge
              catalogue={catalogue}
              coverage={coverageOfAll(answers.map(({ data }) => data?.facets.get(path)?.coverage))}
              ranges={whyRanges(answers.flatMap(({ data }) => countsOf(data?.facets.get(path))))}
              saysAll
            />
          }
        />
      ))}
    </div>
  );
};

const countsOf = (facet: Facet | undefined): readonly (Bucket | Bin)[] =>
  facet === undefined ? [] : facet.kind === 'values' ? facet.buckets : facet.bins;

/** How many records a cohort has, and from how many institutions. */
const CohortSize = ({ overview }: { readonly overview: Overview | undefined }) => {
  const { t, number } = useLocale();
  if (overview === undefined) return <p className="quiet">{t.loading}</p>;
  const { nodes, total } = overview;
  const counted = nodes.filter((node) => hasAnswered(node) && !node.lack.decides).length;
  return (
    <>
      <div className="number">
        {total === null ? '—' : shortCountText({ ...overview, count: total }, number, t)}
      </div>
      <p className="small quiet">
        {total === null ? t.fromNobody : t.records(total)}
        {total !== null && counted < nodes.length && (
          <b className="gone"> {t.fromSome(counted, nodes.length)}</b>
        )}
      </p>
    </>
  );
};

export default CompareTab;
