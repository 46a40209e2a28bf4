import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type FocusEvent } from 'react';
import { Button, setInteractionModality, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { overviewQuery } from '../api/queries.ts';
import { hasImages } from '../images/images.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import type { FacetSizes } from '../api/questions.ts';
import { useCatalogue, useOverview } from '../api/use-answers.ts';
import type { PageProps } from '../frame/page-props.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useNarrow } from '../look/use-narrow.ts';
import { WithheldNote } from '../look/withheld.tsx';
import { Trouble } from '../look/trouble.tsx';
import { currentPlace, go } from '../state/navigation.ts';
import { usePlace } from '../state/use-place.ts';
import type { View } from '../state/view.ts';
import type { Exploration } from './exploration.ts';
import { FacetPanel } from './facets/facet-panel.tsx';
import { Headline } from './headline.tsx';
import { GoneNote, NothingNote } from './notes.tsx';
import { questionText } from './sentence/question-text.ts';
import { Sentence } from './sentence/sentence.tsx';
import { useTermsOf } from './sentence/use-terms.ts';
import { timelinePath } from './timeline-path.ts';
import { questionOf, shownPaths, sizesOf } from './view-question.ts';

const FacetSheet = lazy(() => import('./facets/facet-sheet.tsx'));
const Charts = lazy(() => import('../charts/charts-tab.tsx'));
const Timeline = lazy(() => import('./timeline.tsx'));
const Gallery = lazy(() => import('../images/gallery.tsx'));
const RecordTable = lazy(() => import('./table/record-table.tsx'));

/** Tabs whose code is loaded when they are opened. */
const laterTabs = [
  ['gallery', Gallery],
  ['charts', Charts],
] as const;

/** Explore: filter, watch the counts, view the records, export them. */
const ExplorePage = ({ config, source }: PageProps) => {
  const locale = useLocale();
  const { t, language, pick } = locale;
  const { view } = usePlace();
  const { data: catalogue, error: unknown, refetch: describeAgain } = useCatalogue(source, language);
  const [more, setMore] = useState<FacetSizes['more']>({});
  const isPictured = catalogue !== undefined && hasImages(catalogue);
  const tab = tabOf(view, isPictured);
  const paths = useMemo(
    () => (catalogue === undefined ? [] : shownPaths(config, catalogue, view)),
    [config, catalogue, view],
  );
  const question = useMemo(() => questionOf(view, catalogue), [view, catalogue]);
  const termOf = useTermsOf(view.filters ?? [], catalogue);
  const asText = catalogue === undefined ? '' : questionText(view, catalogue, { ...locale, termOf });
  useEffect(() => {
    const name = config.look.name === undefined ? source.name : pick(config.look.name);
    document.title = [asText === '' ? t.pages.explore : asText, name].join(' · ');
  }, [asText, t, pick, config, source]);
  const overview = useOverview(catalogue, question, paths, sizesOf(view, more));
  const change = useChange(config, catalogue, more);
  const edit = useCallback((how: (view: View) => View) => change(how(currentPlace().view)), [change]);
  const showMore = useCallback(
    (path: string, count: number) => setMore((before) => ({ ...before, [path]: count })),
    [],
  );
  if (unknown)
    return (
      <div id="results" className="page" tabIndex={-1}>
        <Trouble error={unknown} onRetry={() => void describeAgain()} />
      </div>
    );
  if (catalogue === undefined)
    return (
      <p id="results" className="page quiet" tabIndex={-1}>
        {t.loading}
      </p>
    );
  const exploration: Exploration = {
    config,
    catalogue,
    view,
    question,
    overview: overview.data ?? null,
    isStale: overview.isPlaceholderData,
    hasFailed: overview.error !== null,
    extents: overview.extents ?? new Map(),
    change,
    edit,
    showMore,
  };
  // skipping to the results leads to the table, past the parts above it
  const hasRecords =
    tab === 'table' && catalogue.disclosure === null && !overview.error && overview.data !== undefined;
  return (
    <div className="explore" onFocus={expectKeys}>
      <h1 className="away">{t.pages.explore}</h1>
      <Sentence {...exploration} />
      <Facets {...exploration} paths={paths} />
      <section id={hasRecords ? undefined : 'results'} tabIndex={-1} aria-label={t.records(2)}>
        <h2 className="away">{t.records(2)}</h2>
        <GoneNote {...exploration} />
        {overview.error ? (
          <Trouble error={overview.error} onRetry={() => void overview.refetch()} />
        ) : (
          <>
            <Headline {...exploration} onRetry={() => void overview.refetch()} />
            <Tabs selectedKey={tab} onSelectionChange={(key) => go('explore', withTab(view, String(key)))}>
              <div className="tabs">
                <TabList aria-label={t.pages.explore}>
                  <Tab id="table">{t.table}</Tab>
                  {isPictured && <Tab id="gallery">{t.gallery}</Tab>}
                  <Tab id="charts">{t.charts}</Tab>
                </TabList>
              </div>
              <NothingNote {...exploration} />
              {overview.data && <WithheldNote nodes={overview.data.nodes} />}
              <TabPanel id="table">
                <TimelineBox {...exploration} isAwaited={overview.data === undefined} />
                {hasRecords && (
                  <div id="results" tabIndex={-1}>
                    <Suspense fallback={<p className="quiet">{t.loading}</p>}>
                      <RecordTable {...exploration} />
                    </Suspense>
                  </div>
                )}
              </TabPanel>
              <LaterTabs {...exploration} isPictured={isPictured} />
            </Tabs>
          </>
        )}
      </section>
    </div>
  );
};

const LaterTabs = ({ isPictured, ...exploration }: Exploration & { readonly isPictured: boolean }) => {
  const { t } = useLocale();
  return laterTabs
    .filter(([id]) => id !== 'gallery' || isPictured)
    .map(([id, Content]) => (
      <TabPanel key={id} id={id}>
        <Suspense fallback={<p className="quiet">{t.loading}</p>}>
          <Content {...exploration} />
        </Suspense>
      </TabPanel>
    ));
};

const tabOf = ({ tab = 'table' }: View, isPictured: boolean): NonNullable<View['tab']> =>
  tab === 'gallery' && !isPictured ? 'table' : tab;

/** The timeline above the records, or the button that shows it again. Its code is loaded after the first counts. */
const TimelineBox = ({ isAwaited, ...exploration }: Exploration & { readonly isAwaited: boolean }) => {
  const { t } = useLocale();
  const { config, catalogue, view, change } = exploration;
  if (timelinePath(config, catalogue, view) === null)
    return view.timeline === '' ? (
      <Button className="bare" onPress={() => change(withoutTimeline(view))}>
        {t.showTimeline}
      </Button>
    ) : null;
  return (
    <Suspense fallback={<div className="timelinebox" />}>
      {isAwaited ? <div className="timelinebox" /> : <Timeline {...exploration} />}
    </Suspense>
  );
};

/** Next to the records, or a sheet over them if there is room for only one column. */
const Facets = (exploration: Exploration & { readonly paths: readonly string[] }) => {
  const { t } = useLocale();
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  if (!isNarrow)
    return (
      <aside aria-label={t.facets}>
        <h2 className="away">{t.facets}</h2>
        <FacetPanel {...exploration} />
      </aside>
    );
  return (
    <>
      <Button className="plain" style={{ justifySelf: 'start' }} onPress={() => setOpen(true)}>
        {t.facets}
      </Button>
      {isOpen && (
        <Suspense>
          <FacetSheet {...exploration} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};

/** Goes to another view; requests its numbers before rendering. */
const useChange = (
  config: PortalConfig,
  catalogue: Catalogue | undefined,
  more: FacetSizes['more'],
): ((view: View) => void) => {
  const client = useQueryClient();
  return useCallback(
    ({ dropped: _dropped, ...view }) => {
      if (catalogue !== undefined) {
        const [paths, sizes] = [shownPaths(config, catalogue, view), sizesOf(view, more)];
        void client.prefetchQuery(
          overviewQuery(client, { catalogue, question: questionOf(view, catalogue), paths, sizes }),
        );
      }
      go('explore', view);
    },
    [client, config, catalogue, more],
  );
};

/**
 * React Aria renders the whole table again when users change from mouse to keyboard: better when a field is entered than
 * at its first letter.
 */
const expectKeys = ({ target }: FocusEvent): void => {
  if (target instanceof HTMLInputElement && target.type === 'search')
    setTimeout(() => setInteractionModality('keyboard'));
};

const withoutTimeline = ({ timeline: _timeline, ...view }: View): View => view;

const withTab = ({ tab: _tab, ...view }: View, name: string): View =>
  name === 'charts' || name === 'gallery' ? { ...view, tab: name } : view;

export default ExplorePage;
