import { createServer } from 'node:http';
import { Provider, type Configuration } from 'oidc-provider';
import { listen } from '../../listening.ts';

/** A real OpenID Connect provider on loopback, with its own pages on which people sign in. */
export interface RunningProvider {
  readonly url: string;
  /** How long the access tokens are good that it gives from now on. */
  lifetimeSeconds: number;
  /** Whether it gives refresh tokens. */
  letsRenew: boolean;
  /** How often it gave tokens for a refresh token. */
  renewals: number;
  /** Lets the pages at an address sign people in. */
  readonly admit: (portal: string) => void;
  readonly stop: () => Promise<void>;
}

export const audience = 'https://search.example.org/';
export const clientId = 'tributary-portal';

/** The role stands in the access token; whoever signs in has the name they type as their role. */
export const openProvider = async (): Promise<RunningProvider> => {
  let provider: Provider | undefined;
  const server = createServer((request, response) => void provider?.callback()(request, response));
  const { url, stop } = await listen(server);
  const running = {
    url,
    lifetimeSeconds: 3600,
    letsRenew: true,
    renewals: 0,
    admit: (portal: string): void => {
      provider = new Provider(url, configurationOf(portal, running));
      provider.on('grant.success', ({ oidc }) => {
        if (oidc.params?.['grant_type'] === 'refresh_token') running.renewals += 1;
      });
    },
    stop,
  };
  return running;
};

const configurationOf = (
  portal: string,
  running: Pick<RunningProvider, 'lifetimeSeconds' | 'letsRenew'>,
): Configuration => ({
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      redirect_uris: [portal],
      post_logout_redirect_uris: [portal],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  clientBasedCORS: () => true,
  scopes: ['openid', 'offline_access'],
  issueRefreshToken: () => Promise.resolve(running.letsRenew),
  claims: { openid: ['sub', 'name'] },
  conformIdTokenClaims: false,
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, name: `Dr ${id}` }) }),
  extraTokenClaims: (_context, token) => ('accountId' in token ? { role: token.accountId } : {}),
  features: {
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: '',
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: running.lifetimeSeconds,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
