import type Router from '@koa/router';
import { html } from '@remix-run/html-template';
import type Koa from 'koa';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { RouteParts } from '../../server/http/capability.ts';
import {
  findServed,
  namedLook,
  networksIn,
  serverNetwork,
  serverNetworkId,
  type Served,
  type ServedCatalogue,
  type ServedNetwork,
} from '../../server/http/callers/served.ts';
import { originOf, type HttpContext, type RequestState } from '../../server/http/koa/http-context.ts';
import { wantsHtml } from '../../server/http/koa/middleware.ts';
import { keepLink, showLink, type LinksStore } from './links-routes.ts';
import type { PageName, PortalFile, PortalFiles } from './portal-files.ts';
import { readPortalFiles, portalPolicy } from './portal-files.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { parseSqon, printSqon } from '../../sqon/parse.ts';
import { textIn } from '../../lib/text/portal-languages.ts';
import { serverVersion } from '../../lib/runtime/server-version.ts';
import type { PortalLook, PortalSettings } from '../../server/http/koa/settings.ts';

interface PortalParts extends RouteParts {
  /** Stores long links; unset: not stored. */
  readonly links?: LinksStore | undefined;
}

const pages = { '/': 'start', '/explore': 'explore', '/record': 'record', '/docs': 'docs' } as const;

/**
 * The web pages, where settings enable them. Only browsers see them: all other requests to these paths continue to the
 * next route.
 */
export const addPortal = (router: Router<RequestState>, parts: PortalParts): void => {
  const { portal } = parts.settings;
  if (portal === null) return;
  const { embedded, settings } = parts;
  const preview = (context: HttpContext, shown: string): string => {
    const at = portal.publicUrl?.replace(/\/+$/, '') ?? originOf(context, settings);
    return withPreview(shown, namedLook(parts)!, at);
  };
  const show = (context: HttpContext, next: Koa.Next, page: PageName, base = ''): Promise<void> =>
    showPortal(context, next, { page, base, portal, embedded, preview });
  for (const [path, page] of Object.entries(pages))
    router.get(path, (context, next) => show(context, next, page));
  router.get('/network', (context, next) =>
    networksIn(parts.served()).length === 0 ? next() : show(context, next, 'network'),
  );
  router.get('/:catalogue/network', (context, next) => {
    const found = findServed(parts.served(), { name: context.params['catalogue']!, isNetwork: true });
    return found.kind === 'found' ? show(context, next, 'network', '../') : next();
  });
  router.get('/portal/config.json', async (context) => {
    context.set('cache-control', 'no-cache');
    await Promise.all(networksIn(parts.served()).map(({ network }) => network.opened));
    context.body = portalConfig(portal, parts);
  });
  const { links } = parts;
  if (links !== undefined) {
    router.post('/portal/links', (context) => keepLink(context, links, parts));
    router.get('/portal/links/:id', (context) => showLink(context, context.params['id']!, links, parts));
  }
  router.get('/portal/synonyms.json', (context) => {
    context.set('cache-control', 'no-cache');
    context.body = portal.look.synonyms ?? {};
  });
  router.get('/portal/logo', (context) => sendLogo(context, portal.look));
  router.get('/portal/assets/:name', (context) => sendAsset(context, context.params['name']!));
};

interface PageParts {
  readonly page: PageName;
  /** The portal's base path, relative to this page. */
  readonly base: string;
  readonly portal: PortalSettings;
  readonly embedded: PortalParts['embedded'];
  /** Adds the link preview to a page. */
  readonly preview: (context: HttpContext, page: string) => string;
}

const showPortal = async (
  context: HttpContext,
  next: Koa.Next,
  { page, base, portal, embedded, preview }: PageParts,
): Promise<void> => {
  context.vary('accept');
  if (!wantsHtml(context)) {
    await next();
    return;
  }
  const files = await portalFiles();
  const { signIn, imageHosts } = portal;
  const { styleHashes = [] } = files ?? {};
  const policy = portalPolicy({ styleHashes, issuer: signIn?.issuer ?? null, imageHosts });
  context.set('content-security-policy', policy);
  context.set('x-content-type-options', 'nosniff');
  context.set('referrer-policy', 'same-origin');
  context.set('cache-control', 'no-cache');
  // pages are read by people of any origin, and by no script of another origin
  context.remove('access-control-allow-origin');
  context.type = 'text/html; charset=utf-8';
  const shown = files === null ? notBuilt : preview(context, files.pages[page]);
  const based = base === '' ? shown : shown.replace('<head>', `<head><base href="${base}">`);
  const data = page === 'start' ? await embedded(context) : null;
  context.body = data === null ? based : based.replace('</head>', () => `${dataBlock(data)}</head>`);
};

