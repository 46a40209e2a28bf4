import { Button } from 'react-aria-components';
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
    // these show the query and its results
    if (key === 'explore' || key === 'record') return;
    document.title = `${view.node ?? (key === 'compare' ? t.compare : t.pages[key])} · ${name}`;
  }, [t, key, name, view.node]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel='icon']");
    if (icon !== null && config.look.logo !== undefined) icon.href = config.look.logo;
  }, [config]);
  return (
    <Undrawable view={view}>
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
          <Undrawable view={view} key={source.id}>
            <Suspense fallback={<p className="page quiet">{t.loading}</p>}>
              <Page config={config} source={source} key={source.id} />
            </Suspense>
          </Undrawable>
        )}
      </Frame>
    </Undrawable>
  );
};

interface UndrawableProps {
  readonly view: View;
  readonly children: ReactNode;
}

/** A message in place of a view that cannot be drawn from its link, or not be loaded, until the view changes. */
class Undrawable extends Component<UndrawableProps, { readonly failure: unknown }> {
  override readonly state: { readonly failure: unknown } = { failure: null };

  static getDerivedStateFromError(failure: unknown): { readonly failure: unknown } {
    return { failure };
  }

  override componentDidUpdate({ view }: UndrawableProps): void {
    if (this.state.failure !== null && view !== this.props.view) this.setState({ failure: null });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return isOfLoading(failure) ? <NotLoaded /> : <BrokenLink />;
  }
}

/** The error that browsers throw if the code of a page, a dialog or a list cannot be fetched. */
const isOfLoading = (failure: unknown): boolean =>
  failure instanceof TypeError && /\bmodule\b/.test(failure.message);

const NotLoaded = () => {
  const { t } = useLocale();
  return (
    <div className="note warn page" role="alert">
      <p>{t.notLoaded}</p>
      <Button className="plain" onPress={() => location.reload()}>
        {t.tryAgain}
      </Button>
    </div>
  );
};

const BrokenLink = () => {
  const { t } = useLocale();
  return (
    <p className="note warn page">
      {t.brokenLink} <a href={addressOfPage('start')}>{location.host}</a>
    </p>
  );
};
