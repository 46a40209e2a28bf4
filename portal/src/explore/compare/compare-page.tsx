import { useQueries, useQuery, type QueryFunctionContext } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { save } from '../../api/download.ts';
import { linkNested } from '../../api/filter.ts';
import { fieldsOf } from '../../api/lack.ts';
import { objectOf } from '../../api/nouns.ts';
import { extentsQuery, growing } from '../../api/queries.ts';
import { fetchOverview, rangedAmong, type Question } from '../../api/questions.ts';
import { useCatalogue } from '../../api/use-answers.ts';
import { useOpenValues } from '../../charts/use-open-values.ts';
import { isGrowing, type Overview } from '../../api/answer.ts';
import type { Catalogue } from '../../api/catalogue.ts';
import { csvOf } from '../../charts/export-chart.ts';
import { combinedFilter, useKept } from '../../cohorts/kept.ts';
import { useSizes } from '../../cohorts/use-sizes.ts';
import { fileNameOf } from '../../frame/file-name.ts';
import type { PageProps } from '../../frame/page-props.ts';
import { useCohortTexts } from '../../i18n/cohorts/use-cohort-texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { coverageOfTotal } from '../../look/honest.ts';
import { DownloadIcon } from '../../look/icons.tsx';
import { Trouble } from '../../look/trouble.tsx';
import { go } from '../../state/navigation.ts';
import { usePlace } from '../../state/use-place.ts';
import { linkedCohort, type Cohort } from '../../state/view.ts';
import { GoneNote } from '../notes.tsx';
import { shownPaths } from '../view-question.ts';
import {
  comparedRows,
  eventOf,
  greatestDifference,
  mixRows,
  sharedTerms,
  testOf,
  wholesOf,
} from './compared.ts';
import { CohortCards, Picked } from './cohort-cards.tsx';
import { ComparedField, comparisonTable, type Compared } from './compared-field.tsx';
import { DifferenceLead } from './lead.tsx';
import { Overlaps } from './overlaps.tsx';
import { comparedValues, sharedRows } from './shared-rows.ts';

const Survival = lazy(() => import('./survival.tsx'));

/** Enough that values frequent in one cohort are known for the others too. */
const maxValues = 100;
/** Fine intervals, so that ranks of values can be compared. */
const maxBins = 200;

