import { readAccessRules, type AccessRules } from '../access/access-rules.ts';
import { openTokenVerifier } from '../access/verify-token.ts';
import type { Config } from '../config/config.ts';
import type { TokenAccess } from '../http/callers/access-filters.ts';
import { TributaryError } from '../errors/errors.ts';
import { tokenAccess } from '../http/callers/access-filters.ts';

/**
 * The configured access control; undefined without any.
 * @throws TributaryError CONFIG_INVALID naming what is wrong in the access file or with the keys
 */
export const tokenAccessFilter = (config: AccessParts): TokenAccess | undefined => {
  const { access } = config;
  if (access === null) return undefined;
  const rules = rulesOf(config, access);
  return tokenAccess(rules, openTokenVerifier(access.keys, rules.token));
};

type AccessParts = Pick<Config, 'access' | 'catalogues'>;

const rulesOf = ({ catalogues }: AccessParts, access: NonNullable<Config['access']>): AccessRules => {
  const ids = catalogues.map(({ catalogueId }) => catalogueId);
  const guarded = new Map(
    catalogues.flatMap(({ catalogueId, disclosure }) =>
      disclosure === undefined ? [] : [[catalogueId, disclosure] as const],
    ),
  );
  return readAccessRules(access.content, access.file, ids, guarded);
};

const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/**
 * Checks that an access file says who may learn what of each guarded catalogue, where others can reach this server.
 * @throws TributaryError CONFIG_INVALID naming the catalogue
 */
export const requireNamedTiers = (config: AccessParts & Pick<Config, 'server'>): void => {
  const { access, catalogues, server } = config;
  if (server.host !== undefined && loopback.test(server.host)) return;
  const rules = access === null ? null : rulesOf(config, access);
  const unnamed = catalogues.find(
    ({ catalogueId, disclosure }) => disclosure !== undefined && rules?.namesTier(catalogueId) !== true,
  );
  if (unnamed === undefined) return;
  const where =
    access === null
      ? 'ACCESS_FILTER_PATH is not set: name an access file'
      : `${access.file} names none for it`;
  throw new TributaryError(
    'CONFIG_INVALID',
    `catalogue ${unnamed.catalogueId} is guarded and others can reach this server, so an access file must say who may learn what of it ("disclosure" of a rule): ${where}, or set SERVER_HOST=127.0.0.1 to try it`,
  );
};
