import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readCatalogues } from '../../../src/server/config/catalogue/catalogues.ts';
import { readEnvironment } from '../../../src/server/config/environment.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { texts } from './texts.ts';

const read = (t: ExecutionContext, files: Record<string, unknown>, env: Record<string, string> = {}) => {
  const folder = join(
    temporaryFolder(
      t,
      Object.fromEntries(Object.entries(files).map(([name, content]) => [`c/${name}`, content])),
    ),
    'c',
  );
  const { catalogues, warnings } = readCatalogues(
    readEnvironment({ CONFIGS_PATH: folder, ...env }).variables,
  );
  return {
    config: catalogues[0]!,
    warnings: texts(warnings).map((warning) => warning.replace(`${folder}/`, '')),
  };
};

const base = { documentType: 'print', esIndex: 'prints' };
const sections = {
  extended: [{ fieldName: 'title', displayName: 'Title' }],
  table: { columns: [{ fieldName: 'title', show: true }], maxResultsWindow: 50, rowIdFieldName: 'title' },
  facets: { aggregations: [{ fieldName: 'title', isActive: true, show: true }] },
  matchbox: [{ displayName: 'Prints', fieldName: 'title' }],
  charts: { query: 'x' },
  downloads: { allowCustomMaxRows: true, maxRows: 3, chunkSize: 2 },
  sets: { index: 'own-sets' },
  network: { localNode: { nodeId: 'here' }, remoteNodes: [] },
};

/** Every layout of the same configuration: file name -> content. */
const layouts: Readonly<Record<string, Record<string, unknown>>> = {
  'all in base.json': { 'base.json': { ...base, ...sections } },
  'all in config.json': { 'config.json': { ...base, ...sections } },
  'all in a file in upper case': { 'ALL.JSON': { ...base, ...sections } },
  'a file each, wrapped': {
    'base.json': base,
    ...Object.fromEntries(
      Object.entries(sections).map(([name, value]) => [`${name}.json`, { [name]: value }]),
    ),
  },
  'a file each, bare': {
    'base.json': base,
    ...Object.fromEntries(Object.entries(sections).map(([name, value]) => [`${name}.json`, value])),
  },
  'facets as a bare list, base wrapped in its name': {
    'base.json': { base },
    'facets.json': sections.facets.aggregations,
    'rest.json': { ...sections, facets: null },
  },
  'halves of one object in two files, keys of others beside a bare value': {
    'a.json': { ...base, ...sections, table: { columns: sections.table.columns } },
    'table.json': { maxResultsWindow: 50, rowIdFieldName: 'title', documentType: 'print' },
  },
  'the same twice': { 'one.json': { ...base, ...sections }, 'two.json': { ...sections } },
};

for (const [name, files] of Object.entries(layouts))
  test(`a configuration holds wherever its keys stand: ${name}`, (t) => {
    const { config, warnings } = read(t, files);
    t.deepEqual(warnings, []);
    t.like(config, {
      documentType: 'print',
      esIndex: 'prints',
      extended: [{ fieldName: 'title', displayName: 'Title' }],
      table: { maxResultsWindow: 50, rowIdFieldName: 'title', defaultSorting: [] },
      matchbox: [{ displayName: 'Prints', fieldName: 'title' }],
      charts: { query: 'x' },
      downloads: { allowCustomMaxRows: true, maxRows: 3 },
      downloadBufferRows: 2,
      setsIndex: 'own-sets',
      network: { network: sections.network },
      problems: [],
    });
    t.is(config.table.columns?.[0]?.fieldName, 'title');
    t.deepEqual(config.facets, sections.facets.aggregations);
  });

