import { createPublicKey } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRemoteJWKSet, decodeJwt, errors, jwksCache, jwtVerify } from 'jose';
import type { ExportedJWKSCache, JWKSCacheInput, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { invalidConfig, TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { bearerToken } from '../../lib/net/bearer-token.ts';
import type { TokenRules } from './access-file.ts';
import type { Claims } from './claims.ts';

/** The source of the keys for tokens of issuers without keys of their own. */
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

/** The token keys, which outlive the rules that tokens are checked by. */
export interface TokenKeySource {
  readonly keyFor: JWTVerifyGetKey;
  /** When the keys were last fetched, in milliseconds since 1970; null: never, or from a file. */
  readonly fetchedMs: () => number | null;
}

/** The issuer of a refused token, and the configured one. */
export interface DifferentSlash {
  readonly token: string;
  readonly configured: string;
}

/** Timeout for fetching the keys, and the pause before an unknown key or a failure triggers another fetch. */
const fetchTimeoutMs = 5_000;
const cooldownMs = 30_000;
/** How old keys may be before they are fetched again, and how long they stay valid while that fails. */
const refreshMs = 600_000;
const keptMs = 86_400_000;

/**
 * Checks tokens by the rules of an access file.
 * @param keys the keys for all issuers without keys in the rules; null: no other issuers are trusted
 * @param keysAt the keys at an address that the rules name
 * @param slashDiffers called for a token whose issuer is spelt like a trusted one but for the slash at its end
 */
export const openTokenVerifier = (
  keys: TokenKeySource | null,
  rules: TokenRules,
  keysAt: (url: string) => TokenKeySource = (url) => openTokenKeys({ kind: 'jwks', url }),
  slashDiffers: (issuers: DifferentSlash) => void = () => undefined,
): VerifyToken => {
  const { algorithms, issuer, audience, issuers = [], clockToleranceSeconds: clockTolerance } = rules;
  // a token without expiry would be valid forever
  const common = { algorithms, audience, clockTolerance, requiredClaims: ['exp'] };
  const others = keys && { keys, options: { ...common, issuer } };
  const listed = new Map(
    issuers.map((one) => [
      one.issuer,
      {
        keys: keysAt(one.jwksUrl),
        options: { ...common, issuer: one.issuer, audience: one.audience ?? audience },
      },
    ]),
  );
  const known = [...listed.keys(), ...(issuer === undefined ? [] : [issuer].flat())];
  return async (authorization) => {
    const token = bearerToken(authorization);
    if (token === null) return null;
    try {
      const { iss = '' } = decodeJwt(token);
      const configured = known.includes(iss) ? undefined : known.find((one) => isSameButSlash(one, iss));
      if (configured !== undefined) slashDiffers({ token: iss, configured });
      const trusted = listed.get(iss) ?? others;
      if (trusted === null)
        throw new TributaryError('UNAUTHENTICATED', 'the issuer of the token is not trusted here');
      return await verifyJwt(token, trusted.keys, trusted.options);
    } catch (error) {
      throw refusal(error);
    }
  };
};

const isSameButSlash = (one: string, other: string): boolean =>
  one.replace(/\/$/, '') === other.replace(/\/$/, '');

/** Verifies a token with the key that it names, else with each that fits. @throws the errors of jose */
export const verifyJwt = async (
  token: string,
  { keyFor }: TokenKeySource,
  options: JWTVerifyOptions,
): Promise<JWTPayload> => {
  try {
    return (await jwtVerify(token, keyFor, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error)
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    throw new errors.JWSSignatureVerificationFailed();
  }
};

export interface TokenKeyOptions {
  /** The file that keeps fetched keys across restarts; unset: they are not kept. */
  readonly keptIn?: string;
  /** Called each time that fetching the keys fails. */
  readonly fetchFailed?: (error: unknown) => void;
}

/** @throws TributaryError CONFIG_INVALID when the PEM file holds no public key */
export const openTokenKeys = (keys: TokenKeys, options: TokenKeyOptions = {}): TokenKeySource => {
  if (keys.kind === 'jwks') return fetchedKeys(keys.url, options);
  try {
    const key = createPublicKey(keys.pem);
    return { keyFor: async () => key, fetchedMs: () => null };
  } catch (error) {
    throw invalidConfig(`${keys.file} holds no public key or certificate in PEM form`, {
      cause: error,
    });
  }
};

/**
 * The keys at a URL; only a missing key is the token's fault, other failures are not. While the URL fails, the last
 * fetched keys are valid for a day, and it is tried every half minute.
 */
const fetchedKeys = (url: string, { keptIn, fetchFailed }: TokenKeyOptions): TokenKeySource => {
  const known: JWKSCacheInput = keptIn === undefined ? {} : keptKeys(keptIn, url);
  let writtenMs = known.uat;
  const keep = (): void => {
    if (known.uat === writtenMs) return;
    writtenMs = known.uat;
    if (keptIn !== undefined) keepKeys(keptIn, { url, ...known });
  };
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: keptMs,
    [jwksCache]: known,
  });
  let failedMs = -Infinity;
  const failed = (error: unknown): void => {
    failedMs = Date.now();
    fetchFailed?.(error);
  };
  const refreshed = async (): Promise<void> => {
    const { uat } = known;
    const nowMs = Date.now();
    const isDue = uat !== undefined && nowMs - uat >= refreshMs && nowMs - failedMs >= cooldownMs;
    if (isDue) await keys.reload().catch(failed);
  };
  return {
    fetchedMs: () => known.uat ?? null,
    keyFor: async (header, token) => {
      await refreshed();
      try {
        return await keys(header, token);
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
          throw error;
        failed(error);
        throw new TributaryError(
          'NOT_READY',
          'the keys that tokens are checked with cannot be fetched; try again soon',
          { cause: error },
        );
      } finally {
        keep();
      }
    },
  };
};

/** The stored keys of a URL; empty if the file is for another URL, or damaged. */
const keptKeys = (file: string, url: string): ExportedJWKSCache | Record<string, never> => {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isJsonObject(kept) || kept['url'] !== url) return {};
    const { uat, jwks } = kept;
    // from the future, they would be valid for longer than a day
    if (typeof uat !== 'number' || uat > Date.now() || !isKeySet(jwks)) return {};
    return { uat, jwks };
  } catch {
    return {};
  }
};

const isKeySet = (value: unknown): value is ExportedJWKSCache['jwks'] =>
  isJsonObject(value) && Array.isArray(value['keys']) && value['keys'].every(isJsonObject);

/** If the file cannot be written, the keys are lost at a restart, and nothing else. */
const keepKeys = (file: string, keys: object): void => {
  try {
    writeFileSync(`${file}.tmp`, JSON.stringify(keys), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  } catch {
    // see above
  }
};

const refusal = (error: unknown): TributaryError => {
  if (error instanceof TributaryError) return error;
  return new TributaryError('UNAUTHENTICATED', reasonOf(error), { cause: error });
};

const reasonOf = (error: unknown): string => {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  const isEarly =
    error instanceof errors.JWTClaimValidationFailed &&
    error.claim === 'nbf' &&
    error.reason === 'check_failed';
  return isEarly
    ? 'the token is not valid yet: the clock of its issuer is ahead of this one by more than is tolerated'
    : 'the token is not valid here';
};
