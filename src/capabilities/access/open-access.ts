import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readAccessRules, type AccessRules } from './access-rules.ts';
import type { DifferentSlash, TokenKeySource, VerifyToken } from './verify-token.ts';
import { openTokenKeys, openTokenVerifier, type TokenKeys } from './verify-token.ts';
import { withVisas, type RefusedVisa } from './visas.ts';
import type { AccessConfig, Config } from '../../server/config/config.ts';
import type { Ruled } from '../../server/http/capability.ts';
import type { TokenAccess } from '../../server/http/callers/access-filters.ts';
import { hubOf, type HttpContext } from '../../server/http/koa/http-context.ts';
import type { CallerAccess } from '../../search/request-context.ts';
import type { Claims } from './claims.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import type { Tier } from '../../introspection/fields/catalogue-config.ts';
import type { Sqon } from '../../sqon/ast.ts';

/** Called when fetching the keys fails, and for what is refused. */
export interface AccessObserver {
  readonly fetchFailed: (error: unknown) => void;
  /** Called for each visa that is rejected. */
  readonly visaRefused?: (visa: RefusedVisa) => void;
  /** Called for each token that is refused for the slash at the end of its issuer. */
  readonly slashDiffers?: (issuers: DifferentSlash) => void;
}

type WithAccess = Ruled & { readonly access: AccessConfig };

/** A hash of the access file's content. */
export const rulesHash = ({ content }: AccessConfig): string =>
  hash('sha256', JSON.stringify(content), 'hex');

/** All keys that tokens and visas are checked with. Fetched keys stay valid while their address fails. */
export interface KeyRing {
  readonly at: (keys: TokenKeys, isMain?: boolean) => TokenKeySource;
  /** When the oldest of the keys were fetched, in milliseconds since 1970; null: never, or all are from files. */
  readonly fetchedMs: () => number | null;
}

export const openKeyRing = (dataPath: string, { fetchFailed }: AccessObserver): KeyRing => {
  const opened = new Map<string, TokenKeySource>();
  return {
    at: (keys, isMain = false) => {
      const id = hash('sha256', JSON.stringify(keys), 'hex').slice(0, 16);
      const keptIn = join(dataPath, isMain ? '@token-keys.json' : `@token-keys-${id}.json`);
      const source = opened.get(id) ?? openTokenKeys(keys, { keptIn, fetchFailed });
      opened.set(id, source);
      return source;
    },
    fetchedMs: () => {
      const times = [...opened.values()].flatMap((source) => source.fetchedMs() ?? []);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
};

/**
 * Access by the rules of an access file.
 * @throws TributaryError CONFIG_INVALID naming the problem in the access file or with the keys
 */
export const openAccess = (config: WithAccess, ring: KeyRing, observer: AccessObserver): TokenAccess => {
  const { rules, verify } = verifierOf(config, config.access, ring, observer);
  return tokenAccess(rules, verify);
};

/** The rules of an access file, and the check of the tokens that they are for. */
export interface TokenVerifier {
  readonly rules: AccessRules;
  readonly verify: VerifyToken;
}

/**
 * As `openAccess`, for a single token.
 * @throws TributaryError CONFIG_INVALID
 */
export const openVerifier = (
  config: Ruled & Pick<Config, 'dataPath'>,
  observer: AccessObserver,
): TokenVerifier | null =>
  config.access && verifierOf(config, config.access, openKeyRing(config.dataPath, observer), observer);

const verifierOf = (
  config: Ruled,
  access: AccessConfig,
  ring: KeyRing,
  observer: AccessObserver,
): TokenVerifier => {
  const rules = rulesOf(config, access);
  const keysAt = (url: string): TokenKeySource => ring.at({ kind: 'jwks', url });
  const main = access.keys && ring.at(access.keys, true);
  const verify = openTokenVerifier(main, rules.token, keysAt, observer.slashDiffers);
  const { visaRefused: refused = () => undefined, fetchFailed } = observer;
  const parts = { token: rules.token, keysAt, refused, fetchFailed };
  return { rules, verify: rules.visas === undefined ? verify : withVisas(verify, rules.visas, parts) };
};

/** The rules of an access file. @throws TributaryError CONFIG_INVALID naming every problem */
export const rulesOf = ({ catalogues }: Pick<Ruled, 'catalogues'>, access: AccessConfig): AccessRules => {
  const ids = catalogues.map(({ catalogueId }) => catalogueId);
  const guarded = new Map(
    catalogues.flatMap(({ catalogueId, disclosure }) =>
      disclosure === undefined ? [] : [[catalogueId, disclosure] as const],
    ),
  );
  return readAccessRules(access.content, access.file, ids, guarded);
};

/** What callers of a hub without their own token may see and learn of a catalogue; null: nothing. */
export const grantToHub = (
  config: Ruled,
  catalogueId: string,
  hub: string,
): { readonly filter: Sqon | null; readonly tier: Tier | null } | null => {
  if (config.access === null) return { filter: null, tier: null };
  const rules = rulesOf(config, config.access);
  try {
    return {
      filter: rules.filterFor(catalogueId, null, hub),
      tier: rules.tierFor(catalogueId, null, hub),
    };
  } catch (error) {
    const { code } = asTributaryError(error);
    if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') return null;
    throw error;
  }
};

/** Access by the token of a request, which is verified once however many catalogues are queried. */
export const tokenAccess = (rules: AccessRules, verify: VerifyToken): TokenAccess => {
  const claims = new WeakMap<HttpContext, Promise<Claims | null>>();
  const claimsOf = (context: HttpContext): Promise<Claims | null> => {
    const known = claims.get(context) ?? verify(context.headers.authorization).then(named(context));
    claims.set(context, known);
    return known;
  };
  return {
    accessFilter: async (context, catalogueId) =>
      rules.filterFor(catalogueId, await claimsOf(context), hubOf(context)),
    networkAccess: async (context) => rules.requireNetwork(await claimsOf(context)),
    tierOf: async (context, catalogueId) =>
      rules.tierFor(catalogueId, await claimsOf(context), hubOf(context)),
    issuers: () => issuersOf(rules),
  };
};

/** The access of callers without a token. */
export const anonymousAccess = (rules: AccessRules): CallerAccess => ({
  accessFilter: (catalogueId) => rules.filterFor(catalogueId, null),
  networkAccess: () => rules.requireNetwork(null),
  tierOf: (catalogueId) => rules.tierFor(catalogueId, null),
});

const issuersOf = ({ token: { issuer = [], issuers = [] } }: AccessRules): readonly string[] => [
  ...new Set([...[issuer].flat(), ...issuers.map((one) => one.issuer)]),
];

/** Records the token's subject. */
const named =
  ({ state }: HttpContext) =>
  (claims: Claims | null): Claims | null => {
    const { iss, sub } = claims ?? {};
    if (typeof sub === 'string') state.subject = JSON.stringify([iss, sub]);
    return claims;
  };
