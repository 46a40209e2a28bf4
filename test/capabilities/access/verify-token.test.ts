import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { mock } from 'node:test';
import test from 'ava';
import { SignJWT } from 'jose';
import { accessFile, type TokenRules } from '../../../src/capabilities/access/access-file.ts';
import { openTokenKeys, openTokenVerifier } from '../../../src/capabilities/access/verify-token.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { listening } from '../../listening.ts';

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = own.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const rules: TokenRules = {
  algorithms: ['ES256'],
  issuer: 'https://id.example.org',
  audience: 'tributary',
  clockToleranceSeconds: 0,
};

interface Draft {
  readonly key?: Parameters<SignJWT['sign']>[0];
  readonly algorithm?: string;
  readonly keyId?: string;
  readonly claims?: Record<string, unknown>;
}

const inAMinute = (): number => Math.floor(Date.now() / 1000) + 60;
const good = () => ({ iss: rules.issuer, aud: rules.audience, exp: inAMinute(), studies: ['A'] });

const tokenOf = ({
  key = own.privateKey,
  algorithm = 'ES256',
  keyId,
  claims = good(),
}: Draft): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })
    .sign(key);

const verify = openTokenVerifier(openTokenKeys({ kind: 'pem', pem, file: 'key.pem' }), rules);

test.serial('the claims of a good token, and none without a bearer token', async (t) => {
  const token = await tokenOf({});
  for (const header of [`Bearer ${token}`, `bearer ${token}`])
    t.like(await verify(header), { studies: ['A'] });
  for (const header of [undefined, '', 'Basic dTpw']) t.is(await verify(header), null);
});

