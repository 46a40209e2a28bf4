import { useMemo } from 'react';
import { useCatalogue, useOverview } from '../api/use-answers.ts';
import { AwaitedChart } from '../charts/awaited-chart.tsx';
import { FacetChart } from '../charts/facet-chart.tsx';
import { PageLink } from '../frame/page-link.tsx';
import type { PageProps } from '../frame/page-props.ts';
import { SearchBox } from '../frame/search-box.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { Trouble } from '../look/trouble.tsx';
import { withRange, withValues } from '../state/edit.ts';
import { go } from '../state/navigation.ts';
import type { View } from '../state/view.ts';
import { Figures, Institutions } from './figures.tsx';
import { chartSizes, everything, startPaths } from './start-question.ts';

/** What is here, how much, from whom: at one look, and every number leads on. */
const StartPage = ({ config, source }: PageProps) => {
  const { t, pick, language } = useLocale();
  const { data: catalogue, error, refetch } = useCatalogue(source, language);
  const paths = useMemo(
    () => (catalogue === undefined ? [] : startPaths(config, catalogue)),
    [config, catalogue],
  );
  const overview = useOverview(catalogue, everything, paths, chartSizes);
  const view: View = source.id === config.sources[0]?.id ? {} : { source: source.id };
  const trouble = error ?? overview.error;
  const answer = overview.data;
  return (
    <div className="page stack wide">
      <section className="hero">
        <h1>{config.look.name === undefined ? source.name : pick(config.look.name)}</h1>
        <p className="quiet">
          {config.look.tagline === undefined
            ? (source.description ?? t.startIntro)
            : pick(config.look.tagline)}
        </p>
        <SearchBox source={source} isLarge />
      </section>
      {trouble && (
        <Trouble
          error={trouble}
          onRetry={() => {
            void refetch();
            void overview.refetch();
          }}
        />
      )}
      {answer !== undefined && catalogue !== undefined && (
        <>
          <Figures {...{ source, catalogue, answer, view }} />
          {source.kind === 'network' && <Institutions {...{ catalogue, answer, view }} />}
          <section className="stack">
            <h2>{t.charts}</h2>
            <div className="grid">
              {paths.map((path) => {
                const facet = answer.facets.get(path);
                if (facet === undefined)
                  return answer.areRangesAwaited === true ? (
                    <AwaitedChart key={path} {...{ catalogue, path }} />
                  ) : null;
                return (
                  <FacetChart
                    key={path}
                    {...{ catalogue, facet }}
                    isStale={false}
                    onChooseValue={(key) => go('explore', withValues(view, path, [key]))}
                    onChooseRange={(from, to) => go('explore', withRange(view, path, from, to))}
                  />
                );
              })}
            </div>
            <p>
              <PageLink className="plain main" page="explore" view={view}>
                {t.exploreAll}
              </PageLink>
            </p>
          </section>
        </>
      )}
      {config.sources.length > 1 && <Sources config={config} source={source} />}
      {answer === undefined && !trouble && <p className="quiet">{t.loading}</p>}
    </div>
  );
};

const Sources = ({ config, source }: PageProps) => {
  const { t } = useLocale();
  return (
    <section className="stack">
      <h2>{t.pickSource}</h2>
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
