import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Button } from 'react-aria-components';
import type { Overview } from '../../api/answer.ts';
import { rangedAmong } from '../../api/questions.ts';
import { save } from '../../api/download.ts';
import { linkNested } from '../../api/filter.ts';
import { objectOf } from '../../api/nouns.ts';
import { extentsQuery } from '../../api/queries.ts';
import { fetchOverview } from '../../api/questions.ts';
import { useCatalogue } from '../../api/use-answers.ts';
import { csvOf } from '../../charts/export-chart.ts';
import { combinedFilter, useKept } from '../../cohorts/kept.ts';
import { useSizes } from '../../cohorts/use-sizes.ts';
import type { PageProps } from '../../frame/page-props.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useRecords } from '../../look/counted.ts';
import { coverageOfTotal, hasAnswered, shortCountText } from '../../look/honest.ts';
import { CheckIcon, DownloadIcon } from '../../look/icons.tsx';
import { Tick } from '../../look/tick.tsx';
import { Trouble } from '../../look/trouble.tsx';
import { go } from '../../state/navigation.ts';
import { usePlace } from '../../state/use-place.ts';
import { viewOfCohort, type Cohort } from '../../state/view.ts';
import { GoneNote } from '../notes.tsx';
import { describeView } from '../sentence/describe-filter.ts';
import { shownPaths } from '../view-question.ts';
import { comparedRows, greatestDifference, mixRows, testOf, wholesOf } from './compared.ts';
import { ComparedField, comparisonTable, type Compared } from './compared-field.tsx';
import { Overlaps } from './overlaps.tsx';
import { sharedRows } from './shared-rows.ts';

/** Enough that what is frequent in one cohort is known of the others too. */
const valuesAsked = 100;
/** Fine intervals, so that ranks of values can be compared. */
const binsAsked = 200;
const maxCohorts = 4;

/** Two to four cohorts beside each other: what differs most comes first. */
const ComparePage = ({ config, source }: PageProps) => {
  const locale = useLocale();
  const { t, language } = locale;
  const { view } = usePlace();
  const kept = useKept();
  const { data: catalogue, error: unknown, refetch } = useCatalogue(source, language);
  const cohorts = view.cohorts ?? [];
  const nodes = view.nodes ?? null;
  const own = kept.filter((cohort) => cohort.source === source.id);
  const set = (next: readonly Cohort[], how?: 'replace'): void =>
    go('explore', { ...view, tab: 'compare', cohorts: next }, how);
  const isUnset = view.cohorts === undefined && own.length > 0;
  useEffect(() => {
    // in the address, so that a link shows others the same
    if (isUnset) set(own.slice(0, 2).map(plain), 'replace');
  }, [isUnset]);
  const paths = useMemo(
    () => (catalogue === undefined ? [] : shownPaths(config, catalogue, { ...view, filters: [] })),
    [config, catalogue, view.opened],
  );
  const ranged = useMemo(
    () => (catalogue === undefined ? [] : rangedAmong(catalogue, paths)),
    [catalogue, paths],
  );
  const { data: extents } = useQuery({ ...extentsQuery(catalogue, ranged), enabled: ranged.length > 0 });
  const fine = useMemo(
    () => new Map([...(extents ?? [])].map(([path, extent]) => [path, { ...extent, bins: binsAsked }])),
    [extents],
  );
  const isReady = catalogue !== undefined && (ranged.length === 0 || extents !== undefined);
  const answers = useQueries({
    queries: cohorts.map(({ filter }) => ({
      queryKey: ['cohort', source.id, filter, nodes, paths, [...fine]],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        fetchOverview(
          catalogue!,
          { filter: filter && linkNested(filter, catalogue!.fields), nodes, isExact: true },
          paths,
          fine,
          { asUsual: valuesAsked, more: {}, hasMedian: true },
          signal,
        ),
      enabled: isReady,
    })),
  });
  const pairs = cohorts.flatMap((one, at) => cohorts.slice(at + 1).map((other) => [one, other]));
  const shared = useSizes(
    catalogue,
    pairs.map((pair) => combinedFilter('intersection', pair)),
    nodes,
  );
  const isShared = shared.some(({ data }) => data === undefined || data.upper > 0);
  const error = unknown ?? answers.find((answer) => answer.error)?.error;
  if (catalogue === undefined)
    return error ? (
      <div className="page">
        <Trouble error={error} onRetry={() => void refetch()} />
      </div>
    ) : (
      <p className="page quiet">{t.loading}</p>
    );
  const data = answers.map((answer) => answer.data);
  const totals = data.map((answer) => answer?.total ?? null);
  const fields = paths
    .map((path): Compared => {
      const field = catalogue.fields.get(path)!;
      const facets = data.map((answer) => answer?.facets.get(path));
      const of = wholesOf(facets, totals);
      const isNested = objectOf(path, catalogue) !== null;
      return {
        field,
        facets,
        rows: comparedRows(sharedRows(facets, field, locale), of),
        tested: testOf(facets, of, { isShared, isNested }),
      };
    })
    .filter(({ rows }) => rows.length > 0)
    .sort((one, other) => greatestDifference(other.rows) - greatestDifference(one.rows));
  const mix: Compared = {
    field: null,
    facets: [],
    rows: comparedRows(mixRows(catalogue, data), totals),
    tested: null,
  };
  const compared = source.kind === 'network' ? [mix, ...fields] : fields;
  return (
    <div className="page stack wide">
      <h1>{t.compare}</h1>
      <GoneNote {...{ catalogue, view }} />
      <Picked {...{ cohorts, own }} onChange={set} />
      {cohorts.length > 0 && (
        <div className="figures" role="list" aria-label={t.cohorts}>
          {cohorts.map((cohort, at) => (
            <div key={`${at} ${cohort.name}`} role="listitem" className="cohortsize">
              <div className="row">
                <span className="dot" style={{ background: `var(--cohort-${at})` }} aria-hidden />
                <Button
                  className="bare"
                  aria-label={t.showCohort(cohort.name)}
                  onPress={() => go('explore', { ...sourceOnly(view.source), ...viewOfCohort(cohort) })}
                >
                  {cohort.name}
                </Button>
                <Button
                  className="bare"
                  aria-label={t.remove(cohort.name)}
                  onPress={() => set(cohorts.filter((_, index) => index !== at))}
                >
                  ×
                </Button>
              </div>
              <CohortSize catalogue={catalogue} overview={data[at]} />
              <p className="small quiet">
                <Sentence catalogue={catalogue} cohort={cohort} />
              </p>
            </div>
          ))}
        </div>
      )}
      {cohorts.length < 2 && <p className="quiet">{t.compareIntro}</p>}
      {error && <Trouble error={error} />}
      {cohorts.length > 1 && (
        <>
          <div className="row">
            <Button
              className="plain"
              isDisabled={data.some((answer) => answer === undefined)}
              onPress={() =>
                save(
                  csvOf(comparisonTable(compared, cohorts, locale), [
                    { head: t.source, text: source.name },
                    { head: t.date, text: new Date().toISOString().slice(0, 10) },
                    { head: t.link, text: location.href },
                  ]),
                  'comparison.csv',
                )
              }
            >
              <DownloadIcon /> {t.compareCsv}
            </Button>
          </div>
          <div className="grid comparisons">
            {source.kind === 'network' && (
              <ComparedField
                {...{ catalogue, cohorts }}
                compared={mix}
                coverage={data.map((answer) => answer && coverageOfTotal(answer, catalogue))}
              />
            )}
            <Overlaps {...{ catalogue, cohorts, nodes }} />
            {fields.map((one) => (
              <ComparedField
                key={one.field!.path}
                {...{ catalogue, cohorts }}
                compared={one}
                coverage={one.facets.map((facet) => facet?.coverage)}
              />
            ))}
          </div>
        </>
      )}
    </div>
  );
};

