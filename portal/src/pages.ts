import type { PageKey } from './state/navigation.ts';

/** The pages, each loaded when it is first shown. */
export const pageLoaders = {
  start: () => import('./start/start-page.tsx'),
  explore: () => import('./explore/explore-page.tsx'),
  record: () => import('./record/record-page.tsx'),
  network: () => import('./network/network-page.tsx'),
  docs: () => import('./docs/docs-page.tsx'),
  compare: () => import('./explore/compare/compare-page.tsx'),
} satisfies Readonly<Record<PageKey, unknown>>;

/** Loads a page that will be shown, during another wait. A failure is reported when the page is shown. */
export const expectPage = (name: PageKey): void => void pageLoaders[name]().catch(() => undefined);