/** Two to four cohorts side by side: the most different fields come first. */
const ComparePage = ({ config, source }: PageProps) => {
  const locale = useLocale();
  const { t, language } = locale;
  const { view } = usePlace();
  const own = useKept(source.id);
  const { data: catalogue, error: unknown, refetch } = useCatalogue(source, language);
  const cohorts = view.cohorts ?? [];
  const nodes = view.nodes ?? null;
  const [deeper, setDeeper] = useState<Readonly<Record<string, string>>>({});
  const compared = JSON.stringify(cohorts.map(({ filter }) => filter));
  useEffect(() => setDeeper({}), [compared]);
  const levels = { ...deeper, ...view.levels };
  const set = (next: readonly Cohort[], how?: 'replace'): void =>
    go('explore', { ...view, tab: 'compare', cohorts: next }, how);
  const isUnset = view.cohorts === undefined && own.length > 0;
  useEffect(() => {
    // in the URL, so that a link shows the same to others
    if (isUnset) set(own.slice(0, 2).map(linkedCohort), 'replace');
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
    () => new Map([...(extents ?? [])].map(([path, extent]) => [path, { ...extent, bins: maxBins }])),
    [extents],
  );
  const questions = cohorts.map(({ filter }): Question => ({
    filter: filter && linkNested(filter, catalogue?.fields ?? new Map()),
    nodes,
    isExact: true,
  }));
  const isReady = catalogue !== undefined && (ranged.length === 0 || extents !== undefined);
  const answers = useQueries({
    queries: cohorts.map(({ filter }, at) => ({
      queryKey: ['cohort', source.id, filter, nodes, paths, [...fine], levels],
      queryFn: (context: QueryFunctionContext) =>
        fetchOverview(
          catalogue!,
          questions[at]!,
          paths,
          { asUsual: maxValues, hasMedian: true, levels },
          { ...growing(context), extents: fine },
        ),
      enabled: isReady,
    })),
  });
  const alike = sharedTerms(
    answers.map((answer) => answer.data),
    paths,
  );
  useEffect(() => {
    // their only common branch says nothing: the level below may
    if (Object.keys(alike).length > 0) setDeeper((before) => ({ ...before, ...alike }));
  }, [JSON.stringify(alike)]);
  const keys = new Map(
    paths.map((path) => [path, comparedValues(answers.map((one) => one.data?.facets.get(path)))]),
  );
  const data = useOpenValues(
    catalogue,
    answers.map((answer, at) => ({ question: questions[at]!, overview: answer.data, keys })),
  );
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
  return (
    <div className="page stack wide">
      <h1>{t.compare}</h1>
      <GoneNote {...{ catalogue, view }} />
      <Picked {...{ cohorts, own }} onChange={set} />
      <CohortCards {...{ catalogue, cohorts, data }} onChange={set} />
      {cohorts.length < 2 && <p className="quiet">{t.compareIntro}</p>}
      {error && <Trouble error={error} />}
      {cohorts.length > 1 && <Comparison {...{ catalogue, cohorts, paths, data, nodes, isShared }} />}
    </div>
  );
};

interface ComparisonProps {
  readonly catalogue: Catalogue;
  readonly cohorts: readonly Cohort[];
  readonly paths: readonly string[];
  readonly data: readonly (Overview | undefined)[];
  readonly nodes: readonly string[] | null;
  /** Some records are, or may be, in several cohorts. */
  readonly isShared: boolean;
}

/** The institutions of the cohorts, their overlaps, and their fields, the most different first. */
const Comparison = ({ catalogue, cohorts, paths, data, nodes, isShared }: ComparisonProps) => {
  const locale = useLocale();
  const words = useCohortTexts();
  const { t } = locale;
  const { source } = catalogue;
  const totals = data.map((answer) => answer?.total ?? null);
  const isAwaited = data.some((answer) => answer === undefined || isGrowing(answer));
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
    .filter(({ rows, tested }) => rows.length > 0 && (isAwaited || tested !== 'nothing'))
    .sort((one, other) => greatestDifference(other.rows) - greatestDifference(one.rows));
  const mix: Compared = {
    field: null,
    facets: [],
    rows: comparedRows(mixRows(catalogue, data), totals),
    tested: null,
  };
  const compared = source.kind === 'network' ? [mix, ...fields] : fields;
  const defining = new Set(cohorts.flatMap(({ filter }) => (filter === null ? [] : fieldsOf(filter))));
  const [told, folded] = [false, true].map((isFolded) =>
    fields.filter(({ field }) => defining.has(field!.path) === isFolded),
  );
  const cards = (shown: readonly Compared[]) =>
    shown.map((one) => (
      <ComparedField
        key={one.field!.path}
        {...{ catalogue, cohorts }}
        compared={one}
        coverage={one.facets.map((facet) => facet?.coverage)}
      />
    ));
  const survivalFields = catalogue.survival;
  const event = survivalFields && eventOf(fields, survivalFields);
  return (
    <>
      {survivalFields === null ? (
        <DifferenceLead cohorts={cohorts} compared={told![0]} />
      ) : (
        <Suspense fallback={<p className="quiet">{t.loading}</p>}>
          <Survival {...{ catalogue, cohorts, nodes, isShared, event }} fields={survivalFields} />
        </Suspense>
      )}
      <div className="row">
        <Button
          className="plain"
          isDisabled={isAwaited}
          onPress={() =>
            save(
              csvOf(comparisonTable(compared, cohorts, { t, words }), [
                { head: t.source, text: source.name },
                { head: t.date, text: new Date().toISOString().slice(0, 10) },
                { head: t.link, text: location.href },
              ]),
              fileNameOf(source, t.compare, 'csv'),
            )
          }
        >
          <DownloadIcon /> {words.compareCsv}
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
        {cards(told!)}
      </div>
      {folded!.length > 0 && (
        <details>
          <summary>
            {words.definedBy} <small>{locale.number(folded!.length)}</small>
          </summary>
          <div className="grid comparisons">{cards(folded!)}</div>
        </details>
      )}
    </>
  );
};

export default ComparePage;
