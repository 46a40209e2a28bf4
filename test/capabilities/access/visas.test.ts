import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { exportJWK, SignJWT } from 'jose';
import { Provider, type Configuration } from 'oidc-provider';
import { readAccessRules } from '../../../src/capabilities/access/access-rules.ts';
import { openTokenKeys, openTokenVerifier } from '../../../src/capabilities/access/verify-token.ts';
import { withVisas, type RefusedVisa } from '../../../src/capabilities/access/visas.ts';
import { tokenAccess } from '../../../src/capabilities/access/open-access.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { runApp } from '../../server/http/running-app.ts';
import { listening } from '../../listening.ts';

const now = (): number => Math.floor(Date.now() / 1_000);

/** An issuer with a real key, whose public half it serves until the test is over. */
const openIssuer = async (t: ExecutionContext, alg = 'ES256') => {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg };
  let passport: unknown = { sub: 'ada' };
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url!);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/userinfo' ? passport : { keys: [jwk] }));
  });
  const { url } = await listening(t, server);
  const sign = (claims: Record<string, unknown>, key: KeyObject = privateKey): Promise<string> =>
    new SignJWT({ iss: url, exp: now() + 60, ...claims })
      .setProtectedHeader({ alg, kid: 'k1', typ: 'vnd.ga4gh.visa+jwt' })
      .sign(key);
  const grant = (value: string, own: object = {}, claims: Record<string, unknown> = {}, key?: KeyObject) =>
    sign(
      {
        sub: 'ada',
        ga4gh_visa_v1: {
          ...{ type: 'ControlledAccessGrants', asserted: now() - 1_000, value },
          ...{ source: 'https://dac.example.org', by: 'dac', ...own },
        },
        ...claims,
      },
      key,
    );
  const answer = (body: unknown): void => void (passport = body);
  return { url, jwksUrl: `${url}/jwks`, userinfoUrl: `${url}/userinfo`, sign, grant, answer, requested };
};

type Issuer = Awaited<ReturnType<typeof openIssuer>>;

const open = (broker: Issuer, visaIssuers: readonly Issuer[], own: object = {}) => {
  const content = {
    token: {
      algorithms: ['ES256', 'RS256'],
      issuers: [{ issuer: broker.url, jwksUrl: broker.jwksUrl, ...own }],
    },
    visas: { issuers: visaIssuers.map(({ url: issuer, jwksUrl }) => ({ issuer, jwksUrl })) },
    catalogues: {
      library: {
        rules: [
          {
            filter: {
              op: 'in',
              content: { fieldName: 'title', value: [{ claim: 'visa.ControlledAccessGrants' }] },
            },
          },
        ],
      },
    },
  };
  const rules = readAccessRules(content, 'access.json', ['library']);
  const sources = new Map<string, ReturnType<typeof openTokenKeys>>();
  const keysAt = (url: string) => {
    const source = sources.get(url) ?? openTokenKeys({ kind: 'jwks', url });
    sources.set(url, source);
    return source;
  };
  const refused: RefusedVisa[] = [];
  const failures: unknown[] = [];
  const verify = withVisas(openTokenVerifier(null, rules.token, keysAt), rules.visas!, {
    ...{ token: rules.token, keysAt },
    refused: (visa) => refused.push(visa),
    fetchFailed: (error) => failures.push(error),
  });
  return { verify, refused, failures, access: tokenAccess(rules, verify) };
};

const bearer = async (broker: Issuer, claims: Record<string, unknown>): Promise<string> =>
  `Bearer ${await broker.sign({ sub: 'ada', ...claims })}`;

test('the grants of verified visas are a claim like others, from several issuers', async (t) => {
  const [broker, rems, ega] = await Promise.all([openIssuer(t), openIssuer(t, 'RS256'), openIssuer(t)]);
  const { verify, refused } = open(broker, [rems, ega]);
  const visas = [await rems.grant('EGAD01'), await ega.grant('EGAD02'), await ega.grant('EGAD02')];
  const claims = await verify(await bearer(broker, { ga4gh_passport_v1: visas }));
  t.deepEqual(claims!['visa.ControlledAccessGrants'], ['EGAD01', 'EGAD02']);
  t.deepEqual(refused, []);
});

