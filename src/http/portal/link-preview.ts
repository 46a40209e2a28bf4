import { html } from '@remix-run/html-template';
import { TributaryError } from '../../errors/errors.ts';
import { textIn } from '../../text/portal-languages.ts';
import type { HttpContext } from '../koa/http-context.ts';
import type { PortalLook } from '../koa/settings.ts';

/**
 * A page with what messengers and search engines show of a link to it, in the portal's own words as far as it has some, in
 * English where there are several.
 * @param at where the portal is, without a slash at its end
 */
export const withPreview = (page: string, { name, tagline, logo }: PortalLook, at: string): string => {
  const title = textIn(name ?? 'Tributary', 'en');
  const image = pictureIn(logo) === null ? `portal/assets/${drawnPicture}` : 'portal/logo';
  const tags = html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${title}">
<meta property="og:image" content="${at}/${image}">
${tagline === undefined ? '' : html`<meta property="og:description" content="${textIn(tagline, 'en')}">
<meta name="description" content="${textIn(tagline, 'en')}">
`}`; // prettier-ignore
  // a function, so that no sign of a name is read as a pattern
  return page.replace('</head>', () => `${tags}</head>`);
};

/** For portals without a logo that messengers can show: they show no SVG. */
const drawnPicture = 'preview-1.png';

/** The pixels of a logo; null: it has none. */
const pictureIn = (logo: string | undefined): { readonly type: string; readonly content: Buffer } | null => {
  const [, type, data] = /^data:(image\/(?:png|webp));base64,(.*)$/s.exec(logo ?? '') ?? [];
  return type === undefined || data === undefined ? null : { type, content: Buffer.from(data, 'base64') };
};

/** GET /portal/logo, for previews of links. @throws TributaryError NOT_FOUND */
export const sendLogo = (context: HttpContext, { logo }: PortalLook): void => {
  const picture = pictureIn(logo);
  if (picture === null) throw new TributaryError('NOT_FOUND', 'the portal has no logo of pixels');
  context.set({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
  context.type = picture.type;
  context.body = picture.content;
};
