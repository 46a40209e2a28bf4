import { readFile, readdir } from 'node:fs/promises';
import { extname } from 'node:path';

/** A built file and its brotli form, as the build left them on disk. */
export interface PortalFile {
  readonly type: string;
  readonly content: Buffer;
  readonly brotli: Buffer | null;
}

/** The pages of the portal, by their names in its sources. */
export const pageNames = ['start', 'explore', 'record', 'network', 'docs'] as const;
export type PageName = (typeof pageNames)[number];

/** The output of the build of the portal. */
export interface PortalFiles {
  /** Pages name in their heads the files that they will load, so that the browser loads them all at once. */
  readonly pages: Readonly<Record<PageName, string>>;
  /** Files by their names under portal/assets; a changed file has a new name. */
  readonly assets: ReadonlyMap<string, PortalFile>;
  /** Sources for style-src: hashes of the styles that the page's own libraries insert, such as 'sha256-...'. */
  readonly styleHashes: readonly string[];
}

/** `src/capabilities/portal` and `dist/capabilities/portal` are equally deep. */
const builtFolder = new URL('../../../portal/dist/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * The built portal, read once.
 * @param folder the location; by default next to the program
 * @returns null for an installation without it
 */
export const readPortalFiles = async (folder: URL = builtFolder): Promise<PortalFiles | null> => {
  try {
    const page = await readFile(new URL('index.html', folder), 'utf8');
    const { styleHashes, pageFiles } = JSON.parse(await readFile(new URL('build.json', folder), 'utf8')) as {
      styleHashes: string[];
      pageFiles: Record<PageName, string[]>;
    };
    const assets = new URL('portal/assets/', folder);
    const names = (await readdir(assets)).filter((name) => Object.hasOwn(types, extname(name)));
    const read = await Promise.all(names.map(async (name) => [name, await readAsset(assets, name)] as const));
    return { pages: pagesOf(page, pageFiles), assets: new Map(read), styleHashes };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const pagesOf = (
  page: string,
  pageFiles: Readonly<Record<PageName, readonly string[]>>,
): PortalFiles['pages'] => {
  const headOf = (name: PageName): string =>
    [
      // the first script requests it in any case; none of its headers depends on the caller
      '<link rel="preload" as="fetch" crossorigin href="./portal/config.json">',
      ...pageFiles[name].map(
        (file) => `<link rel="modulepreload" crossorigin href="./portal/assets/${file}">`,
      ),
    ].join('\n');
  const entries = pageNames.map((name) => [name, page.replace('</head>', `${headOf(name)}\n</head>`)]);
  return Object.fromEntries(entries) as PortalFiles['pages'];
};

const readAsset = async (assets: URL, name: string): Promise<PortalFile> => ({
  type: types[extname(name)]!,
  content: await readFile(new URL(name, assets)),
  brotli: await readFile(new URL(`${name}.br`, assets)).catch(noneThere),
});

const noneThere = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/** What the pages load besides themselves. */
export interface PolicyParts {
  /** The styles that a library of the page inserts, such as `sha256-...`. */
  readonly styleHashes: readonly string[];
  /** Where users sign in; null: nowhere. */
  readonly issuer: string | null;
  readonly imageHosts: readonly string[];
}

/** The content security policy of the portal's pages: nothing from other hosts but the pictures of some. */
export const portalPolicy = (parts: PolicyParts): string =>
  [...directives(parts, [parts.issuer]), "frame-ancestors 'self'"].join('; ');

/**
 * The policy of a static site, in the page itself, where frame-ancestors has no effect.
 * @param api the address of the server with the records
 */
export const staticPolicy = (parts: PolicyParts, api: string): string =>
  directives(parts, [api, parts.issuer]).join('; ');

const originsOf = (urls: readonly (string | null)[]): readonly string[] => [
  ...new Set(urls.flatMap((url) => (url === null ? [] : [new URL(url).origin]))),
];

const directives = (
  { styleHashes, imageHosts }: PolicyParts,
  connected: readonly (string | null)[],
): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  ["style-src 'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
  ["img-src 'self' data: blob:", ...imageHosts.map((host) => `https://${host}`)].join(' '),
  ["connect-src 'self'", ...originsOf(connected)].join(' '),
  "base-uri 'self'",
  "form-action 'self'",
];
