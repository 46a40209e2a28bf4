import { Component, lazy, Suspense, useEffect, type ReactNode } from 'react';
import { sourceOf, type PortalConfig } from './api/config.ts';
import { Frame } from './frame/frame.tsx';
import { useLocale } from './i18n/locale.tsx';
import { applyAccent } from './look/theme.ts';
import { pageLoaders } from './pages.ts';
import { addressOfPage, pageKeyOf, type PageKey } from './state/navigation.ts';
import { usePlace } from './state/use-place.ts';
import type { View } from './state/view.ts';

const pages = {
  start: lazy(pageLoaders.start),
  explore: lazy(pageLoaders.explore),
  record: lazy(pageLoaders.record),
  network: lazy(pageLoaders.network),
  docs: lazy(pageLoaders.docs),
  compare: lazy(pageLoaders.compare),
} satisfies Readonly<Record<PageKey, unknown>>;

/** The page of the address, in its frame. */
export const App = ({ config }: { readonly config: PortalConfig }) => {
  const { t, pick } = useLocale();
  const { page, view, isBroken } = usePlace();
  const source = sourceOf(config, view.source);
  const key = pageKeyOf(page, view);
  const Page = pages[key];
  const name = config.look.name === undefined ? (source?.name ?? 'Tributary') : pick(config.look.name);
  useEffect(() => applyAccent(config.look.accent), [config]);
  useEffect(() => {
    // these show the question and what was found
    if (key === 'explore' || key === 'record') return;
    document.title = `${view.node ?? (key === 'compare' ? t.compare : t.pages[key])} · ${name}`;
  }, [t, key, name, view.node]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel='icon']");
    if (icon !== null && config.look.logo !== undefined) icon.href = config.look.logo;
  }, [config]);
  return (
    <Frame config={config} source={source} name={name}>
      {isBroken && <p className="note warn page">{t.brokenLink}</p>}
      {view.source !== undefined && source !== null && source.id !== view.source && (
        <p className="note warn page">{t.goneSource(view.source)}</p>
      )}
      {source === null ? (
        <p className="note page">{t.nothingServed}</p>
      ) : source.status === 'failed' && page !== 'network' && page !== 'docs' ? (
        <p className="note warn page">{t.failedSource}</p>
      ) : (
        <Undrawable view={view} message={t.brokenLink} key={source.id}>
          <Suspense fallback={<p className="page quiet">{t.loading}</p>}>
            <Page config={config} source={source} key={source.id} />
          </Suspense>
        </Undrawable>
      )}
    </Frame>
  );
};

interface UndrawableProps {
  readonly view: View;
  readonly message: string;
  readonly children: ReactNode;
}

/** A message in place of a page that cannot be drawn by its link, until the view changes. */
class Undrawable extends Component<UndrawableProps, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate({ view }: UndrawableProps): void {
    if (this.state.failed && view !== this.props.view) this.setState({ failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <p className="note warn page">
        {this.props.message} <a href={addressOfPage('start')}>{location.host}</a>
      </p>
    );
  }
}
