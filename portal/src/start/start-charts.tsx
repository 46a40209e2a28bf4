import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import { AwaitedChart } from '../charts/awaited-chart.tsx';
import { FacetChart } from '../charts/facet-chart.tsx';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { go } from '../state/navigation.ts';
import { usePlace } from '../state/use-place.ts';
import type { View } from '../state/view.ts';
import { chartsShown, chooseCharts } from './start-question.ts';

interface StartChartsProps {
  readonly catalogue: Catalogue;
  readonly answer: Overview;
  readonly view: View;
  /** null: not chosen yet. */
  readonly charts: readonly string[] | null;
}

/** A few charts, in places that are there before them. */
export const StartCharts = ({ catalogue, answer, view, charts }: StartChartsProps) => {
  const { t } = useLocale();
  const { altered = [], levels = {}, units = {} } = usePlace().view;
  const here: View = { ...view, altered, levels, units };
  const chart = (path: string): ReactNode => {
    const facet = answer.facets.get(path);
    if (facet === undefined)
      return answer.areRangesAwaited === true ? <AwaitedChart key={path} {...{ catalogue, path }} /> : null;
    return (
      <FacetChart
        key={path}
        {...{ catalogue, facet }}
        view={here}
        onLook={(next) => go('start', next, 'replace')}
        onFilter={({ altered: _altered, levels: _levels, units: _units, ...next }) => go('explore', next)}
        isStale={false}
        total={answer.total ?? null}
        action={t.exploreThese}
      />
    );
  };
  return (
    <section className="stack">
      <h2>{t.charts}</h2>
      <div className="grid few">
        {charts === null
          ? Array.from({ length: chartsShown }, (_, at) => <article key={at} className="card chart" />)
          : charts.map(chart)}
      </div>
      <p>
        <PageLink className="plain main" page="explore" view={view}>
          {t.exploreAll}
        </PageLink>
      </p>
    </section>
  );
};

/** Institutions that answer within this time after the first take part in the choice of charts. */
const waitMs = 1000;

/** The charts, chosen once, when all fast institutions have answered: none moves, and the next visit shows the same. */
export const useChosenCharts = (
  config: PortalConfig,
  catalogue: Catalogue | undefined,
  answer: Overview | undefined,
  paths: readonly string[],
): readonly string[] | null => {
  const [isSettled, settle] = useState(false);
  const isThere = answer !== undefined;
  const isWhole = isThere && !answer.partial;
  useEffect(() => {
    if (!isThere) return;
    const waiting = setTimeout(settle, isWhole ? 0 : waitMs, true);
    return () => clearTimeout(waiting);
  }, [isThere, isWhole]);
  return useMemo(
    () =>
      answer === undefined || catalogue === undefined || !isSettled
        ? null
        : chooseCharts(config, catalogue, answer, paths),
    [config, catalogue, paths, isSettled],
  );
};
