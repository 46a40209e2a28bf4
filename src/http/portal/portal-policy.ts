/**
 * The content security policy of the portal's pages: nothing from other hosts but the sign-in.
 * @param styleHashes what a library of the page inserts, such as `sha256-...`
 * @param issuer the address of the OpenID Connect provider, null without sign-in
 */
export const portalPolicy = (styleHashes: readonly string[], issuer: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...(issuer === null ? [] : [new URL(issuer).origin])].join(' '),
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