const plain = ({ name, filter }: Cohort): Cohort => ({ name, filter });

const sourceOnly = (source: string | undefined): { readonly source?: string } =>
  source === undefined ? {} : { source };

interface PickedProps {
  readonly cohorts: readonly Cohort[];
  readonly own: readonly Cohort[];
  readonly onChange: (cohorts: readonly Cohort[]) => void;
}

/** Which of the cohorts of this browser are compared. */
const Picked = ({ cohorts, own, onChange }: PickedProps) => {
  const { t } = useLocale();
  if (own.length === 0) return null;
  return (
    <fieldset className="picked">
      <legend className="small quiet">{t.pickCohorts}</legend>
      {own.map((cohort) => {
        const isTicked = cohorts.some(({ name }) => name === cohort.name);
        return (
          <Tick
            key={cohort.name}
            isTicked={isTicked}
            isDisabled={!isTicked && cohorts.length >= maxCohorts}
            mark={<CheckIcon />}
            onToggle={() =>
              onChange(
                isTicked ? cohorts.filter(({ name }) => name !== cohort.name) : [...cohorts, plain(cohort)],
              )
            }
          >
            <span className="text">{cohort.name}</span>
          </Tick>
        );
      })}
    </fieldset>
  );
};

type Of = Pick<Parameters<typeof Overlaps>[0], 'catalogue'>;

const Sentence = ({ catalogue, cohort }: Of & { readonly cohort: Cohort }) => {
  const locale = useLocale();
  const records = useRecords(catalogue);
  return describeView(viewOfCohort(cohort), catalogue, { ...locale, records });
};

/** How many records a cohort has, and from how many institutions. */
const CohortSize = ({ catalogue, overview }: Of & { readonly overview: Overview | undefined }) => {
  const { t, number } = useLocale();
  const records = useRecords(catalogue);
  if (overview === undefined) return <p className="quiet">{t.loading}</p>;
  const { nodes, total } = overview;
  const counted = nodes.filter((node) => hasAnswered(node) && !node.lack.decides).length;
  return (
    <>
      <div className="number">
        {total === null ? '—' : shortCountText({ ...overview, count: total }, number, t)}
      </div>
      <p className="small quiet">
        {total === null ? t.fromNobody : records(total)}
        {total !== null && counted < nodes.length && (
          <b className="gone"> {t.fromSome(counted, nodes.length)}</b>
        )}
      </p>
    </>
  );
};

export default ComparePage;
