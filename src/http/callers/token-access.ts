import type { AccessRules } from '../../access/access-rules.ts';
import type { Claims } from '../../access/claims.ts';
import type { VerifyToken } from '../../access/verify-token.ts';
import type { AccessFilter, NetworkAccess, HttpContext, TierOf } from '../koa/http-context.ts';

/** What the token of a request allows. */
export interface TokenAccess {
  readonly accessFilter: AccessFilter;
  readonly tierOf: TierOf;
  /** Unset: everyone with access to some catalogue may use the network. */
  readonly networkAccess?: NetworkAccess;
}

/** Access by the token of a request, which is verified once however many catalogues are queried. */
export const tokenAccess = (rules: AccessRules, verify: VerifyToken): TokenAccess => {
  const claims = new WeakMap<HttpContext, Promise<Claims | null>>();
  const claimsOf = (context: HttpContext): Promise<Claims | null> => {
    const known = claims.get(context) ?? verify(context.headers.authorization).then(named(context));
    claims.set(context, known);
    return known;
  };
  const { requireNetwork } = rules;
  return {
    accessFilter: async (context, catalogueId) => rules.filterFor(catalogueId, await claimsOf(context)),
    ...(requireNetwork && { networkAccess: async (context) => requireNetwork(await claimsOf(context)) }),
    tierOf: async (context, catalogueId) => rules.tierFor(catalogueId, await claimsOf(context)),
  };
};

/** Records the token's subject. */
const named =
  ({ state }: HttpContext) =>
  (claims: Claims | null): Claims | null => {
    const { iss, sub } = claims ?? {};
    if (typeof sub === 'string') state.subject = JSON.stringify([iss, sub]);
    return claims;
  };
