import type { TokenAccess } from '../../server/http/callers/access-filters.ts';
import { hubOf, type HttpContext } from '../../server/http/koa/http-context.ts';
import type { CallerAccess } from '../../search/request-context.ts';
import type { AccessRules } from './access-rules.ts';
import type { Claims } from './claims.ts';
import type { VerifyToken } from './verify-token.ts';

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
