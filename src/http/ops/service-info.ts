import type { Network } from '../../federation/network.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import type { HttpContext } from '../koa/http-context.ts';

export interface ServiceInfoParts {
  readonly network: Network | null;
  readonly serverKey?: string | undefined;
}

/** GET /service-info: who this server is, in the form of GA4GH service-info 1.0. Says nothing about its data. */
export const showServiceInfo = (context: HttpContext, { network, serverKey }: ServiceInfoParts): void => {
  const { origin } = context.URL;
  const [, name = 'Tributary', version = '0'] = /^(.*?)(?: ([\w.+-]+))?$/.exec(serverVersion()) ?? [];
  const organization = network?.state().displayName ?? name;
  context.set('cache-control', 'no-cache');
  context.body = {
    id: serverKey ?? context.URL.host,
    name,
    type: { group: 'org.tributary', artifact: network === null ? 'node' : 'network', version },
    organization: { name: organization, url: origin },
    version,
    ...(serverKey !== undefined && { key: serverKey }),
    capabilities: ['graphql', 'introspection', ...(network === null ? [] : ['network'])],
  };
};