test('files that disagree fail the catalogue, which keeps its name; both are named', (t) => {
  const { config } = read(t, {
    'base.json': { ...base, maxDepth: 5, extended: [{ fieldName: 'a' }] },
    'config.json': { maxDepth: 6, extended: [{ fieldName: 'b' }], table: { maxResultsWindow: 5 } },
    'table.json': { maxResultsWindow: 6 },
    'text.json': { table: 'none' },
  });
  t.deepEqual(texts(config.problems), [
    'config.json: maxDepth is another than in base.json: give it in one of them, or the same in all',
    'config.json: extended is another than in base.json: give it in one of them, or the same in all',
    'text.json: table is another than in config.json and table.json: give it in one of them, or the same in all',
  ]);
  t.like(config, base);
});

test('a file that has a key twice with different values is reported', (t) => {
  const { config } = read(t, { 'base.json': { base: { ...base, maxDepth: 5 }, maxDepth: 6 } });
  t.deepEqual(texts(config.problems), ['base.json: maxDepth is there twice with different values: keep one']);
});

test('null counts as absent, and an empty list configures nothing', (t) => {
  const { config } = read(t, {
    'base.json': { ...base, maxDepth: null, table: { columns: [] }, facets: { aggregations: [] } },
    'config.json': { maxDepth: 9, network: null },
  });
  t.deepEqual(config.problems, []);
  t.like(config, { maxDepth: 9, facets: null, table: { columns: null } });
  t.false('network' in config);
});

test('wrong values are named by the file they stand in', (t) => {
  const { config, warnings } = read(t, {
    'all.json': {
      ...base,
      nestingPrefix: 5,
      table: { columns: [{ fieldName: 'a' }, { show: true }] },
      maxDepth: 0,
    },
    'facets.json': { aggregations: [{ fieldName: [] }] },
    'list.json': ['a'],
    'table.json': 'none',
    'notes.json': '{"a": 1,}',
  });
  t.is(config.problems.length, 4);
  t.regex(texts(config.problems)[0]!, /^list\.json is no object with keys such as catalogId, /);
  t.is(
    texts(config.problems)[1],
    'notes.json is not JSON (line 1 column 9): a key in double quotes expected',
  );
  t.regex(texts(config.problems)[2]!, /^table\.json is not JSON \(line 1 column 1\): a value expected$/);
  t.regex(texts(config.problems)[3]!, /^all\.json: nestingPrefix is wrong: /);
  t.is(warnings.length, 3);
  t.regex(warnings[0]!, /^all\.json: maxDepth is of another type: /);
  t.regex(warnings[1]!, /^all\.json: table\.columns\[1\] is of another type: fieldName: /);
  t.regex(
    warnings[2]!,
    /^facets\.json: aggregations\[0\] is of another type: fieldName: a text expected, found a list/,
  );
});

test('mapping.json, hidden files and files of the server are not part of a catalogue', (t) => {
  const folder = temporaryFolder(t, {
    'base.json': base,
    'mapping.json': { documentType: 'no', mappings: {} },
    '.old.json': { documentType: 'no' },
    'nodes.json': { network: { displayName: 'All' }, nodes: [] },
    'who.json': { catalogues: {} },
    'what.json': { repositories: [] },
    'hubs.json': { hubs: [] },
    'look.json': { name: 'All' },
  });
  const env = {
    CONFIGS_PATH: folder,
    NODES_PATH: join(folder, 'nodes.json'),
    ACCESS_FILTER_PATH: join(folder, 'who.json'),
    REPOSITORIES_PATH: join(folder, 'what.json'),
    HUBS_PATH: join(folder, 'hubs.json'),
    PORTAL_PATH: join(folder, 'look.json'),
  };
  const { catalogues, warnings } = readCatalogues(readEnvironment(env).variables);
  t.deepEqual(warnings, []);
  t.like(catalogues[0], { ...base, problems: [] });
});

test('files of the server beside the folders of several catalogues do not make one of them', (t) => {
  const ofServer = { 'nodes.json': {}, 'hubs.json': {}, 'portal.json': {} };
  const folder = temporaryFolder(t, { ...ofServer, 'a/base.json': base, 'b/config.json': base });
  const env = {
    CONFIGS_PATH: folder,
    NODES_PATH: join(folder, 'nodes.json'),
    HUBS_PATH: join(folder, 'hubs.json'),
    PORTAL_PATH: join(folder, 'portal.json'),
  };
  const { catalogues } = readCatalogues(readEnvironment(env).variables);
  t.deepEqual(
    catalogues.map(({ catalogueId }) => catalogueId),
    ['a', 'b'],
  );
});

