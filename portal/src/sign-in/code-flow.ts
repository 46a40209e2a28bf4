import * as oauth from 'oauth4webapi';
import type { SignInConfig } from '../api/config.ts';
import type { Tokens } from '../api/session.ts';
import { forgetKept, keep, kept } from './kept.ts';

/** Providers on this machine may use http; the server allows no others in its configuration. */
const optionsFor = (address: string) => ({
  [oauth.allowInsecureRequests]: new URL(address).protocol === 'http:',
});

const discover = async ({ issuer }: SignInConfig): Promise<oauth.AuthorizationServer> => {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...optionsFor(issuer) });
  return oauth.processDiscoveryResponse(url, response);
};

/** Code flow with PKCE: stores what proves that the answer is for this tab, and leaves the page. */
export const leaveForProvider = async (config: SignInConfig, root: URL): Promise<void> => {
  const { authorization_endpoint } = await discover(config);
  if (authorization_endpoint === undefined) throw new Error('the provider has no authorization endpoint');
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const address = new URL(authorization_endpoint);
  const parameters = {
    client_id: config.clientId,
    redirect_uri: root.href,
    response_type: 'code',
    scope: config.scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // refresh tokens are issued only on request
    ...(config.scope.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  keep({ verifier, state, nonce, address: location.href });
  location.assign(address);
};

/** The tokens for an answer of the provider. @throws the errors of the provider or the library */
export const tokensOf = async (config: SignInConfig, root: URL, answer: URL): Promise<Tokens> => {
  const { state, nonce, verifier } = kept() ?? { state: '', nonce: '', verifier: '' };
  forgetKept();
  if (state === '') throw new Error('this tab did not request it');
  const server = await discover(config);
  const client = { client_id: config.clientId };
  const parameters = oauth.validateAuthResponse(server, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    root.href,
    verifier,
    optionsFor(config.issuer),
  );
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  return tokensFrom({ config, root, server, client }, result, null);
};

interface Parts {
  readonly config: SignInConfig;
  readonly root: URL;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
}

/** @param before values that the provider does not send again when it renews */
const tokensFrom = (parts: Parts, result: oauth.TokenEndpointResponse, before: Before | null): Tokens => {
  const claims = oauth.getValidatedIdTokenClaims(result);
  const known: Before = {
    name: claims === undefined ? (before?.name ?? '') : nameOf(claims),
    idToken: result.id_token ?? before?.idToken ?? null,
    refreshToken: result.refresh_token ?? before?.refreshToken ?? null,
  };
  const { refreshToken } = known;
  return {
    access: result.access_token,
    expiresAtMs: result.expires_in === undefined ? null : Date.now() + result.expires_in * 1000,
    name: known.name,
    renew: refreshToken === null ? null : () => renew(parts, refreshToken, known),
    signOut: () => leave(parts, known),
  };
};

interface Before {
  readonly name: string;
  readonly idToken: string | null;
  readonly refreshToken: string | null;
}

const nameOf = (claims: oauth.IDToken): string => {
  const named = [claims['name'], claims['preferred_username'], claims['email']];
  return named.find((name) => typeof name === 'string' && name !== '')?.toString() ?? claims.sub;
};

const renew = async (parts: Parts, refreshToken: string, before: Before): Promise<Tokens> => {
  const { config, server, client } = parts;
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, {
    ...optionsFor(config.issuer),
  });
  return tokensFrom(parts, await oauth.processRefreshTokenResponse(server, client, response), before);
};

/** Signs out: revokes the tokens at the provider, and loads a fresh page. */
const leave = async (
  { config, root, server, client }: Parts,
  { refreshToken, idToken }: Before,
): Promise<void> => {
  if (refreshToken !== null && server.revocation_endpoint !== undefined)
    // an unavailable provider must not keep users signed in here
    await oauth
      .revocationRequest(server, client, oauth.None(), refreshToken, optionsFor(config.issuer))
      .catch(() => undefined);
  if (server.end_session_endpoint === undefined) return location.reload();
  const address = new URL(server.end_session_endpoint);
  address.searchParams.set('client_id', config.clientId);
  address.searchParams.set('post_logout_redirect_uri', root.href);
  if (idToken !== null) address.searchParams.set('id_token_hint', idToken);
  location.assign(address);
};
