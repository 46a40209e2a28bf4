import { useQueryClient } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
} from 'react';
import { setInteractionModality } from 'react-aria-components';
import { overviewQuery } from '../api/queries.ts';
import { hasImages } from '../images/images.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import type { FacetSizes } from '../api/questions.ts';
import { useCatalogue, useOverview } from '../api/use-answers.ts';
import type { PageProps } from '../frame/page-props.ts';
import { useLocale } from '../i18n/locale.tsx';
import { Opening } from '../look/opening.tsx';
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

type Tab = NonNullable<View['tab']>;

/** Tabs whose code is loaded when they are opened. */
const laterTabs: Partial<Record<Tab, ComponentType<Exploration>>> = { gallery: Gallery, charts: Charts };

/** Explore: filter, watch the counts, view the records, export them. */
const ExplorePage = ({ config, source }: PageProps) => {
  const locale = useLocale();
  const { t, language, pick } = locale;
  const { view } = usePlace();
  const { data: catalogue, error: unknown, refetch: describeAgain } = useCatalogue(source, language);
  const [more, setMore] = useState<FacetSizes['more']>({});
  const isPictured = catalogue !== undefined && hasImages(catalogue);
  const tab = tabOf(view, isPictured);
  const Later = laterTabs[tab];
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
            <TabList {...{ view, tab, isPictured }} />
            <NothingNote {...exploration} />
            {overview.data && <WithheldNote nodes={overview.data.nodes} />}
            <div role="tabpanel" id={panelId} aria-labelledby={tabIdOf(tab)}>
              {Later !== undefined ? (
                <Suspense fallback={<p className="quiet">{t.loading}</p>}>
                  <Later {...exploration} />
                </Suspense>
              ) : (
                <TimelineBox {...exploration} isAwaited={overview.data === undefined} />
              )}
              {hasRecords && (
                <div id="results" tabIndex={-1}>
                  <Suspense fallback={<p className="quiet">{t.loading}</p>}>
                    <RecordTable {...exploration} />
                  </Suspense>
                </div>
              )}
            </div>
          </>
        )}
      </section>
    </div>
  );
};

interface TabListProps {
  readonly view: View;
  readonly tab: Tab;
  readonly isPictured: boolean;
}

const panelId = 'tab-panel';
const tabIdOf = (tab: Tab): string => `tab-${tab}`;

/** Native buttons, one tab stop for all: those of React Aria would be an eighth of what the page loads at first. */
const TabList = ({ view, tab, isPictured }: TabListProps) => {
  const { t } = useLocale();
  const tabs = (['table', 'gallery', 'charts'] as const).filter((id) => id !== 'gallery' || isPictured);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const forwards = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const buttons = event.currentTarget.querySelectorAll('button');
    const at = tabs.findIndex((id) => id === tab) + (event.key === forwards ? 1 : -1);
    const next = buttons[(at + tabs.length) % tabs.length]!;
    next.focus();
    next.click();
  };
  return (
    <div className="tabs" role="tablist" aria-label={t.pages.explore} onKeyDown={onKeyDown}>
      {tabs.map((id) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabIdOf(id)}
          aria-selected={id === tab}
          aria-controls={panelId}
          tabIndex={id === tab ? 0 : -1}
          onClick={() => go('explore', withTab(view, id))}
        >
          {t[id]}
        </button>
      ))}
    </div>
  );
};

const tabOf = ({ tab = 'table' }: View, isPictured: boolean): Tab =>
  tab === 'gallery' && !isPictured ? 'table' : tab;

/** The timeline above the records. Its code is loaded after the first counts. */
const TimelineBox = ({ isAwaited, ...exploration }: Exploration & { readonly isAwaited: boolean }) => {
  const { config, catalogue, view } = exploration;
  if (timelinePath(config, catalogue, view) === null) return null;
  return (
    <Suspense fallback={<div className="timelinebox" />}>
      {isAwaited ? <div className="timelinebox" /> : <Timeline {...exploration} />}
    </Suspense>
  );
};

/** Next to the records, or a sheet over them if there is room for only one column. */
const Facets = (exploration: Exploration & { readonly paths: readonly string[] }) => {
  const { t } = useLocale();
  if (!useNarrow())
    return (
      <aside aria-label={t.facets}>
        <h2 className="away">{t.facets}</h2>
        <FacetPanel {...exploration} />
      </aside>
    );
  return (
    <div>
      <Opening label={t.facets}>{(close) => <FacetSheet {...exploration} onClose={close} />}</Opening>
    </div>
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

const withTab = ({ tab: _tab, ...view }: View, tab: Tab): View => (tab === 'table' ? view : { ...view, tab });

export default ExplorePage;
