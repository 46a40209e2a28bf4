import { lazy, Suspense, useMemo } from 'react';
import type { Catalogue } from '../api/catalogue.ts';
import { useCatalogue, useOverview } from '../api/use-answers.ts';
import { timePath } from '../explore/timeline-path.ts';
import { PageLink } from '../frame/page-link.tsx';
import type { PageProps } from '../frame/page-props.ts';
import { SearchBox } from '../frame/search-box.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { hasImages } from '../images/images.ts';
import { useRecords } from '../look/counted.ts';
import { countText, hasAnswered } from '../look/honest.ts';
import { shortName } from '../look/node-colours.ts';
import { Trouble } from '../look/trouble.tsx';
import { usePlace } from '../state/use-place.ts';
import type { View } from '../state/view.ts';
import { Figures } from './figures.tsx';
import { Institutions } from './institutions.tsx';
import { Questions } from './questions.tsx';
import { StartCharts, useChosenCharts } from './start-charts.tsx';
import { chartSizes, everything, startPaths } from './start-question.ts';

const PlaceMap = lazy(() => import('./place-map.tsx'));
const StartPictures = lazy(() => import('../images/start-pictures.tsx'));

/** If there are more institutions, the sentence states only their number. */
const namedInstitutions = 4;

const hasPlaces = ({ nodes }: Catalogue): boolean => nodes.some(({ about }) => about?.place !== undefined);

/** The content, its size and its institutions at a glance; every number links further. */
const StartPage = ({ config, source }: PageProps) => {
  const { t, pick, language, number, list } = useLocale();
  const { data: catalogue, error, refetch } = useCatalogue(source, language);
  const records = useRecords(catalogue);
  const paths = useMemo(
    () => (catalogue === undefined ? [] : startPaths(config, catalogue)),
    [config, catalogue],
  );
  const overview = useOverview(catalogue, everything, paths, chartSizes(usePlace().view));
  const view: View = source.id === config.sources[0]?.id ? {} : { source: source.id };
  const trouble = error ?? overview.error;
  const answer = overview.data;
  const charts = useChosenCharts(config, catalogue, answer, paths);
  const time = catalogue === undefined ? null : timePath(catalogue, paths);
  const answered = answer?.nodes.filter(hasAnswered) ?? [];
  const isEmpty = answer !== undefined && answer.total === 0 && answer.upper === 0 && !answer.partial;
  const about =
    source.description ??
    (answer === undefined || catalogue === undefined || answer.total === null || isEmpty
      ? t.startIntro
      : t.startAbout(
          `${countText({ ...answer, count: answer.total }, number, t)} ${records(answer.total)}`,
          source.kind === 'catalogue'
            ? ''
            : answered.length > namedInstitutions
              ? `${number(answered.length)} ${t.institutionsOf(answered.length)}`
              : list(answered.map(({ name }) => shortName(name))),
          list((charts ?? []).map((path) => t.nameInText(catalogue.fields.get(path)?.name ?? path))),
        ));
  return (
    <div className="page stack wide">
      <div className="arrival">
        <section className="hero">
          {config.look.logo !== undefined && <img className="logo" src={config.look.logo} alt="" />}
          <h1>{config.look.name === undefined ? source.name : pick(config.look.name)}</h1>
          <p className="quiet lead">
            {config.look.tagline === undefined ? about : pick(config.look.tagline)}
          </p>
          <SearchBox source={source} look={config.look} isLarge />
          <div className="questions">
            {answer !== undefined && catalogue !== undefined && charts !== null && (
              <Questions {...{ config, catalogue, answer, charts: paths, view }} />
            )}
          </div>
        </section>
        {catalogue !== undefined && hasPlaces(catalogue) && (
          <Suspense fallback={<div className="map" />}>
            <PlaceMap {...{ catalogue, view }} />
          </Suspense>
        )}
      </div>
      {trouble && (
        <Trouble
          error={trouble}
          onRetry={() => {
            void refetch();
            void overview.refetch();
          }}
        />
      )}
      {isEmpty && <p className="note">{t.startEmpty}</p>}
      {answer === undefined || catalogue === undefined ? (
        !trouble && <div className="figures awaited">{t.loading}</div>
      ) : (
        <>
          <Figures {...{ source, catalogue, answer, view, time }} />
          {hasImages(catalogue) && (
            <Suspense fallback={<div className="thumbs awaited" />}>
              <StartPictures {...{ catalogue, view }} />
            </Suspense>
          )}
          {source.kind === 'network' && <Institutions {...{ catalogue, answer, view, time }} />}
          {!isEmpty && <StartCharts {...{ catalogue, answer, view, charts }} />}
        </>
      )}
      {config.sources.length > 1 && (answer !== undefined || trouble) && (
        <Sources config={config} source={source} />
      )}
    </div>
  );
};

const Sources = ({ config, source }: PageProps) => {
  const { t } = useLocale();
  return (
    <section className="stack">
      <h2>{config.sources.some(({ kind }) => kind === 'network') ? t.pickSource : t.source}</h2>
      <ul className="grid">
        {config.sources
          .filter(({ id }) => id !== source.id)
          .map(({ id, name, description, status }) => (
            <li key={id} className="card">
              <h3>
                <PageLink page="start" view={{ source: id }}>
                  {name}
                </PageLink>
              </h3>
              <p className="small quiet">{status === 'failed' ? t.failedSource : description}</p>
            </li>
          ))}
      </ul>
    </section>
  );
};

export default StartPage;
