import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { SignJWT } from 'jose';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { runHere } from '../run-here.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const now = Math.floor(Date.now() / 1000);

const tokenOf = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ iss: 'https://id.example.org/', sub: 'ann', exp: now + 600, ...claims })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(privateKey);

const groups = { claim: 'groups', includes: ['curators'] };
const studies = { op: 'in', content: { fieldName: 'study', value: [{ claim: 'studies' }] } };
const open = { op: 'in', content: { fieldName: 'access', value: ['open'] } };

const checked = async (t: Parameters<typeof temporaryFolder>[0], claims: Record<string, unknown>) => {
  const folder = temporaryFolder(t, {
    'configs/donors/base.json': JSON.stringify({ documentType: 'donor', esIndex: 'donors' }),
    'key.pem': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'access.json': JSON.stringify({
      token: { algorithms: ['ES256'], issuer: 'https://id.example.org/' },
      catalogues: {
        donors: { public: open, rules: [{ when: groups, filter: 'everything' }, { filter: studies }] },
      },
    }),
    token: await tokenOf(claims),
  });
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'off',
    HUBS_PATH: 'off',
    ACCESS_FILTER_PATH: join(folder, 'access.json'),
    JWKS_URL: pathToFileURL(join(folder, 'key.pem')).href,
  };
  const { code, output } = await runHere(['check', '--token', join(folder, 'token')], settings);
  return [code, ...output.trimEnd().split('\n')];
};

const valid = `valid: issuer https://id.example.org/, subject ann, until ${new Date((now + 600) * 1000).toISOString()}`;
const closed = 'the network: closed: the network is not open to the bearer of this token';

test('check says what a token opens', async (t) => {
  t.deepEqual(await checked(t, { groups: ['curators'], studies: 'A' }), [
    0,
    valid,
    'donors: records of everything',
    closed,
  ]);
});

test('check says why a token opens no more than it does', async (t) => {
  t.deepEqual(await checked(t, { groups: ['readers'], studies: [{ id: 'A' }] }), [
    0,
    valid,
    `donors: records of ${JSON.stringify(open)}`,
    '  rule 1 does not apply: its "groups" is not "curators"',
    '  rule 2 does not apply: its "studies" has values that rules do not read: only texts, numbers and booleans, none of a special meaning',
    closed,
  ]);
});

test('check says that an issuer left out the groups, and fails', async (t) => {
  const [code, , ...lines] = await checked(t, { _claim_names: { groups: 'src1' }, studies: ['A', 'B'] });
  t.is(code, 1);
  t.regex(String(lines[0]), /^donors: closed: the issuer left the claim "groups" out of this token/);
  t.is(lines[1], '  rule 1 does not apply: it has no claim "groups"');
});

test('check says why a token is refused: its time, its issuer', async (t) => {
  t.deepEqual(await checked(t, { iss: 'https://id.example.org' }), [
    1,
    'refused: the token is not valid here (unexpected "iss" claim value)',
    'its issuer https://id.example.org is configured as https://id.example.org/: they differ by a slash',
  ]);
  t.deepEqual(await checked(t, { nbf: now + 300 }), [
    1,
    'refused: the token is not valid yet: the clock of its issuer is ahead of this one by more than is tolerated ("nbf" claim timestamp check failed)',
  ]);
});
