/**
 * The content security policy of the portal's pages: nothing from other hosts.
 * @param styleHashes what a library of the page inserts, such as `sha256-...`
 */
export const portalPolicy = (styleHashes: readonly string[]): string =>
  [...directives(styleHashes, []), "frame-ancestors 'self'"].join('; ');

/**
 * The same for a static site, in the page itself, where frame-ancestors has no meaning.
 * @param api the origin of the server of the records
 */
export const staticPolicy = (styleHashes: readonly string[], api: string): string =>
  directives(styleHashes, [api]).join('; ');

const directives = (styleHashes: readonly string[], connected: readonly string[]): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  ["style-src 'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
  "img-src 'self' data: blob:",
  ["connect-src 'self'", ...connected].join(' '),
  "base-uri 'self'",
  "form-action 'self'",
];
