import { html } from '@remix-run/html-template';
import { createHash } from 'node:crypto';
import { portalLanguages, textIn } from '../../../lib/text/portal-languages.ts';
import type { HttpContext } from './http-context.ts';
import type { PortalLook } from './settings.ts';

type Language = keyof typeof portalLanguages;

const texts: Readonly<Record<Language, Readonly<Record<'title' | 'text' | 'start' | 'fields', string>>>> = {
  en: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or what was here is gone.',
    start: 'Start page',
    fields: 'What can be searched',
  },
  fr: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être mal saisie, ou ce qui se trouvait ici a disparu.',
    start: 'Page d’accueil',
    fields: 'Ce que l’on peut chercher',
  },
  de: {
    title: 'Diese Seite gibt es nicht',
    text: 'Vielleicht ist die Adresse vertippt, oder was hier stand, gibt es nicht mehr.',
    start: 'Startseite',
    fields: 'Was sich durchsuchen lässt',
  },
};

const sheet = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f6f6f4,#15171a);color:light-dark(#1c1e21,#eceae6);max-width:36rem;margin:12vh auto;padding:0 1.25rem}
img{max-height:3rem;max-width:12rem}
h1{font-size:1.75rem;line-height:1.2;margin:1.5rem 0 .5rem}
p{overflow-wrap:anywhere}
small{color:light-dark(#5c6066,#a3a8af)}
a{color:light-dark(#0b5cad,#7db8f2)}`;

const sheetHash = createHash('sha256').update(sheet).digest('base64');

/**
 * Shows a visitor that there is nothing at an address, in their language and under the portal's name.
 * @param reason the message of the API's error
 * @param look null: this server has no web pages
 */
export const showNotFound = (context: HttpContext, reason: string, look: PortalLook | null): void => {
  const known = Object.keys(portalLanguages) as Language[];
  const accepted = context.acceptsLanguages(...known);
  const language = known.find((each) => each === accepted) ?? 'en';
  const t = texts[language];
  const root = '../'.repeat(Math.max(0, context.path.split('/').length - 2)) || './';
  const name = textIn(look?.name ?? 'Tributary', language);
  context.vary('accept, accept-language');
  context.set(
    'content-security-policy',
    `default-src 'none'; style-src 'sha256-${sheetHash}'; img-src data:`,
  );
  context.set('content-language', language);
  context.type = 'text/html; charset=utf-8';
  context.body = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${t.title} · ${name}</title>
<style>${html.raw`${sheet}`}</style></head>
<body>
${look?.logo === undefined ? '' : html`<img src="${look.logo}" alt="">`}
<h1>${t.title}</h1>
<p>${t.text}</p>
<p>${look === null ? '' : html`<a href="${root}">${t.start}: ${name}</a> · `}<a href="${root}introspection">${t.fields}</a></p>
<p lang="en"><small>${reason}</small></p>
</body>
</html>
`.toString();
};
