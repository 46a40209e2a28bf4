import { hash } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import type { TokenRules, VisaRules } from './access-file.ts';
import type { Claims } from './claims.ts';
import { verifyJwt, type TokenKeySource, type VerifyToken } from './verify-token.ts';

/** The claim of a token that holds its visas, each of them signed separately. */
const passportClaim = 'ga4gh_passport_v1';
/** The claim under which rules see verified visas. */
const grantsClaim = 'visa.ControlledAccessGrants';
/** The maximum number of visas read from a passport. */
const maxVisas = 200;

export interface VisaParts {
  readonly token: Pick<TokenRules, 'algorithms' | 'clockToleranceSeconds' | 'issuers'>;
  readonly keysAt: (url: string) => TokenKeySource;
  /** Called with the reason for each visa that is rejected. */
  readonly refused: (visa: RefusedVisa) => void;
  /** Called each time that an issuer does not answer with a passport. */
  readonly fetchFailed: (error: unknown) => void;
}

/** A visa that was rejected. */
export interface RefusedVisa {
  readonly issuer: string | undefined;
  readonly reason: string;
}

/**
 * Adds the verified visas of a token's passport to its claims: the data sets of ControlledAccessGrants, as GA4GH's
 * Passport 1.2 and its AAI profile define them. The issuer of the token vouches for whom the visas belong to; their
 * validity is decided by their own issuers, which must be listed, with the keys configured for them, never by an address
 * in a visa.
 */
export const withVisas = (verify: VerifyToken, rules: VisaRules, parts: VisaParts): VerifyToken => {
  const fetched = passportFetcher(parts);
  const grant = grantReader(rules, parts);
  return async (authorization) => {
    const claims = await verify(authorization);
    if (claims === null) return null;
    const passport = claims[passportClaim] ?? (await fetched(authorization!, claims));
    const visas: readonly unknown[] = Array.isArray(passport) ? passport.slice(0, maxVisas) : [];
    const values = await Promise.all(visas.map(grant));
    const granted = [...new Set(values.filter((value) => value !== null))];
    // a claim of this name in the token itself is not a visa
    const others = Object.entries(claims).filter(([name]) => name !== grantsClaim && name !== 'visa');
    return Object.fromEntries([...others, ...(granted.length === 0 ? [] : [[grantsClaim, granted]])]);
  };
};

/** The timeout for fetching a passport, and for how long and for how many callers passports are cached. */
const fetchTimeoutMs = 5_000;
const keptMs = 60_000;
const maxKept = 1_000;

/** Fetches passports from issuers for bearers of their tokens, if the token itself contains none. */
const passportFetcher = ({ token: { issuers = [] }, fetchFailed }: VisaParts) => {
  const known = new LRUCache<string, Promise<unknown>>({ max: maxKept, ttl: keptMs });
  return async (authorization: string, { iss, sub }: Claims): Promise<unknown> => {
    const url = issuers.find(({ issuer }) => issuer === iss)?.userinfoUrl;
    if (url === undefined) return [];
    const key = hash('sha256', authorization);
    const passport = known.get(key) ?? fetchPassport(url, authorization, sub);
    if (!known.has(key)) known.set(key, passport);
    return passport.catch((error: unknown) => {
      known.delete(key);
      fetchFailed(error);
      return [];
    });
  };
};

/** @throws TributaryError NOT_READY for an issuer that does not answer as specified for OpenID Connect's userinfo */
const fetchPassport = async (url: string, authorization: string, subject: unknown): Promise<unknown> => {
  const signal = AbortSignal.timeout(fetchTimeoutMs);
  const response = await fetch(url, { headers: { authorization }, redirect: 'error', signal });
  const content: unknown = response.ok ? await response.json() : null;
  if (typeof subject !== 'string' || !isJsonObject(content) || content['sub'] !== subject)
    throw new TributaryError(
      'NOT_READY',
      `${url} answered ${response.status}, and not about the bearer of the token`,
    );
  return content[passportClaim];
};

/** Reads the data set that a visa grants; null: it is rejected. */
const grantReader =
  (rules: VisaRules, { refused, ...parts }: VisaParts) =>
  async (visa: unknown): Promise<string | null> => {
    const issuer = issuerIn(visa);
    const trusted = rules.issuers.find((one) => one.issuer === issuer);
    try {
      if (typeof visa !== 'string' || trusted === undefined) throw invalid('its issuer is not listed');
      const { algorithms, clockToleranceSeconds: clockTolerance } = parts.token;
      const options = { algorithms, clockTolerance, issuer: trusted.issuer, requiredClaims: ['exp'] };
      const payload = await verifyJwt(visa, parts.keysAt(trusted.jwksUrl), options);
      return grantIn(payload, rules.by, clockTolerance);
    } catch (error) {
      refused({ issuer, reason: error instanceof Error ? error.message : String(error) });
      return null;
    }
  };

const issuerIn = (visa: unknown): string | undefined => {
  try {
    return typeof visa === 'string' ? decodeJwt(visa).iss : undefined;
  } catch {
    return undefined;
  }
};

const grant = z.object({
  type: z.literal('ControlledAccessGrants', { error: 'its type is not ControlledAccessGrants' }),
  value: z.string({ error: 'it has no value' }).min(1, 'it has no value'),
  asserted: z.number({ error: 'it does not say when it was asserted' }).positive(),
  by: z.string({ error: 'it does not say by whom it was asserted' }),
  // they can only be checked against other visas, and ignoring them would grant too much
  conditions: z.tuple([], { error: 'it holds under conditions, which are not checked' }).optional(),
});

/** @throws Error with the reason why a visa of a listed issuer is rejected */
const grantIn = (payload: JWTPayload, by: VisaRules['by'], toleranceSeconds: number): string => {
  const parsed = grant.safeParse(payload['ga4gh_visa_v1']);
  if (!parsed.success) throw invalid(parsed.error.issues[0]!.message);
  const { value, asserted, by: asserter } = parsed.data;
  if (asserted > Date.now() / 1_000 + toleranceSeconds) throw invalid('it was asserted in the future');
  if (!by.some((one) => one === asserter))
    throw invalid(`it was asserted by ${asserter}: ${by.join(', ')} expected`);
  return value;
};

const invalid = (reason: string): TributaryError => new TributaryError('UNAUTHENTICATED', reason);
