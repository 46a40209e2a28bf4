import { lazy, Suspense, type MouseEvent, type ReactNode } from 'react';
import type { PortalConfig, Source } from '../api/config.ts';
import { useLocale } from '../i18n/locale.tsx';
import { SessionNote } from '../look/session-note.tsx';
import { useNarrow } from '../look/use-narrow.ts';
import { type PageName } from '../state/navigation.ts';
import { usePlace } from '../state/use-place.ts';
import { LanguageChoice, SourceChoice, ThemeChoice } from './choices.tsx';
import { PageLink } from './page-link.tsx';
import { SearchBox } from './search-box.tsx';

const SignInBar = lazy(() => import('../sign-in/sign-in-bar.tsx'));

interface FrameProps {
  readonly config: PortalConfig;
  readonly source: Source | null;
  readonly name: string;
  readonly children: ReactNode;
}

/** The frame around every page: the name, the pages, the search box, the choices. */
export const Frame = ({ config, source, name, children }: FrameProps) => {
  const { t, pick } = useLocale();
  const { page, view } = usePlace();
  const isNarrow = useNarrow();
  const sourceView = view.source === undefined ? {} : { source: view.source };
  const hasNetwork = config.sources.some(({ kind }) => kind === 'network');
  const pages: readonly PageName[] = [
    'start',
    'explore',
    ...(hasNetwork ? ['network' as const] : []),
    'docs',
  ];
  const nav = (
    <nav aria-label={t.pageNav}>
      {pages.map((each) => (
        <PageLink
          key={each}
          page={each}
          view={each === page ? view : each === 'explore' ? exploreView(page, view) : sourceView}
          isCurrent={each === page}
        >
          {t.pages[each]}
        </PageLink>
      ))}
    </nav>
  );
  const choices = (
    <div className="end">
      {config.signIn != null && (
        <Suspense>
          <SignInBar />
        </Suspense>
      )}
      {config.sources.length > 1 && source !== null && <SourceChoice config={config} source={source} />}
      <LanguageChoice />
      <ThemeChoice />
    </div>
  );
  return (
    <>
      <a className="skip" href="#content" onClick={toContent}>
        {t.skip}
      </a>
      {page === 'explore' && source?.status === 'available' && (
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
          <SearchBox source={source} hidden={config.look.hiddenFacets} />
        )}
        {isNarrow ? (
          <details className="menu" key={page}>
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
      <footer className="foot">
        {config.look.links?.map(({ text, href }) => (
          <a key={href} href={href}>
            {pick(text)}
          </a>
        ))}
        <span>
          {t.poweredBy} {config.version}
        </span>
      </footer>
    </>
  );
};

/** The filter goes along from a record back to Explore. */
const exploreView = (page: PageName, { record: _record, ...view }: ReturnType<typeof usePlace>['view']) =>
  page === 'record' ? view : view.source === undefined ? {} : { source: view.source };

/** The hash holds the state, so the link moves the focus by itself. */
const toContent = (event: MouseEvent<HTMLAnchorElement>): void => {
  event.preventDefault();
  document.querySelector<HTMLElement>(event.currentTarget.hash)?.focus();
};