test('unknown, expired, foreign and forged visas count for nothing, and the reason is logged', async (t) => {
  const [broker, rems, foreign] = await Promise.all([openIssuer(t), openIssuer(t), openIssuer(t)]);
  const { verify, refused } = open(broker, [rems]);
  const { privateKey: forger } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: rems.url }))}.`.replaceAll(
    '=',
    '',
  );
  const cases: readonly [unknown, RegExp][] = [
    [await foreign.grant('A'), /its issuer is not listed/],
    [await foreign.grant('A', {}, { iss: rems.url }), /signature verification failed/],
    [await rems.grant('A', {}, {}, forger), /signature verification failed/],
    [await rems.grant('A', {}, { exp: now() - 60 }), /"exp" claim timestamp check failed/],
    [await rems.grant('A', {}, { exp: undefined }), /missing required "exp"/],
    [await rems.grant('A', {}, { nbf: now() + 60 }), /"nbf"/],
    [await rems.grant('A', { type: 'AffiliationAndRole' }), /its type is not ControlledAccessGrants/],
    [await rems.grant('', {}), /it has no value/],
    [await rems.grant('A', { asserted: undefined }), /when it was asserted/],
    [await rems.grant('A', { asserted: now() + 3_600 }), /asserted in the future/],
    [await rems.grant('A', { by: 'self' }), /asserted by self: dac, system, so expected/],
    [await rems.grant('A', { by: undefined }), /by whom/],
    [await rems.grant('A', { conditions: [[{ type: 'AffiliationAndRole' }]] }), /under conditions/],
    [await rems.sign({ sub: 'ada' }), /expected object/],
    [unsigned, /alg/],
    ['no token', /its issuer is not listed/],
    [{ value: 'A' }, /its issuer is not listed/],
    [null, /its issuer is not listed/],
  ];
  for (const [visa, reason] of cases) {
    refused.length = 0;
    const claims = await verify(await bearer(broker, { ga4gh_passport_v1: [visa, await rems.grant('B')] }));
    t.deepEqual(claims!['visa.ControlledAccessGrants'], ['B'], String(reason));
    t.is(refused.length, 1, String(reason));
    t.regex(refused[0]!.reason, reason);
  }
  for (const passport of [undefined, null, 'x', {}, [], [await foreign.grant('A')]])
    t.is(
      (await verify(await bearer(broker, { ga4gh_passport_v1: passport })))!['visa.ControlledAccessGrants'],
      undefined,
    );
});

test('a token cannot state a grant by itself, and comes from a listed issuer', async (t) => {
  const [broker, rems] = await Promise.all([openIssuer(t), openIssuer(t)]);
  const { verify } = open(broker, [rems]);
  const own = { 'visa.ControlledAccessGrants': ['A'], visa: { ControlledAccessGrants: ['A'] }, role: 'x' };
  const claims = await verify(await bearer(broker, own));
  t.deepEqual(Object.keys(claims!).sort(), ['exp', 'iss', 'role', 'sub']);
  // the issuer of visas is none of tokens
  await t.throwsAsync(verify(await bearer(rems, {})), { code: 'UNAUTHENTICATED' });
  await t.throwsAsync(verify(`Bearer ${await rems.sign({ iss: broker.url })}`), { code: 'UNAUTHENTICATED' });
  t.is(await verify(undefined), null);
});

test('a passport is fetched where a token has none, once a minute, and is that of its bearer', async (t) => {
  const [broker, rems] = await Promise.all([openIssuer(t), openIssuer(t)]);
  const { verify, failures } = open(broker, [rems], { userinfoUrl: broker.userinfoUrl });
  broker.answer({ sub: 'ada', ga4gh_passport_v1: [await rems.grant('A')] });
  const token = await bearer(broker, {});
  for (let at = 0; at < 3; at += 1) t.deepEqual((await verify(token))!['visa.ControlledAccessGrants'], ['A']);
  t.is(broker.requested.filter((path) => path === '/userinfo').length, 1);
  broker.answer({ sub: 'eve', ga4gh_passport_v1: [await rems.grant('A')] });
  t.is((await verify(await bearer(broker, { jti: '2' })))!['visa.ControlledAccessGrants'], undefined);
  t.regex(String(failures[0]), /not about the bearer/);
});

test('a rule takes the data sets of visas as its filter; without any it does not apply', async (t) => {
  const [broker, rems] = await Promise.all([openIssuer(t), openIssuer(t)]);
  const { access } = open(broker, [rems]);
  const app = await runApp(t, { catalogues: [bookConfig()], ...access });
  const path = `/library/graphql?query=${encodeURIComponent('{ book { hits { total } } }')}`;
  const runQuery = async (visas: readonly string[]) =>
    app.get(path, { authorization: await bearer(broker, { ga4gh_passport_v1: visas }) });
  t.is((await runQuery([await rems.grant('Atlas')])).status, 200);
  t.like(app.engine.searches.at(-1)!.hits!.filter, { kind: 'terms', values: ['Atlas'] });
  t.is((await runQuery([])).status, 403);
  t.is((await runQuery([await rems.grant('*')])).status, 403);
});

const resource = 'https://search.example.org/';

const configurationWith = (visa: string): Configuration => ({
  clients: [
    {
      ...{ client_id: 'tool', client_secret: 'secret', redirect_uris: [] },
      ...{ grant_types: ['client_credentials'], response_types: [] },
    },
  ],
  extraTokenClaims: () => ({ ga4gh_passport_v1: [visa] }),
  features: {
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      getResourceServerInfo: () => ({
        ...{ scope: '', audience: resource },
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});

test('tokens of an OpenID provider with a passport in them', async (t) => {
  const rems = await openIssuer(t);
  const visa = await rems.grant('Atlas');
  const server = createServer();
  const { url } = await listening(t, server);
  const provider = new Provider(url, configurationWith(visa));
  server.on('request', (request, response) => void provider.callback()(request, response));
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('tool:secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const broker = { ...rems, url, jwksUrl: `${url}/jwks` };
  const { verify } = open(broker, [rems], { audience: resource });
  t.deepEqual((await verify(`Bearer ${token}`))!['visa.ControlledAccessGrants'], ['Atlas']);
});
