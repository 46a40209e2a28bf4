import { createPublicKey } from 'node:crypto';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import { TributaryError } from '../errors/errors.ts';
import type { TokenRules } from './access-file.ts';
import type { Claims } from './claims.ts';

/** Where the keys that verify tokens come from. */
export type TokenKeys =
  | { readonly kind: 'jwks'; readonly url: string }
  /** The text of a PEM file (a public key or a certificate) and its name for messages. */
  | { readonly kind: 'pem'; readonly pem: string; readonly file: string };

/**
 * Checks the `authorization` header of a request.
 * @returns the claims of its token, null without a token
 * @throws TributaryError UNAUTHENTICATED for a token that is malformed, expired, not meant for this server or not
 *   signed by a known key; NOT_READY when the keys are currently unavailable
 */
export type VerifyToken = (authorization: string | undefined) => Promise<Claims | null>;

/** Timeout for fetching the keys, and the pause before an unknown key triggers another fetch. */
const fetchTimeoutMs = 5_000;
const cooldownMs = 30_000;

/** @throws TributaryError CONFIG_INVALID when the PEM file holds no public key */
export const openTokenVerifier = (keys: TokenKeys, rules: TokenRules): VerifyToken => {
  const keyFor = keySource(keys);
  const { algorithms, issuer, audience, clockToleranceSeconds: clockTolerance } = rules;
  // a token without expiry would be valid forever
  const options = { algorithms, issuer, audience, clockTolerance, requiredClaims: ['exp'] };
  return async (authorization) => {
    const token = bearerToken(authorization);
    if (token === null) return null;
    try {
      return (await jwtVerify(token, keyFor, options)).payload;
    } catch (error) {
      throw refusal(error);
    }
  };
};

const keySource = (keys: TokenKeys): JWTVerifyGetKey => {
  if (keys.kind === 'jwks') return fetchedKeys(keys.url);
  try {
    const key = createPublicKey(keys.pem);
    return async () => key;
  } catch (error) {
    throw new TributaryError(
      'CONFIG_INVALID',
      `${keys.file} holds no public key or certificate in PEM form`,
      {
        cause: error,
      },
    );
  }
};

/** The keys at a URL; only a missing key is the token's fault, other failures are not. */
const fetchedKeys = (url: string): JWTVerifyGetKey => {
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: cooldownMs,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error;
      throw new TributaryError(
        'NOT_READY',
        'the keys that tokens are checked with cannot be fetched; try again soon',
        { cause: error },
      );
    }
  };
};

/** Other schemes are for a proxy in front of this server. */
const bearerToken = (authorization: string | undefined): string | null =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;

const refusal = (error: unknown): TributaryError => {
  if (error instanceof TributaryError) return error;
  const reason = error instanceof errors.JWTExpired ? 'the token has expired' : 'the token is not valid here';
  return new TributaryError('UNAUTHENTICATED', reason, { cause: error });
};
