import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../src/server/config/config.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { CatalogueConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { cohortDisclosure } from '../../capabilities/disclosure/cohort.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { catalogueGuard } from '../../../src/capabilities/disclosure/guard/guard-catalogue.ts';
import { openReleaseStore } from '../../../src/capabilities/disclosure/release/release-store.ts';
import { serveCatalogue } from '../../../src/server/node/serve-catalogue.ts';
import { openSwapping } from './swapping.ts';
import { faultAt } from '../../../src/lib/text/problem.ts';

const properties = { title: { type: 'keyword' } };
const books = bookConfig({ catalogueId: 'books', esIndex: 'books', folder: 'books' });
const maps = bookConfig({ catalogueId: 'maps', esIndex: 'maps', folder: 'maps' });
const lyon = bookConfig({
  ...{ catalogueId: 'lyon', esIndex: 'donors', folder: 'lyon' },
  disclosure: cohortDisclosure,
});
const charts = { query: '{ title }' };
const home = { nodeId: 'home', catalogue: 'books' };

/** All indexes are there unless their mappings are given. */
const engineOf = (mappings?: Record<string, JsonObject>) =>
  scriptedEngine({
    describe: (index) => {
      const found = mappings === undefined ? properties : mappings[index];
      if (found === undefined) throw new TributaryError('index_not_found', `no index ${index}`);
      return { properties: found };
    },
  });

const serve = async (
  t: ExecutionContext,
  first: Partial<Config>,
  engine = engineOf(),
  audit?: (config: Config) => void,
) => {
  const folder = temporaryFolder(t, {});
  const guard = serveCatalogue(catalogueGuard({ storeOf: (id) => openReleaseStore(folder, id) }));
  const served = await openSwapping(t, engine, first, { guard, ...(audit && { audit }) });
  const ids = () =>
    served
      .now()
      .registry.states()
      .map(({ config, status }) => `${config.catalogueId} ${status}`);
  const reload = async (changed: Partial<Config>) => {
    const { changes, problems } = await served.reload(changed);
    return { changes, problems };
  };
  return { ...served, ids, reload };
};

const nothing = { changes: [], problems: [] };
const edited = 'catalogue books: now serves with its changed configuration';
const refused = (...problems: readonly string[]) => ({ changes: [], problems });

test('catalogues come and go, and what has not changed stays the same', async (t) => {
  const { now, ids, reload } = await serve(t, { catalogues: [books] });
  const [first, server] = [now().registry.byId('books'), now()];
  t.deepEqual(await reload({ catalogues: [books] }), nothing);
  t.is(now(), server);
  t.deepEqual(await reload({ catalogues: [books, maps] }), {
    changes: ['catalogue maps: is served from now on'],
    problems: [],
  });
  t.deepEqual(ids(), ['books available', 'maps available']);
  t.is(now().registry.byId('books'), first);
  t.deepEqual(await reload({ catalogues: [{ ...books, charts }] }), {
    changes: [edited, 'catalogue maps: is no longer served'],
    problems: [],
  });
  t.deepEqual(ids(), ['books available']);
});

const wrong = { ...maps, problems: [faultAt('table.json', '', 'is not JSON')] };

for (const [fault, catalogues, problem] of [
  ['a file that is wrong', [{ ...books, charts }, wrong], 'catalogue maps: table.json is not JSON'],
  [
    'an index that is not there',
    [
      { ...books, charts },
      { ...maps, esIndex: 'none' },
    ],
    'catalogue maps: no index none',
  ],
  [
    'a copy of a guarded folder',
    [{ ...books, charts }, maps, { ...lyon, catalogueId: 'copy', folder: 'copy' }, lyon],
    'catalogue copy: disclosure.json is of an index that copy and lyon serve, which can have only one release: give each its own index',
  ],
] as const)
  test(`${fault} changes nothing, in the other catalogues neither`, async (t) => {
    const mappings = { books: properties, maps: properties, donors: properties };
    const { now, reload } = await serve(t, { catalogues: [books, maps, lyon] }, engineOf(mappings));
    const before = now();
    const report = await reload({ catalogues: [...catalogues] });
    t.deepEqual(report.changes, []);
    t.is(report.problems[0], problem);
    t.is(now(), before);
  });

test('a catalogue that has been wrong from the start, or whose index is not there, holds back no edit', async (t) => {
  const late = { ...maps, esIndex: 'late' };
  const { ids, reload } = await serve(t, { catalogues: [books, wrong] }, engineOf({ books: properties }));
  t.deepEqual(await reload({ catalogues: [{ ...books, charts }, wrong] }), {
    changes: [edited],
    problems: [],
  });
  const others = { ...wrong, problems: [faultAt('facets.json', '', 'is not JSON')] };
  t.deepEqual((await reload({ catalogues: [books, others] })).problems, []);
  t.deepEqual((await reload({ catalogues: [books, late] })).problems, []);
  t.deepEqual(ids(), ['books available', 'maps failed']);
});

test('files that were there and are missing change nothing', async (t) => {
  const folder = temporaryFolder(t, { 'books/base.json': {}, 'nodes.json': {} });
  const inFolder = (files: readonly string[]): CatalogueConfig => ({
    ...books,
    folder: `${folder}/books`,
    files,
  });
  const nodes = { file: `${folder}/gone.json`, content: { nodes: [home] } };
  const { reload } = await serve(t, { catalogues: [inFolder(['base.json', 'table.json']), maps], nodes });
  const missing = (file: string): string =>
    `${file} is missing: what it said before holds until it is back, or a restart`;
  t.deepEqual(
    await reload({ catalogues: [{ ...inFolder(['base.json']), charts }, maps], nodes: null }),
    refused(missing(`${folder}/gone.json`), missing('catalogue books: table.json')),
  );
  t.deepEqual((await reload({ catalogues: [], nodes: null })).problems.slice(1), [
    'configs has no catalogue: those before are served until one is back, or a restart',
  ]);
});

test('what narrows disclosure is served whatever else is wrong, what widens it is not', async (t) => {
  const { now, reload } = await serve(t, { catalogues: [books, lyon] });
  const tier = (id: string) => now().registry.byId(id)?.config.disclosure?.default;
  const to = (config: CatalogueConfig, wanted: 'none' | 'boolean' | 'records'): CatalogueConfig => ({
    ...config,
    charts,
    disclosure: { ...cohortDisclosure, default: wanted },
  });
  const report = await reload({ catalogues: [to(books, 'none'), to(lyon, 'boolean'), wrong] });
  t.deepEqual(report.problems, ['catalogue maps: table.json is not JSON']);
  t.deepEqual([tier('books'), tier('lyon')], ['none', 'boolean']);
  t.deepEqual(now().registry.byId('lyon')?.config.charts, lyon.charts);
  const { problems } = await reload({ catalogues: [to(books, 'records'), to(lyon, 'boolean')] });
  t.deepEqual(problems, [
    'catalogue books: disclosure.json, default: records shows more than none, which holds until a restart',
  ]);
  t.deepEqual([tier('books'), tier('lyon')], ['none', 'boolean']);
});

test('what narrows disclosure is audited, and closes the catalogue that shows the same records', async (t) => {
  const audited: (string | undefined)[] = [];
  const atlas = { ...maps, esIndex: 'books' };
  const { ids, now, reload } = await serve(t, { catalogues: [books, atlas] }, engineOf(), (config) => {
    audited.push(config.catalogues[0]?.disclosure?.default);
    throw new TributaryError('NOT_READY', 'the audit trail cannot be written');
  });
  const guarded = { ...books, disclosure: { ...cohortDisclosure, default: 'none' as const } };
  const { problems } = await reload({ catalogues: [guarded, { ...atlas, ...wrong, esIndex: 'books' }] });
  t.true(problems.includes('the audit trail cannot be written'), problems.join());
  t.deepEqual(audited, ['none']);
  t.deepEqual(ids(), ['books failed', 'maps failed']);
  t.is(now().reading.config.catalogues[0]?.disclosure?.default, 'none');
});

test('an error of any kind keeps no file from narrowing', async (t) => {
  const { now, reload } = await serve(t, { catalogues: [books] }, engineOf(), () => {
    throw new TypeError('no such property');
  });
  const guarded = { ...books, disclosure: { ...cohortDisclosure, default: 'none' as const } };
  const { problems } = await reload({ catalogues: [guarded] });
  t.deepEqual(problems, ['no such property']);
  t.is(now().registry.byId('books')?.config.disclosure?.default, 'none');
});

test('a guarded catalogue that went does not come back open', async (t) => {
  const { ids, reload } = await serve(t, { catalogues: [books, lyon] });
  await reload({ catalogues: [books] });
  const { disclosure: _, ...open } = lyon;
  t.deepEqual(
    await reload({ catalogues: [books, open] }),
    refused(
      'catalogue lyon: disclosure.json is gone: its records stay withheld by the former one until a restart',
    ),
  );
  t.deepEqual(ids(), ['books available']);
});

const accessOf = (catalogues: object) => ({
  content: { token: { algorithms: ['ES256'] }, catalogues },
  file: 'access.json',
  keys: { kind: 'jwks', url: 'http://127.0.0.1/' } as const,
});

test('access rules hold at once, whatever else is wrong', async (t) => {
  const open = { books: { public: 'everything' } };
  const closed = { books: { rules: [{ filter: 'everything' }] } };
  const { url, reload } = await serve(t, { catalogues: [books], access: accessOf(open) });
  const status = async (): Promise<number> => (await fetch(`${url}/introspection/books`)).status;
  t.is(await status(), 200);
  const access = accessOf({ ...closed, maps: { public: 'everything' } });
  t.deepEqual(await reload({ catalogues: [{ ...books, charts }, wrong], access }), {
    changes: ['access.json: the changed access rules and keys hold for every request from now on'],
    problems: ['catalogue maps: table.json is not JSON'],
  });
  t.is(await status(), 401);
});

for (const [fault, catalogues] of [
  ['an unknown catalogue', { books: { public: 'everything' }, tapes: { public: 'everything' } }],
  ['a misspelt key', { books: { pubic: 'everything' } }],
] as const)
  test(`access rules with ${fault} are not put into effect`, async (t) => {
    const open = { books: { public: 'everything' } };
    const served = await openSwapping(t, engineOf(), { catalogues: [books], access: accessOf(open) });
    const report = await served.reload({ catalogues: [books], access: accessOf(catalogues) });
    t.true(report.areRulesStale);
    t.deepEqual(report.changes, []);
    t.regex(
      report.problems.at(-1)!,
      /access\.json.*: the access rules and keys before hold until this is corrected$/,
    );
    t.is((await fetch(`${served.url}/introspection/books`)).status, 200);
  });

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
  test(`in nodes.json, ${mistake} changes nothing`, async (t) => {
    const fileOf = (listed: readonly object[]) => ({ content: { nodes: listed }, file: 'package.json' });
    const { now, reload } = await serve(t, { catalogues: [books], nodes: fileOf([home]) });
    const before = now();
    const { changes, problems } = await reload({
      catalogues: [{ ...books, charts }],
      nodes: { content: { nodes }, file: 'nodes.json' },
    });
    t.deepEqual(changes, []);
    t.is(problems.length, 1);
    t.regex(problems[0]!, problem);
    t.is(now(), before);
    t.is(now().networks.get('network')!.state().nodes.length, 1);
  });

test('networks come and go, and those of catalogues change with them', async (t) => {
  const named = (displayName: string) => ({ network: { localNode: { nodeId: 'home', displayName } } });
  const { now, reload } = await serve(t, { catalogues: [books] });
  const to = (displayName: string) => reload({ catalogues: [{ ...books, network: named(displayName) }] });
  t.deepEqual(await to('Home'), {
    changes: [edited, 'network.json of the catalogue books: the network is served from now on'],
    problems: [],
  });
  t.deepEqual(await to('House'), {
    changes: [edited, 'network.json of the catalogue books: node "home" has a changed entry'],
    problems: [],
  });
  const { changes, problems } = await reload({ catalogues: [{ ...books, network: { network: 'home' } }] });
  t.deepEqual(changes, []);
  t.regex(problems.join('\n'), /^catalogue books: .*network\.json/);
  t.is(now().networks.size, 1);
  t.deepEqual((await reload({ catalogues: [books] })).changes, [
    edited,
    'network.json of the catalogue books: the network is no longer served',
  ]);
  t.is(now().networks.size, 0);
});
