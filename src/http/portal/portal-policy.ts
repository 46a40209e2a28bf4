/**
 * The content security policy of the portal's pages: nothing from other hosts.
 * @param styleHashes what a library of the page inserts, such as `sha256-...`
 * @param issuer where people sign in
 */
export const portalPolicy = (styleHashes: readonly string[], issuer: string | null): string =>
  [...directives(styleHashes, originsOf([issuer])), "frame-ancestors 'self'"].join('; ');

/**
 * The same for a static site, in the page itself, where frame-ancestors has no meaning.
 * @param api where the server of the records is
 */
export const staticPolicy = (styleHashes: readonly string[], api: string, issuer: string | null): string =>
  directives(styleHashes, originsOf([api, issuer])).join('; ');

const originsOf = (urls: readonly (string | null)[]): readonly string[] => [
  ...new Set(urls.flatMap((url) => (url === null ? [] : [new URL(url).origin]))),
];

const directives = (styleHashes: readonly string[], connected: readonly string[]): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  ["style-src 'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
  "img-src 'self' data: blob:",
  ["connect-src 'self'", ...connected].join(' '),
  "base-uri 'self'",
  "form-action 'self'",
];
