import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../src/config/config.ts';
import type { CatalogueConfig } from '../../src/introspection/fields/catalogue-config.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { readNetworkJson } from '../../src/federation/config/network-json.ts';
import type { NetworkConfig } from '../../src/federation/config/nodes.ts';
import { openNetwork } from '../../src/federation/network.ts';
import { openRegistry } from '../../src/local/registry.ts';
import { reloadNode, takesRestart, withMissingFiles } from '../../src/node/reload.ts';
import { openAccessControl } from '../../src/node/token-access-filter.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { cohortDisclosure } from '../disclosure/cohort.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';
import { scriptedEngine } from '../local/scripted-engine.ts';

const properties = { title: { type: 'keyword' } };
const books = bookConfig({ catalogueId: 'books', esIndex: 'books' });
const lyon = bookConfig({ catalogueId: 'lyon', esIndex: 'donors', disclosure: cohortDisclosure });

/** These catalogues, without any network, and their reload. */
const serve = async (t: ExecutionContext, ...catalogues: readonly CatalogueConfig[]) => {
  const registry = await openRegistry(catalogues, scriptedEngine({ describe: () => ({ properties }) }), {});
  t.teardown(registry.close);
  const parts = { registry, networks: new Map(), access: null };
  const configOf = (wanted: readonly CatalogueConfig[]) =>
    ({ catalogues: wanted, nodes: null, access: null }) as unknown as Config;
  return {
    registry,
    reload: (...wanted: readonly CatalogueConfig[]) => reloadNode(configOf(wanted), parts),
  };
};

const charts = { query: '{ title }' };
const edited = 'catalogue books: now serves with its changed configuration';

for (const [copied, copy] of [
  ['a copy', { ...lyon, catalogueId: 'lyon-backup' }],
  ['an open copy', bookConfig({ catalogueId: 'lyon-backup', esIndex: 'donors' })],
] as const)
  test(`${copied} of a guarded folder is reported, and other edits take effect`, async (t) => {
    const { registry, reload } = await serve(t, books, lyon);
    const report = await reload({ ...books, charts }, lyon, copy);
    t.deepEqual(report.changes, [edited]);
    t.deepEqual(report.problems, [
      'catalogue lyon: disclosure.json: lyon and lyon-backup serve the same index, which can have only one release; give each its own index',
      'catalogue lyon-backup: is new: it is served after a restart',
    ]);
    t.is(registry.byId('lyon-backup'), undefined);
  });

const missing = (file: string): string =>
  `${file} is missing: what it said before holds until it is back, or a restart`;

test('a file that was there and is missing says what it said before, and other files are read', (t) => {
  const file = (name: string, content?: unknown) => ({ file: name, content });
  const before = { nodes: file('nodes.json', { nodes: [] }), hubs: file('hubs.json', { hubs: [] }) };
  const inUse = ['books', 'maps', 'broken'].map((folder) =>
    bookConfig({ folder, catalogueId: folder, files: ['base.json', 'extended.json', 'table.json'] }),
  );
  const [ofBooks, ofMaps, ofBroken] = inUse.map((config) => ({ ...config, charts }));
  const read = (wanted: object): Config =>
    ({ nodes: null, hubs: file('hubs.json'), access: null, catalogues: [], ...wanted }) as unknown as Config;
  const failed = { ...inUse[2]!, problems: ['base.json is not JSON'] };
  const wanted = [{ ...ofBooks!, files: ['table.json'] }, ofMaps!, { ...ofBroken!, files: ['base.json'] }];
  const found = withMissingFiles(read({ catalogues: wanted }), before, [inUse[0]!, inUse[1]!, failed]);
  t.deepEqual(found.problems, [
    missing('nodes.json'),
    missing('hubs.json'),
    missing('catalogue books: base.json'),
    missing('catalogue books: extended.json'),
  ]);
  t.like(found.config, before);
  t.deepEqual(found.config.catalogues, [inUse[0]!, wanted[1]!, wanted[2]!]);
  const never = { nodes: null, hubs: file('hubs.json') };
  t.deepEqual(withMissingFiles(read({}), never, []), { config: read({}), problems: [] });
});

