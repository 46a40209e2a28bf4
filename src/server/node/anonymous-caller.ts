import type { AccessConfig, Config } from '../config/config.ts';
import { invalidConfig, type TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { faultAt, problemsError } from '../../lib/text/problem.ts';
import { fullAccess, type Caller } from '../../search/request-context.ts';
import type { AnonymousRules, Capability, Ruled } from '../http/capability.ts';

/** @throws TributaryError CONFIG_INVALID as the access file; also where no capability reads it, which must not open anything */
const rulesOf = (config: Ruled, capabilities: readonly Capability[]): AnonymousRules | null => {
  const { access, catalogues } = config;
  if (access === null) return null;
  const reader = capabilities.find(({ rules }) => rules !== undefined);
  if (reader?.rules === undefined) throw withoutAccess(access);
  return reader.rules({ access, catalogues });
};

/** The refusal of an access file that nothing reads. */
export const withoutAccess = ({ file }: Pick<AccessConfig, 'file'>): TributaryError =>
  problemsError([faultAt(file, '', 'needs the capability access, which this server does not have')]);

/** A caller without a token, by the rules of an access file; without an access file, everything is open. */
export const anonymousCaller = (config: Ruled, capabilities: readonly Capability[]): Caller => {
  const { access } = rulesOf(config, capabilities) ?? { access: fullAccess };
  return { headers: {}, ...access };
};

/** Whether hubs reach this server through tunnels, wherever it listens. */
const dialsOut = ({ hubs }: Pick<Config, 'hubs'>): boolean =>
  isJsonObject(hubs?.content) && Array.isArray(hubs.content['hubs']) && hubs.content['hubs'].length > 0;

const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/**
 * If others can reach this server, checks that a rule of an access file has `disclosure` for each guarded catalogue.
 * @throws TributaryError CONFIG_INVALID naming the catalogue
 */
export const requireDisclosureRules = (
  config: Ruled & Pick<Config, 'server' | 'hubs'>,
  capabilities: readonly Capability[],
): void => {
  const { access, catalogues, server } = config;
  if (server.host !== undefined && loopback.test(server.host) && !dialsOut(config)) return;
  const rules = rulesOf(config, capabilities);
  const unnamed = catalogues.find(
    ({ catalogueId, disclosure }) => disclosure !== undefined && rules?.namesDisclosure(catalogueId) !== true,
  );
  if (unnamed === undefined) return;
  const where =
    access === null
      ? 'ACCESS_FILTER_PATH is not set: name an access file'
      : `${access.file} names none for it`;
  throw invalidConfig(
    `catalogue ${unnamed.catalogueId} is guarded and others can reach this server, so an access file must say who may learn what of it ("disclosure" of a rule): ${where}, or set SERVER_HOST=127.0.0.1 to try it`,
  );
};
