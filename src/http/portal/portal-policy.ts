/**
 * The content security policy of the portal's pages: nothing from other hosts but the sign-in.
 * @param styleHashes what a library of the page inserts, such as `sha256-...`
 * @param issuer the address of the OpenID Connect provider, null without sign-in
 */
export const portalPolicy = (styleHashes: readonly string[], issuer: string | null): string =>
  [
    ...directives(styleHashes, issuer === null ? [] : [new URL(issuer).origin]),
    "frame-ancestors 'self'",
  ].join('; ');

/**
 * The same for a static site, in the page itself, where frame-ancestors has no meaning.
 * @param api the origin of the server of the records
 */
export const staticPolicy = (styleHashes: readonly string[], api: string, issuer: string | null): string =>
  directives(styleHashes, [api, ...(issuer === null ? [] : [new URL(issuer).origin])]).join('; ');

const directives = (styleHashes: readonly string[], connected: readonly string[]): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  ["style-src 'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
  "img-src 'self' data: blob:",
  ["connect-src 'self'", ...connected].join(' '),
  "base-uri 'self'",
  "form-action 'self'",
];
