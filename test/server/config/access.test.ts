import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { loadConfig } from '../../../src/server/config/load.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { problemText } from '../../../src/lib/text/problem.ts';

const base = { documentType: 'painting', esIndex: 'paintings' };

const accessFile = { token: { algorithms: ['RS256'] }, catalogues: {} };

test('access control is read whole or not at all', (t) => {
  const folder = temporaryFolder(t, {
    'museum/base.json': base,
    'access.json': accessFile,
    'key.pem': 'a key',
    'twice.json': '{"catalogues":{},"catalogues":{}}',
  });
  const accessOf = (env: Record<string, string>) =>
    loadConfig({ CONFIGS_PATH: join(folder, 'museum'), NODES_PATH: 'off', ...env }).access;
  const file = join(folder, 'access.json');
  t.is(accessOf({}), null);
  t.deepEqual(accessOf({ ACCESS_FILTER_PATH: file, JWKS_URL: 'https://id.example.org/keys' }), {
    content: accessFile,
    file,
    keys: { kind: 'jwks', url: 'https://id.example.org/keys' },
  });
  const pemFile = join(folder, 'key.pem');
  const pemUrl = pathToFileURL(pemFile).href;
  t.deepEqual(accessOf({ ACCESS_FILTER_PATH: file, JWKS_URL: pemUrl })!.keys, {
    kind: 'pem',
    pem: 'a key',
    file: pemFile,
  });
  for (const [env, message] of [
    [{ ACCESS_FILTER_PATH: file }, /needs JWKS_URL, or token\.issuers in its file/],
    [{ ACCESS_FILTER_PATH: file, JWKS_URL: 'ftp://a.example' }, /JWKS_URL cannot be/],
    [{ ACCESS_FILTER_PATH: `${file}x`, JWKS_URL: 'https://a.example' }, /which does not exist/],
    [{ ACCESS_FILTER_PATH: pemFile, JWKS_URL: 'https://a.example' }, /key\.pem is not JSON/],
    [
      { ACCESS_FILTER_PATH: join(folder, 'twice.json'), JWKS_URL: 'https://a.example' },
      /twice\.json has the key catalogues twice in one object/,
    ],
    [{ ACCESS_FILTER_PATH: file, JWKS_URL: `${pemUrl}x` }, /JWKS_URL names .*, which cannot be read/],
    [{ JWKS_URL: 'https://a.example' }, /JWKS_URL is set but ACCESS_FILTER_PATH is not/],
  ] as const)
    t.throws(() => accessOf(env), { code: 'CONFIG_INVALID', message });
});

test('enabled access control without rules prevents the start', (t) => {
  const folder = temporaryFolder(t, { 'museum/base.json': base, 'access.json': accessFile });
  const load = (env: Record<string, string>, hasAccessFilter = false) =>
    loadConfig({ CONFIGS_PATH: join(folder, 'museum'), NODES_PATH: 'off', ...env }, { hasAccessFilter });
  t.throws(() => load({ ENABLE_ACCESS_CONTROL: 'true' }), {
    code: 'CONFIG_INVALID',
    message: /ENABLE_ACCESS_CONTROL is true but ACCESS_FILTER_PATH is not set/,
  });
  t.notThrows(() => load({ ENABLE_ACCESS_CONTROL: 'true' }, true));
  t.notThrows(() => load({ ENABLE_ACCESS_CONTROL: 'false' }));
  const rules = { ACCESS_FILTER_PATH: join(folder, 'access.json'), JWKS_URL: 'https://id.example.org/keys' };
  t.notThrows(() => load({ ENABLE_ACCESS_CONTROL: '1', ...rules }));
  t.throws(() => load({ ENABLE_ACCESS_CONTROL: '0', ...rules }), {
    code: 'CONFIG_INVALID',
    message: 'ENABLE_ACCESS_CONTROL is false, but ACCESS_FILTER_PATH is set: unset one of them',
  });
  t.throws(() => load({ ENABLE_ACCESS_CONTROL: 'false' }, true), {
    code: 'CONFIG_INVALID',
    message: /is false, but the application has access rules/,
  });
});

test('a network that the access file does not open is closed, and the start says so', (t) => {
  const folder = temporaryFolder(t, {
    'configs/museum/base.json': base,
    'nodes.json': { nodes: [{ nodeId: 'here', catalogue: 'museum' }] },
    'closed.json': { ...accessFile, catalogues: { '*': { public: 'everything' } } },
    'open.json': { ...accessFile, network: { public: 'everything' } },
  });
  const warningsOf = (access: string, nodes: string) =>
    loadConfig({
      CONFIGS_PATH: join(folder, 'configs'),
      NODES_PATH: nodes,
      ACCESS_FILTER_PATH: join(folder, access),
      JWKS_URL: 'https://id.example.org/keys',
    })
      .warnings.filter(({ key }) => key === 'network')
      .map(problemText);
  const nodes = join(folder, 'nodes.json');
  t.deepEqual(warningsOf('closed.json', nodes), [
    `${join(folder, 'closed.json')}: network is missing, so nobody may use the network: add "network": {"public": "everything"} or rules`,
  ]);
  t.deepEqual(warningsOf('open.json', nodes), []);
  t.deepEqual(warningsOf('closed.json', 'off'), []);
});
