import { findView } from '../api/short-links.ts';
import { hashOf, shortLinkOf, viewOf, type ReadLink } from './link.ts';
import { isView, type View } from './view.ts';

export type PageName = 'start' | 'explore' | 'record' | 'network' | 'docs';

/** A page by its content: the comparison has the address of Explore. */
export type PageKey = PageName | 'compare';

/** Which page shows a view at an address. */
export const pageKeyOf = (page: PageName, { tab }: View): PageKey =>
  page === 'explore' && tab === 'compare' ? 'compare' : page;

/** Which page is shown, and its view. */
export interface Place extends ReadLink {
  readonly page: PageName;
  /** How many steps within these pages precede this step. */
  readonly depth: number;
}

let root = new URL('http://localhost/');
/** In a static build, the addresses of its pages. */
let addresses: Readonly<Record<string, string>> = {};
let place: Place = { page: 'start', view: {}, isBroken: false, depth: 0 };
const listeners = new Set<() => void>();

/** Reads the address, then follows the browser's back and forward. @param base the base address of the pages */
export const startNavigation = (base: URL, pages: Readonly<Record<string, string>> = {}): void => {
  root = base;
  addresses = pages;
  read();
  window.addEventListener('popstate', read);
};

/** The page of the browser's address, in a static build too. */
export const pageOfAddress = (): PageName => {
  const last =
    location.pathname
      .split('/')
      .at(-1)
      ?.replace(/\.html$/, '') ?? '';
  return (['explore', 'record', 'network', 'docs'] as const).find((name) => name === last) ?? 'start';
};

const read = (): void => {
  const page = pageOfAddress();
  const depth = Number((history.state as { depth?: number } | null)?.depth ?? 0);
  const { view, isBroken } = (page === 'network' && institutionOf(location.hash)) || viewOf(location.hash);
  const own = page === 'network' ? networkOfPath() : undefined;
  const short = shortLinkOf(location.hash);
  if (short !== null) void openShortLink(page, short, depth);
  place = { page, view: own === undefined ? view : { source: own, ...view }, isBroken, depth };
  noteExplored();
  listeners.forEach((listener) => listener());
};

/** Replaces a short link by its view; a link that no longer exists is reported. */
const openShortLink = async (page: PageName, id: string, depth: number): Promise<void> => {
  const view = await findView(id).catch(() => null);
  if (shortLinkOf(location.hash) !== id) return;
  if (isView(view)) return go(page, view, 'replace');
  place = { page, view: {}, isBroken: true, depth };
  listeners.forEach((listener) => listener());
};

/** `/<catalogue>/network` is the page of that catalogue's own network. */
const networkOfPath = (): string | undefined => {
  const below = location.pathname.slice(root.pathname.length);
  if (!below.includes('/')) return undefined;
  try {
    return decodeURIComponent(below);
  } catch {
    // the page reports that it has no such source
    return below;
  }
};

/** `/network#lyon` is the page of an institution; null for any other hash. */
const institutionOf = (hash: string): ReadLink | null => {
  if (hash.length < 2 || shortLinkOf(hash) !== null || /^#v\d/.test(hash)) return null;
  try {
    return { view: { node: decodeURIComponent(hash.slice(1)) }, isBroken: false };
  } catch {
    return { view: {}, isBroken: true };
  }
};

/** The address of a page, for links and for sharing. */
export const addressOfPage = (page: PageName, view: View = {}): string => {
  const path = addresses[page] ?? (page === 'start' ? '' : page);
  const isPlain = page === 'network' && view.node !== undefined && Object.keys(view).length === 1;
  const plain = isPlain ? `#${encodeURIComponent(view.node!)}` : '';
  // a plain hash that would be read as something else is encoded like all views
  return new URL(path, root).href + (institutionOf(plain) === null ? hashOf(view) : plain);
};

/** Goes to a page. Steps within a page keep their entry in the browser's history. */
export const go = (page: PageName, view: View, how: 'push' | 'replace' = 'push'): void => {
  const address = addressOfPage(page, view);
  if (how === 'push' && address === location.href) return;
  const depth = place.depth + (how === 'push' ? 1 : 0);
  if (how === 'push') history.pushState({ depth }, '', address);
  else history.replaceState({ depth }, '', address);
  const hasMoved = page !== place.page;
  place = { page, view, isBroken: false, depth };
  noteExplored();
  listeners.forEach((listener) => listener());
  if (hasMoved) window.scrollTo(0, 0);
};

/** The current page and view. */
export const currentPlace = (): Place => place;

/** Calls a listener at each step, until the function it returns is called. */
export const followPlace = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const exploredKey = 'tributary.explored';

/** Explore as last seen in this browser tab, to return to from any page. */
export const lastExplored = (): View => {
  try {
    return viewOf(sessionStorage.getItem(exploredKey) ?? '').view;
  } catch {
    return {};
  }
};

const noteExplored = (): void => {
  if (place.page !== 'explore') return;
  try {
    sessionStorage.setItem(exploredKey, hashOf(place.view));
  } catch {
    // a browser without storage
  }
};
