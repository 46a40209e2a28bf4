import { lazy } from 'react';
import type { PageName } from './state/navigation.ts';

const loaders = {
  start: () => import('./start/start-page.tsx'),
  explore: () => import('./explore/explore-page.tsx'),
  record: () => import('./record/record-page.tsx'),
  network: () => import('./network/network-page.tsx'),
  docs: () => import('./docs/docs-page.tsx'),
} satisfies Readonly<Record<PageName, unknown>>;

/** Each page, loaded when it is first shown. */
export const pages = {
  start: lazy(loaders.start),
  explore: lazy(loaders.explore),
  record: lazy(loaders.record),
  network: lazy(loaders.network),
  docs: lazy(loaders.docs),
} satisfies Readonly<Record<PageName, unknown>>;

/** Loads a page that will be shown, while something else is awaited. A failure is reported when the page is shown. */
export const expectPage = (name: PageName): void => void loaders[name]().catch(() => undefined);
