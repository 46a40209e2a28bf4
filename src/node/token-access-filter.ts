import { readAccessRules } from '../access/access-rules.ts';
import { openTokenVerifier } from '../access/verify-token.ts';
import type { Config } from '../config/config.ts';
import type { TokenAccess } from '../http/callers/access-filters.ts';
import { tokenAccess } from '../http/callers/access-filters.ts';

/**
 * The configured access control; undefined without any.
 * @throws TributaryError CONFIG_INVALID naming what is wrong in the access file or with the keys
 */
export const tokenAccessFilter = ({
  access,
  catalogues,
}: Pick<Config, 'access' | 'catalogues'>): TokenAccess | undefined => {
  if (access === null) return undefined;
  const ids = catalogues.map(({ catalogueId }) => catalogueId);
  const guarded = new Map(
    catalogues.flatMap(({ catalogueId, disclosure }) =>
      disclosure === undefined ? [] : [[catalogueId, disclosure] as const],
    ),
  );
  const rules = readAccessRules(access.content, access.file, ids, guarded);
  return tokenAccess(rules, openTokenVerifier(access.keys, rules.token));
};
