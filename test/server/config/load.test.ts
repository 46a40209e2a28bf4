import { join, resolve } from 'node:path';
import test from 'ava';
import { loadConfig, loadSettings } from '../../../src/server/config/load.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { texts } from './texts.ts';

const base = { documentType: 'painting', esIndex: 'paintings' };

test('the environment and the folders become one frozen configuration', (t) => {
  const folder = temporaryFolder(t, { 'museum/base.json': base });
  const config = loadConfig({
    CONFIGS_PATH: folder,
    NODES_PATH: 'off',
    SERVER_PORT: '0',
    DISABLE_DOWNLOADS: '1',
  });
  t.is(config.server.port, 0);
  t.true(config.http.network.switches.disableDownloads);
  t.true(config.catalogues[0]!.switches.disableDownloads);
  t.is(config.nodes, null);
  t.deepEqual(
    config.catalogues.map(({ catalogueId }) => catalogueId),
    ['museum'],
  );
  t.true(Object.isFrozen(config.catalogues[0]!.table));
});

test('the engine: embedded, the cluster named, or detected at ES_HOST', (t) => {
  const engine = (env: Record<string, string>) => loadSettings(env).engine;
  t.like(engine({}), { kind: 'embedded' });
  t.like(engine({ ES_HOST: 'http://search:9200' }), { kind: 'detect', url: 'http://search:9200' });
  t.like(engine({ SEARCH_ENGINE: 'opensearch' }), { kind: 'opensearch', url: 'http://127.0.0.1:9200' });
});

test('a query may cost what one processor does within the time of a request, or what is set', (t) => {
  const mostOf = (env: Record<string, string>) => loadSettings(env).http.cost.maxQueryCost;
  t.is(mostOf({}), 30_000_000);
  t.is(mostOf({ SEARCH_TIMEOUT_MS: '5000' }), 5_000_000);
  t.is(mostOf({ MAX_QUERY_COST: '0' }), 0);
  t.is(mostOf({ MAX_QUERY_COST: '7', SEARCH_TIMEOUT_MS: '5000' }), 7);
});

test('nothing to serve is an error that names the folder', (t) => {
  const folder = temporaryFolder(t, {});
  t.throws(() => loadConfig({ CONFIGS_PATH: join(folder, 'none'), NODES_PATH: 'off' }), {
    code: 'CONFIG_INVALID',
    message: /nothing to serve: CONFIGS_PATH ".*none"/,
  });
});

test('a nodes.json that names nodes needs no catalogue', (t) => {
  const content = { nodes: [{ nodeId: 'a' }] };
  const folder = temporaryFolder(t, { 'nodes.json': content, 'empty.json': { nodes: [] } });
  const file = join(folder, 'nodes.json');
  const config = loadConfig({ CONFIGS_PATH: join(folder, 'none'), NODES_PATH: file });
  t.deepEqual(config.catalogues, []);
  t.deepEqual(config.nodes, { content, file });
  t.throws(() => loadConfig({ CONFIGS_PATH: join(folder, 'none'), NODES_PATH: join(folder, 'empty.json') }), {
    code: 'CONFIG_INVALID',
  });
  const hub = { CONFIGS_PATH: join(folder, 'none'), NODES_PATH: join(folder, 'empty.json') };
  t.deepEqual(loadConfig({ ...hub, PUBLIC_URL: 'https://hub.example.org' }).catalogues, []);
});

test('a nodes file that is named must exist', (t) => {
  const folder = temporaryFolder(t, { 'c/base.json': base });
  const NODES_PATH = join(folder, 'missing.json');
  t.throws(() => loadConfig({ CONFIGS_PATH: join(folder, 'c'), NODES_PATH }), {
    code: 'CONFIG_INVALID',
    message: /^NODES_PATH names .*missing\.json", which does not exist: give a file, or off for no network$/,
  });
});

test('a nodes file with a key twice is read with a warning: one of them has no effect', (t) => {
  const text = '{ "nodes": [{ "nodeId": "a" }],\n  "nodes": [{ "nodeId": "b" }] }';
  const folder = temporaryFolder(t, { 'c/base.json': base, 'twice.json': text });
  const file = join(folder, 'twice.json');
  const { nodes, warnings } = loadConfig({ CONFIGS_PATH: join(folder, 'c'), NODES_PATH: file });
  t.deepEqual(nodes?.content, { nodes: [{ nodeId: 'b' }] });
  t.true(
    texts(warnings).includes(
      `${file} has the key nodes twice in one object (line 2): keep one; the last is read`,
    ),
    texts(warnings).join('\n'),
  );
});

test('the indexing service: its usual port unless one is named, off for none, jobs in DATA_PATH', (t) => {
  const indexing = (env: Record<string, string>) => loadSettings(env).indexing;
  t.like(indexing({}), { port: 11_235, isPortNamed: false, host: '127.0.0.1', dataPath: resolve('data') });
  t.like(indexing({ INDEXING_PORT: '11235' }), { port: 11_235, isPortNamed: true });
  t.is(indexing({ INDEXING_PORT: 'off' }).port, null);
  t.is(indexing({ ES_HOST: 'http://127.0.0.1:1', DATA_PATH: '/srv/jobs' }).dataPath, '/srv/jobs');
});

test('fields of pictures stay what they are; where the pages show none of them, a warning says so', (t) => {
  const extended = [{ fieldName: 'thumbnail', image: true, displayName: 'Picture' }];
  const folder = temporaryFolder(t, { 'museum/base.json': base, 'museum/extended.json': { extended } });
  const load = (env: Record<string, string>) =>
    loadConfig({ CONFIGS_PATH: folder, NODES_PATH: 'off', ...env });
  const warned = (env: Record<string, string>): boolean =>
    texts(load(env).warnings).some((line) =>
      /image of thumbnail shows no pictures: set IMAGE_HOSTS/.test(line),
    );
  t.true(warned({}));
  t.false(warned({ PORTAL_PATH: 'off' }));
  const hosts = { IMAGE_HOSTS: 'images.example.org, *.Example.net' };
  t.false(warned(hosts));
  t.deepEqual(load(hosts).http.portal!.imageHosts, ['images.example.org', '*.example.net']);
  for (const env of [{}, hosts]) t.deepEqual(load(env).catalogues[0]!.extended, extended);
});

test('links: true, or an address whose host no value changes', (t) => {
  const read = (link: unknown) => {
    const extended = [{ fieldName: 'title', link }];
    const folder = temporaryFolder(t, { 'museum/base.json': base, 'museum/extended.json': { extended } });
    return loadConfig({ CONFIGS_PATH: folder, NODES_PATH: 'off' }).catalogues[0]!.extended[0]?.link;
  };
  for (const link of [true, 'https://example.org/{value}', 'http://example.org?q={value}&x=1'])
    t.is(read(link), link);
  for (const link of [
    'https://{value}/',
    'https://{value}.example.org/',
    'https://example.org',
    'javascript:{value}',
    7,
  ])
    t.is(read(link), undefined);
});