test('an unread key is reported with the closest one, except index', (t) => {
  const { config, warnings } = read(t, {
    'base.json': { ...base, index: 'sets', maxAlias: 3, somethingElse: 1, maxResultsWindow: 7 },
    'extended.json': [
      { fieldName: 'a', type: 'keyword' },
      { fieldName: 'b', type: 'long' },
    ],
    'facets.json': {
      facets: {
        aggregations: [{ fieldName: 'a', isActve: true, active: true, esPass: 'x', maxResultsWindow: 7 }],
        size: 3,
      },
    },
    'matchbox.json': [{ fieldName: 'a', searchFields: [] }],
    'network.json': { network: {}, documentType: 'x' },
    'old.json': { esPass: 'x', documenttype: null },
  });
  t.deepEqual(config.problems, []);
  t.deepEqual(warnings, [
    'base.json: maxAlias is unknown: did you mean maxAliases?',
    'base.json: somethingElse is unknown and not read: the closest known one is esIndex',
    'base.json: maxResultsWindow is not read here: did you mean table.maxResultsWindow?',
    'extended.json: [0].type is not read, as 1 more such keys: a field has the type of the mapping, and is shown as its displayType',
    'facets.json: aggregations[0].isActve is unknown: did you mean isActive?',
    'facets.json: aggregations[0].active is unknown: did you mean isActive?',
    'facets.json: aggregations[0].esPass is unknown and not read: the closest known one is show',
    'facets.json: aggregations[0].maxResultsWindow is unknown and not read: the closest known one is fieldName',
    'facets.json: size is unknown and not read: the closest known one is aggregations',
    'matchbox.json: [0].searchFields is unknown and not read: the closest known one is searchFieldNames',
    'network.json: documentType is not read: this file holds the network only',
    'old.json: esPass is not read: take it out of the file, and name the variable that holds it in esCredentials (userVariable, passwordVariable)',
    'old.json: documenttype is unknown: did you mean documentType?',
  ]);
});

const flags = [true, false, undefined] as const;

for (const own of flags)
  for (const variable of flags) {
    const env = (name: string) => (variable === undefined ? {} : { [name]: String(variable) });
    test(`switches: ${own} in the file, ${variable} in the environment`, (t) => {
      const switches = (key: string, name: string) =>
        read(t, { 'base.json': { ...base, [key]: own } }, env(name)).config.switches;
      const off = own === true || variable === true;
      t.is(switches('disableFilters', 'DISABLE_FILTERS').disableFilters, off);
      t.is(switches('disableDownloads', 'DISABLE_DOWNLOADS').disableDownloads, off);
      t.is(switches('disablePlayground', 'DISABLE_GRAPHQL_PLAYGROUND').disablePlayground, off);
      t.is(switches('disableGraphQLPlayground', 'DISABLE_GRAPHQL_PLAYGROUND').disablePlayground, off);
      const on = variable !== false && (own ?? variable ?? false);
      t.is(switches('enableSets', 'ENABLE_SETS').enableSets, on);
      t.is(switches('enableGraphQLBatching', 'ENABLE_GRAPHQL_BATCHING').enableGraphQLBatching, on);
    });
  }

test('disableSets wins over enableSets, in the file and in the environment', (t) => {
  const enabled = (keys: object, env: Record<string, string> = {}) =>
    read(t, { 'base.json': { ...base, ...keys } }, env).config.switches.enableSets;
  t.true(enabled({ enableSets: true, disableSets: false }));
  t.false(enabled({ enableSets: true, disableSets: true }));
  t.false(enabled({ enableSets: true }, { DISABLE_SETS: 'true' }));
});
