import { lazy, Suspense, type MouseEvent, type ReactNode } from 'react';
import type { PortalConfig, Source } from '../api/config.ts';
import { useKept } from '../cohorts/kept.ts';
import { useLocale } from '../i18n/locale.tsx';
import { Opening } from '../look/opening.tsx';
import { BusyNote, SessionNote } from '../look/page-notes.tsx';
import { useNarrow } from '../look/use-narrow.ts';
import { lastExplored, pageKeyOf, type PageKey, type PageName } from '../state/navigation.ts';
import { usePlace } from '../state/use-place.ts';
import type { View } from '../state/view.ts';
import { LanguageChoice, SourceChoice, ThemeChoice } from './choices.tsx';
import { PageLink } from './page-link.tsx';
import { SearchBox } from './search-box.tsx';

const CohortsDrawer = lazy(() => import('../cohorts/cohorts-drawer.tsx'));
const SignInBar = lazy(() => import('../sign-in/sign-in-bar.tsx'));

interface FrameProps {
  readonly config: PortalConfig;
  readonly source: Source | null;
  readonly name: string;
  readonly children: ReactNode;
}

/** The frame around every page: name, navigation, search box, choices. */
export const Frame = ({ config, source, name, children }: FrameProps) => {
  const { t, pick, number } = useLocale();
  const { page, view } = usePlace();
  const kept = useKept(source?.id);
  const isNarrow = useNarrow();
  const sourceView = view.source === undefined ? {} : { source: view.source };
  const hasNetwork = config.sources.some(({ kind }) => kind === 'network');
  const pages: readonly PageKey[] = [
    'start',
    'explore',
    'compare',
    ...(hasNetwork ? ['network' as const] : []),
    'docs',
  ];
  const nav = (
    <nav aria-label={t.pageNav}>
      {pages.map((each) => (
        <PageLink
          key={each}
          page={each === 'compare' ? 'explore' : each}
          view={viewOf(each, page, view, sourceView)}
          isCurrent={each === pageKeyOf(page, view)}
        >
          {each === 'compare' ? t.compare : t.pages[each]}
        </PageLink>
      ))}
    </nav>
  );
  const choices = (
    <div className="end">
      {source?.status === 'available' && (
        <Opening
          label={
            <>
              {t.myCohorts} {kept.length > 0 && <span className="badge">{number(kept.length)}</span>}
            </>
          }
        >
          {(close) => <CohortsDrawer {...{ config, source }} onClose={close} />}
        </Opening>
      )}
      {config.signIn != null && (
        <Suspense>
          <SignInBar />
        </Suspense>
      )}
      {config.sources.length > 1 && source !== null && <SourceChoice config={config} source={source} />}
      <LanguageChoice />
    </div>
  );
  return (
    <>
      <a className="skip" href="#content" onClick={toContent}>
        {t.skip}
      </a>
      {pageKeyOf(page, view) === 'explore' && source?.status === 'available' && (
        <a className="skip" href="#results" onClick={toContent}>
          {t.skipToResults}
        </a>
      )}
      <header className="top">
        <PageLink className="name" page="start" view={sourceView}>
          {config.look.logo !== undefined && <img src={config.look.logo} alt="" />}
          <span title={name}>{name}</span>
        </PageLink>
        {!isNarrow && nav}
        {source !== null && source.status === 'available' && page !== 'start' && (
          <SearchBox source={source} look={config.look} />
        )}
        {isNarrow ? (
          <details className="menu" key={pageKeyOf(page, view)}>
            <summary className="plain">{t.menu}</summary>
            <div className="popover">
              {nav}
              {choices}
            </div>
          </details>
        ) : (
          choices
        )}
      </header>
      <main id="content" tabIndex={-1}>
        <SessionNote />
        {children}
      </main>
      <BusyNote />
      <footer className="foot">
        {config.look.links?.map(({ text, href }) => (
          <a key={href} href={href}>
            {pick(text)}
          </a>
        ))}
        <span>
          {t.poweredBy} {config.version}
        </span>
        <ThemeChoice />
      </footer>
    </>
  );
};

/** Explore as last seen, whatever was viewed since; for another source it starts empty. */
const exploreView = (page: PageName, view: View): View => {
  const { record: _record, tab, ...here } = page === 'explore' || page === 'record' ? view : lastExplored();
  if (here.source !== view.source) return view.source === undefined ? {} : { source: view.source };
  return tab === undefined || tab === 'compare' ? here : { ...here, tab };
};

/** The target of a link in the frame. */
const viewOf = (key: PageKey, page: PageName, view: View, sourceView: View): View => {
  if (key === 'compare') return comparisonOf(page, view);
  if (key === 'explore') return exploreView(page, view);
  return key === page ? view : sourceView;
};

/** The comparison keeps the view of Explore for returning to it. */
const comparisonOf = (page: PageName, view: View): View => ({ ...exploreView(page, view), tab: 'compare' });

/** The hash contains the state, so the link moves the focus itself. */
const toContent = (event: MouseEvent<HTMLAnchorElement>): void => {
  event.preventDefault();
  document.querySelector<HTMLElement>(event.currentTarget.hash)?.focus();
};