test.serial('a token that is not valid is refused, however it is wrong', async (t) => {
  const { exp, ...endless } = good();
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(good()))}.`.replaceAll('=', '');
  const cut = (await tokenOf({})).slice(0, -6);
  for (const [name, token] of [
    ['other key', await tokenOf({ key: other.privateKey })],
    [
      'public key as shared secret',
      await tokenOf({ key: new TextEncoder().encode(pem), algorithm: 'HS256' }),
    ],
    ['unsigned', unsigned],
    ['expired', await tokenOf({ claims: { ...good(), exp: exp - 120 } })],
    ['endless', await tokenOf({ claims: endless })],
    ['not yet', await tokenOf({ claims: { ...good(), nbf: inAMinute() } })],
    ['issuer', await tokenOf({ claims: { ...good(), iss: 'https://other.example.org' } })],
    ['audience', await tokenOf({ claims: { ...good(), aud: 'portal' } })],
    ['cut', cut],
    ['no token', 'abc'],
  ] as const) {
    const error = await t.throwsAsync(verify(`Bearer ${token}`), { instanceOf: TributaryError }, name);
    t.is(error.code, 'UNAUTHENTICATED', name);
    t.false(error.message.includes(token), 'the token is not repeated');
  }
});

test.serial('a key of another kind than the tokens, or no key at all', async (t) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  const rsaPem = rsa.export({ type: 'spki', format: 'pem' }).toString();
  const misfit = openTokenVerifier(openTokenKeys({ kind: 'pem', pem: rsaPem, file: 'key.pem' }), rules);
  await t.throwsAsync(misfit(`Bearer ${await tokenOf({})}`), { code: 'UNAUTHENTICATED' });
  t.throws(() => openTokenVerifier(openTokenKeys({ kind: 'pem', pem: 'no key', file: 'key.pem' }), rules), {
    code: 'CONFIG_INVALID',
    message: /^key\.pem holds no public key/,
  });
});

test.serial(
  'keys from an address: fetched once, and their absence is not an error of the token',
  async (t) => {
    let fetches = 0;
    let broken = true;
    const server = createServer((_request, response) => {
      fetches += 1;
      if (broken) response.writeHead(500).end('no keys');
      else
        response.end(
          JSON.stringify({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }] }),
        );
    });
    const url = `${(await listening(t, server)).url}/keys`;
    const verifyFetched = openTokenVerifier(openTokenKeys({ kind: 'jwks', url }), rules);
    const token = `Bearer ${await tokenOf({ keyId: 'k1' })}`;
    await t.throwsAsync(verifyFetched(token), { code: 'NOT_READY' });
    broken = false;
    t.like(await verifyFetched(token), { studies: ['A'] });
    t.like(await verifyFetched(token), { studies: ['A'] });
    t.is(fetches, 2);
    await t.throwsAsync(verifyFetched(`Bearer ${await tokenOf({ keyId: 'k2', key: other.privateKey })}`), {
      code: 'UNAUTHENTICATED',
    });
    const nowhere = openTokenVerifier(openTokenKeys({ kind: 'jwks', url: 'http://127.0.0.1:1/keys' }), rules);
    await t.throwsAsync(nowhere(token), { code: 'NOT_READY' });
  },
);

test.serial('fetched keys are valid for a day while their address fails, which is reported', async (t) => {
  let isBroken = false;
  let keyId = 'k1';
  let fetches = 0;
  const jwk = own.publicKey.export({ format: 'jwk' });
  const server = createServer((_request, response) => {
    fetches += 1;
    if (isBroken) response.writeHead(500).end('no keys');
    else response.end(JSON.stringify({ keys: [{ ...jwk, kid: keyId, alg: 'ES256' }] }));
  });
  const url = `${(await listening(t, server)).url}/keys`;
  const failures: unknown[] = [];
  const keptIn = `${temporaryFolder(t, {})}/keys.json`;
  const source = openTokenKeys(
    { kind: 'jwks', url },
    { keptIn, fetchFailed: (error) => failures.push(error) },
  );
  const verifyFetched = openTokenVerifier(source, rules);
  const startMs = Date.now();
  const at = (minutes: number) => mock.timers.setTime(startMs + minutes * 60_000);
  mock.timers.enable({ apis: ['Date'], now: startMs });
  t.teardown(() => mock.timers.reset());
  const token = async () => `Bearer ${await tokenOf({ keyId: 'k1' })}`;
  t.like(await verifyFetched(await token()), { studies: ['A'] });
  t.is(source.fetchedMs(), startMs);
  isBroken = true;
  const restarted = (one = url) =>
    openTokenVerifier(openTokenKeys({ kind: 'jwks', url: one }, { keptIn }), rules);
  t.like(await restarted()(await token()), { studies: ['A'] });
  await t.throwsAsync(restarted(`${url}2`)(await token()), { code: 'NOT_READY' });
  for (const minutes of [11, 12, 23 * 60]) {
    at(minutes);
    t.like(await verifyFetched(await token()), { studies: ['A'] });
    t.like(await verifyFetched(await token()), { studies: ['A'] });
  }
  t.is(failures.length, 3);
  t.is(fetches, 5);
  t.like(await restarted()(await token()), { studies: ['A'] });
  at(24 * 60 + 1);
  await t.throwsAsync(verifyFetched(await token()), { code: 'NOT_READY' });
  await t.throwsAsync(restarted()(await token()), { code: 'NOT_READY' });
  isBroken = false;
  at(24 * 60 + 2);
  t.like(await verifyFetched(await token()), { studies: ['A'] });
  keyId = 'k2';
  at(24 * 60 + 20);
  // a key that was withdrawn
  await t.throwsAsync(verifyFetched(await token()), { code: 'UNAUTHENTICATED' });
});

test.serial('a token that names no key is checked with each of the two keys that fit', async (t) => {
  const keys = [other, own].map(({ publicKey }, at) => ({
    ...publicKey.export({ format: 'jwk' }),
    ...{ kid: `k${at}`, alg: 'ES256' },
  }));
  const server = createServer((_request, response) => void response.end(JSON.stringify({ keys })));
  const url = `${(await listening(t, server)).url}/keys`;
  const verifyFetched = openTokenVerifier(openTokenKeys({ kind: 'jwks', url }), rules);
  for (const { privateKey } of [own, other])
    t.like(await verifyFetched(`Bearer ${await tokenOf({ key: privateKey })}`), { studies: ['A'] });
  const third = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  await t.throwsAsync(verifyFetched(`Bearer ${await tokenOf({ key: third })}`), { code: 'UNAUTHENTICATED' });
  const expired = { ...good(), exp: inAMinute() - 120 };
  await t.throwsAsync(verifyFetched(`Bearer ${await tokenOf({ claims: expired })}`), {
    message: 'the token has expired',
  });
});

test.serial('clocks may differ by half a minute unless the file says otherwise', async (t) => {
  const { token } = accessFile.parse({ token: { algorithms: ['ES256'] }, catalogues: {} });
  t.is(token.clockToleranceSeconds, 30);
  const tolerant = openTokenVerifier(openTokenKeys({ kind: 'pem', pem, file: 'key.pem' }), token);
  const nbf = Math.floor(Date.now() / 1_000) + 10;
  t.like(await tolerant(`Bearer ${await tokenOf({ claims: { ...good(), nbf } })}`), { studies: ['A'] });
  const later = { ...good(), nbf: nbf + 60 };
  await t.throwsAsync(tolerant(`Bearer ${await tokenOf({ claims: later })}`), { code: 'UNAUTHENTICATED' });
});

test.serial('an issuer that differs by a slash alone is refused, and both are told', async (t) => {
  const told: unknown[] = [];
  const keys = openTokenKeys({ kind: 'pem', pem, file: 'key.pem' });
  const verifyTold = (configured: Partial<TokenRules>) =>
    openTokenVerifier(keys, { ...rules, ...configured }, undefined, (one) => told.push(one));
  const url = 'http://127.0.0.1:1/keys';
  const issuer = 'https://id.example.org';
  const cases: readonly (readonly [Partial<TokenRules>, string])[] = [
    [{ issuer }, `${issuer}/`],
    [{ issuer: [`${issuer}/`] }, issuer],
    [{ issuer: undefined, issuers: [{ issuer: `${issuer}/`, jwksUrl: url }] }, issuer],
    [{ issuer }, 'https://other.example.org'],
  ];
  for (const [configured, iss] of cases) {
    const token = await tokenOf({ claims: { ...good(), iss } });
    // without a rule for other issuers, the third is as any of those
    await verifyTold(configured)(`Bearer ${token}`).catch((error: unknown) =>
      t.is((error as TributaryError).code, 'UNAUTHENTICATED'),
    );
  }
  t.deepEqual(told, [
    { token: `${issuer}/`, configured: issuer },
    { token: issuer, configured: `${issuer}/` },
    { token: issuer, configured: `${issuer}/` },
  ]);
});