/** Data that no browser executes, so that the page's policy does not cover it. */
const dataBlock = (data: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tributary</title></head>
<body>
<h1>The portal is not built</h1>
<p>This server runs, and answers programs. Its pages for people are missing in this installation: run
<code>npm ci &amp;&amp; npm run portal</code> in the project's folder and start it again, or set <code>PORTAL_PATH=off</code>.</p>
<p><a href="introspection">What can be searched</a></p>
</body>
</html>
`;

const sendAsset = async (context: HttpContext, name: string): Promise<void> => {
  const asset = (await portalFiles())?.assets.get(name);
  if (asset === undefined) throw new TributaryError('NOT_FOUND', 'the portal has no such file');
  context.set('cache-control', 'public, max-age=31536000, immutable');
  context.set('x-content-type-options', 'nosniff');
  context.vary('accept-encoding');
  context.type = asset.type;
  context.body = encoded(context, asset);
};

const encoded = (context: HttpContext, { content, brotli }: PortalFile): Buffer => {
  if (brotli === null || context.acceptsEncodings('br', 'identity') !== 'br') return content;
  context.set('content-encoding', 'br');
  return brotli;
};

let files: Promise<PortalFiles | null> | undefined;

/** Read on first use, then cached; an installation without the files is checked again each time. */
const portalFiles = async (): Promise<PortalFiles | null> => {
  files ??= readPortalFiles();
  const read = await files;
  if (read === null) files = undefined;
  return read;
};

/** The body of GET /portal/config.json: what the pages must know before their first request. Contains no data. */
export const portalConfig = (
  portal: PortalSettings,
  { served, settings, links }: Pick<PortalParts, 'served' | 'settings' | 'links'>,
) => {
  const all = served();
  const names = institutionNames(all);
  // institutions in the order of their network, as everywhere
  const order = [...names.keys()];
  const rankOf = ({ id }: Served): number =>
    id === serverNetworkId ? -1 : names.has(id) ? order.indexOf(id) : order.length;
  return {
    version: serverVersion(),
    publicUrl: portal.publicUrl,
    sources: all.toSorted((one, other) => rankOf(one) - rankOf(other)).map((one) => sourceOf(one, names)),
    flags: {
      downloads: !settings.network.switches.disableDownloads,
      filters: !settings.network.switches.disableFilters,
      playground: !settings.network.switches.disablePlayground,
      links: links !== undefined,
    },
    limits: {
      maxAliases: settings.network.maxAliases,
      maxDepth: settings.network.maxDepth,
      maxBodyBytes: settings.bodyLimitBytes,
    },
    signIn: portal.signIn,
    imageHosts: portal.imageHosts,
    look: firstLook(portal.look),
  };
};

/** Questions have canonical operator names: the pages know no others. Synonyms are fetched once somebody types. */
const firstLook = ({ synonyms: _synonyms, ...look }: PortalLook): PortalLook => {
  const { questions } = look as {
    readonly questions?: readonly { readonly filters: readonly JsonObject[] }[];
  };
  const known = questions?.map(({ filters, ...question }) => ({
    ...question,
    filters: filters.map(canonical),
  }));
  return { ...look, ...(known && { questions: known }) };
};

/** A question that is not a filter stays as it is, so that a visitor who chooses it sees the error. */
const canonical = (filter: JsonObject): JsonObject => {
  try {
    return printSqon(parseSqon(filter)) ?? filter;
  } catch {
    return filter;
  }
};

/** The names that the server's network has for institutions that are catalogues of this server, by catalogue. */
const institutionNames = (all: readonly Served[]): ReadonlyMap<string, string> => {
  const { nodes = [] } = serverNetwork(all)?.network.config ?? {};
  return new Map(
    nodes.flatMap(({ source, displayName }) =>
      source.kind === 'local' ? [[source.catalogueId, displayName] as const] : [],
    ),
  );
};

/** What the pages can show; failed catalogues too, with the reason. Its path has no slash at its start. */
const sourceOf = (one: Served, names: ReadonlyMap<string, string>) => ({
  id: one.id,
  kind: one.kind,
  path: one.path.slice(1),
  ...(one.kind === 'network' ? networkSource(one) : catalogueSource(one, names)),
});

const networkSource = ({ title, catalogue }: ServedNetwork) => ({
  name: title,
  description: null,
  documentType: catalogue?.config.documentType ?? null,
  status: 'available' as const,
});

const catalogueSource = (
  { id, state: { config, status } }: ServedCatalogue,
  names: ReadonlyMap<string, string>,
) => ({
  name: names.get(id) ?? id,
  description: config.description ?? null,
  ...(config.about?.contact && { contact: config.about.contact }),
  documentType: config.documentType,
  status,
});

/**
 * A page with link previews for messengers and search engines, in English where its owners have several languages.
 * @param at the address of the portal, without a trailing slash
 */
const withPreview = (page: string, { name, tagline, logo }: PortalLook, at: string): string => {
  const title = textIn(name ?? 'Tributary', 'en');
  const image = pictureIn(logo) === null ? `portal/assets/${drawnPicture}` : 'portal/logo';
  const tags = html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${title}">
<meta property="og:image" content="${at}/${image}">
${
  tagline === undefined
    ? ''
    : html`<meta property="og:description" content="${textIn(tagline, 'en')}">
<meta name="description" content="${textIn(tagline, 'en')}">
`
}`;
  // functions, so that a `$` in a name is not read as a pattern
  const named = page.replace(/<title>.*?<\/title>/, () => html`<title>${title}</title>`.toString());
  return named.replace('</head>', () => `${tags.toString()}</head>`);
};

/** For portals without a logo that messengers can show, as they show no SVG. */
const drawnPicture = 'preview-1.png';

/** The bitmap of a logo; null: it has none. */
const pictureIn = (logo: string | undefined): { readonly type: string; readonly content: Buffer } | null => {
  const [, type, data] = /^data:(image\/(?:png|webp));base64,(.*)$/s.exec(logo ?? '') ?? [];
  return type === undefined || data === undefined ? null : { type, content: Buffer.from(data, 'base64') };
};

/** GET /portal/logo, for previews of links. @throws TributaryError NOT_FOUND */
const sendLogo = (context: HttpContext, { logo }: PortalLook): void => {
  const picture = pictureIn(logo);
  if (picture === null) throw new TributaryError('NOT_FOUND', 'the portal has no logo of pixels');
  context.set({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
  context.type = picture.type;
  context.body = picture.content;
};