test('an id in another case is the same catalogue, guarded as before', async (t) => {
  const { registry, reload } = await serve(t, books, lyon);
  const open = bookConfig({ catalogueId: 'Lyon', esIndex: 'donors' });
  t.deepEqual(await reload({ ...books, charts }, open), {
    changes: [edited],
    problems: [
      'catalogue Lyon: disclosure.json is gone: its records stay withheld by the former one until a restart',
    ],
  });
  t.deepEqual(registry.byId('lyon')?.config.disclosure, cohortDisclosure);
});

const home = { nodeId: 'home', catalogue: 'books' };
const locked = {
  nodeId: 'locked',
  documentType: 'book',
  graphqlUrl: 'https://locked.example.org/graphql',
  credential: { header: 'x-key', env: 'LOCKED_KEY' },
};

for (const [mistake, nodes, problem] of [
  ['a credential that is not set', [home, locked], /^nodes\.json: .*names LOCKED_KEY, which is not set$/],
  ['an entry that is not valid', [home, home], /^nodes\.json: /],
] as const)
  test(`in nodes.json, ${mistake} holds back no catalogue and no other network`, async (t) => {
    const { registry } = await serve(t, books);
    const open = (config: NetworkConfig) => {
      const network = openNetwork(config, registry.byId);
      t.teardown(network.close);
      return network;
    };
    const named = (displayName: string) => ({ network: { localNode: { nodeId: 'home', displayName } } });
    const server = open(readNodes({ nodes: [home] }, 'nodes.json'));
    const own = open(readNetworkJson(named('Home'), 'network.json', 'books'));
    const { changes, problems } = await reloadNode(
      {
        catalogues: [{ ...books, charts, network: named('House') }],
        nodes: { content: { nodes }, file: 'nodes.json' },
        access: null,
      } as unknown as Config,
      {
        registry,
        networks: new Map([
          ['network', server],
          ['books/network', own],
        ]),
        access: null,
      },
    );
    t.deepEqual(changes, [edited, 'network.json of the catalogue books: node "home" has a changed entry']);
    t.is(problems.length, 1);
    t.regex(problems[0]!, problem);
    t.is(server.state().nodes.length, 1);
  });

test('an invalid network.json is reported once, and its network stays as it was', async (t) => {
  const { registry } = await serve(t, books);
  const own = openNetwork(
    readNetworkJson({ network: { localNode: { nodeId: 'home' } } }, 'network.json', 'books'),
    registry.byId,
  );
  t.teardown(own.close);
  const { changes, problems } = await reloadNode(
    {
      catalogues: [{ ...books, network: { network: 'home' } }],
      nodes: null,
      access: null,
    } as unknown as Config,
    { registry, networks: new Map([['books/network', own]]), access: null },
  );
  t.deepEqual(changes, []);
  t.is(problems.length, 1);
  t.regex(problems[0]!, /^catalogue books: .*network\.json/);
  t.deepEqual(
    own.state().nodes.map(({ nodeId }) => nodeId),
    ['home'],
  );
});

test('an access file may name a catalogue that is served until a restart although its folder is gone', async (t) => {
  const other = bookConfig({ catalogueId: 'other', esIndex: 'other' });
  const { registry } = await serve(t, books, other);
  const config = (catalogues: readonly CatalogueConfig[], open: object) => {
    const content = { token: { algorithms: ['ES256'] }, catalogues: { books: open, other: open } };
    const access = { content, file: 'access.json', keys: { kind: 'jwks', url: 'http://127.0.0.1/' } };
    const dataPath = temporaryFolder(t, {});
    return {
      catalogues,
      access,
      nodes: null,
      hubs: null,
      server: {},
      dataPath,
    } as unknown as Config;
  };
  const observer = { inEffect: () => undefined, fetchFailed: () => undefined };
  const access = openAccessControl(config([books, other], { public: 'everything' }), observer);
  const parts = { registry, networks: new Map(), access };
  const { changes, problems } = await reloadNode(
    config([books], { rules: [{ filter: 'everything' }] }),
    parts,
  );
  t.deepEqual(changes, ['access.json: the changed access rules and keys hold for every request from now on']);
  t.deepEqual(problems, ['catalogue other: is no longer configured: it is served until the next restart']);
});

test('secrets in files that take a restart are named where they have changed', (t) => {
  const config = (secret: string) => ({ indexing: { repositories: [{ secret }] } }) as unknown as Config;
  t.deepEqual(takesRestart(config('a'), config('a')), []);
  t.deepEqual(takesRestart(config('b'), config('a')), [
    'the repositories to index have changed: those before are indexed until a restart',
  ]);
});
