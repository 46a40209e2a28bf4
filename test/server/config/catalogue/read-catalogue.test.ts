import test, { type ExecutionContext } from 'ava';
import { readEnvironment } from '../../../../src/server/config/environment.ts';
import { folderParts } from '../../../../src/server/config/catalogue/folder-parts.ts';
import { readCatalogue } from '../../../../src/server/config/catalogue/read-catalogue.ts';
import { introspectionDisabled } from '../../../../src/server/config/catalogue/switches.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { texts } from '../texts.ts';

const read = (t: ExecutionContext, files: Record<string, unknown>, env: Record<string, string> = {}) => {
  const folder = temporaryFolder(t, files);
  return readCatalogue(folder, readEnvironment(env).variables, {}, folderParts(folder, new Set()));
};

test('without files every setting has its default', (t) => {
  const { config } = read(t, { 'base.json': { catalogId: 'prints' } });
  const { folder, places, ...rest } = config;
  t.truthy(places);
  t.truthy(folder);
  t.deepEqual(rest, {
    files: ['base.json'],
    catalogueId: 'prints',
    documentType: '',
    esIndex: null,
    nestingPrefix: null,
    maxAliases: 15,
    maxDepth: 7,
    disableGraphQLIntrospection: false,
    extended: [],
    table: { columns: null, defaultSorting: [], maxResultsWindow: 10_000, rowIdFieldName: 'id' },
    facets: null,
    matchbox: [],
    charts: { query: '' },
    downloads: { allowCustomMaxRows: false, maxRows: null, rowCap: null },
    downloadBufferRows: 200,
    switches: noSwitches,
    setsIndex: 'arranger-sets',
    problems: [],
  });
});

test('labels in several languages: the English one is the label of a field without another', (t) => {
  const displayNames = { en: 'Age', fr: 'Âge', it: 'Età' };
  const descriptions = { en: 'In years', de: null };
  const { config, warnings } = read(t, {
    'base.json': { catalogId: 'prints' },
    'extended.json': [
      { fieldName: 'age', displayNames, descriptions },
      { fieldName: 'sex', displayName: 'Sex', displayNames: { en: 'Gender' }, descriptions: null },
    ],
  });
  t.like(config.extended[0], {
    displayName: 'Age',
    displayNames: { en: 'Age', fr: 'Âge' },
    description: 'In years',
  });
  t.like(config.extended[1], { displayName: 'Sex', displayNames: { en: 'Gender' } });
  t.is(warnings.length, 1);
  t.regex(texts(warnings)[0]!, /extended\.json: \[0\]\.displayNames\.it is unknown/);
});

test('a label that is not text is left out, and reported with its place', (t) => {
  const { config, warnings } = read(t, {
    'extended.json': [{ fieldName: 'age', displayNames: { en: 'Age', fr: ['Âge'] } }],
  });
  t.deepEqual(config.problems, []);
  t.is(config.extended[0]!.displayName, 'Age');
  t.is(warnings.length, 1);
  t.regex(
    texts(warnings)[0]!,
    /extended\.json: \[0\]\.displayNames\.fr is of another type: a text expected, found a list: it is not read$/,
  );
});

test('values that can only mean one thing are read, with a warning for each key', (t) => {
  const { config, warnings } = read(t, {
    'base.json': { documentType: 'print', esIndex: 'prints', maxDepth: '12', disableDownloads: 'true' },
    'extended.json': [{ fieldName: 'a', isArray: 'true', rangeStep: '0.5', unit: 5, displayName: 7 }],
    'facets.json': {
      aggregations: [
        { fieldName: 'a', show: 'true', isActive: 1 },
        { fieldName: 'b', show: 'true' },
      ],
    },
    'table.json': { columns: [{ fieldName: 'a', show: 'False', sortable: 0 }], maxResultsWindow: '10000' },
    'matchbox.json': [{ fieldName: 'a', searchFieldNames: 'a' }],
    'downloads.json': { maxRows: '50', allowCustomMaxRows: 'true' },
  });
  t.deepEqual(config.problems, []);
  t.is(config.maxDepth, 12);
  t.true(config.switches.disableDownloads);
  t.like(config.extended[0], { isArray: true, rangeStep: 0.5, unit: '5', displayName: '7' });
  t.deepEqual(config.facets, [
    { fieldName: 'a', show: true, isActive: true },
    { fieldName: 'b', show: true, isActive: false },
  ]);
  t.like(config.table, { maxResultsWindow: 10_000 });
  t.like(config.table.columns![0], { show: false, sortable: false });
  t.deepEqual(config.matchbox[0]!.searchFieldNames, ['a']);
  t.deepEqual(config.downloads, { maxRows: 50, allowCustomMaxRows: true, rowCap: null });
  t.true(
    texts(warnings).some((line) =>
      line.endsWith(
        'facets.json: aggregations[0].show is of another type: "true" is read as true, and 1 more',
      ),
    ),
  );
  t.true(
    texts(warnings).some((line) =>
      line.endsWith('table.json: maxResultsWindow is of another type: "10000" is read as 10000'),
    ),
  );
});

test('values of other types are left out with a warning, entry by entry', (t) => {
  const { config, warnings } = read(t, {
    'base.json': { documentType: 'print', esIndex: 'prints', maxAliases: {}, description: [] },
    'extended.json': [
      { fieldName: 'a', displayValues: '', isArray: 'perhaps' },
      'b',
      null,
      { displayName: 'C' },
    ],
    'table.json': { columns: {}, defaultSorting: '', maxResultsWindow: -1, rowIdFieldName: {} },
    'facets.json': { aggregations: { fieldName: 'a', show: 'maybe' } },
    'matchbox.json': { matchbox: {} },
    'charts.json': { charts: '' },
    'downloads.json': [],
  });
  t.deepEqual(config.problems, []);
  t.is(config.maxAliases, 15);
  t.is(config.description, undefined);
  t.deepEqual(config.extended, [{ ...config.extended[0]!, fieldName: 'a' }]);
  t.is(config.extended[0]!.displayValues, undefined);
  t.is(config.extended[0]!.isArray, undefined);
  t.like(config.table, { columns: null, defaultSorting: [], maxResultsWindow: 10_000, rowIdFieldName: 'id' });
  t.deepEqual(config.facets, [{ fieldName: 'a', isActive: false, show: false }]);
  t.deepEqual(config.matchbox, []);
  t.deepEqual(config.charts, { query: '' });
  t.is(warnings.length, 15);
  t.true(
    texts(warnings).some((line) =>
      line.endsWith(
        'extended.json: [3] is of another type: fieldName: a text expected, and the key is missing: it is not read',
      ),
    ),
  );
});

test('more rows than introspection can show are not read, and said', (t) => {
  const { config, warnings } = read(t, {
    'base.json': { documentType: 'print', esIndex: 'prints' },
    'downloads.json': { maxRows: 3_000_000_000 },
    'table.json': { maxResultsWindow: 2_147_483_648 },
  });
  t.is(config.downloads.maxRows, null);
  t.is(config.table.maxResultsWindow, 10_000);
  for (const key of ['downloads.json: maxRows', 'table.json: maxResultsWindow'])
    t.true(
      texts(warnings).some((line) =>
        line.includes(`${key} is of another type: a number of at most 2147483647 expected`),
      ),
      texts(warnings).join('\n'),
    );
});

for (const [key, value] of [
  ['esIndex', 5],
  ['nestingPrefix', ['data']],
  ['documentType', {}],
  ['disableFilters', 'yes'],
  ['disableDownloads', {}],
  ['enableSets', ''],
  ['sets', { index: 7 }],
] as const)
  test(`a wrong ${key}, which concerns access or the index, fails the catalogue`, (t) => {
    const base = { documentType: 'print', esIndex: 'prints', [key]: value };
    const { problems } = read(t, { 'base.json': base }).config;
    t.is(problems.length, 1);
    t.regex(texts(problems)[0]!, new RegExp(`^base\\.json: ${key}`));
  });

test('files win over the environment, which wins over the defaults', (t) => {
  const env = {
    GRAPHQL_MAX_DEPTH: '9',
    MAX_RESULTS_WINDOW: '50',
    DOWNLOAD_MAX_ROWS: '7',
  };
  const plain = read(t, { 'base.json': {} }, env).config;
  t.like(plain, {
    maxDepth: 9,
    table: { maxResultsWindow: 50 },
    downloads: { maxRows: 7 },
  });
  const own = read(
    t,
    {
      'base.json': { maxDepth: 20 },
      'table.json': { maxResultsWindow: 4 },
      'downloads.json': { downloads: { maxRows: 3 } },
    },
    env,
  ).config;
  t.like(own, {
    maxDepth: 20,
    table: { maxResultsWindow: 4 },
    downloads: { maxRows: 3 },
  });
});

test('DOWNLOAD_MAX_ROWS caps what downloads.json says, and 0 sets no limit in both', (t) => {
  const limits = (maxRows: number | undefined, cap?: string) => {
    const env: Record<string, string> = cap === undefined ? {} : { DOWNLOAD_MAX_ROWS: cap };
    const { downloads } = read(t, { 'downloads.json': { maxRows } }, env).config;
    return [downloads.maxRows, downloads.rowCap];
  };
  t.deepEqual(limits(undefined, '0'), [null, null]);
  t.deepEqual(limits(0), [null, null]);
  t.deepEqual(limits(0, '7'), [7, 7]);
  t.deepEqual(limits(3, '7'), [3, 7]);
  t.deepEqual(limits(9, '7'), [7, 7]);
  t.deepEqual(limits(9, '0'), [9, null]);
});

test('a label that is null is absent, and a facet is neither active nor shown unless it says so', (t) => {
  const extended = [{ fieldName: 'title', isArray: true, displayName: null, unit: null }];
  const facets = [{ fieldName: 'title', show: true }];
  const { config } = read(t, { 'extended.json': extended, 'facets.json': { aggregations: facets } });
  t.deepEqual(config.extended, [{ ...config.extended[0]!, fieldName: 'title', isArray: true, unit: null }]);
  t.is(config.extended[0]!.displayName, undefined);
  t.deepEqual(config.facets, [{ fieldName: 'title', isActive: false, show: true }]);
});

test('a wrong key of base.json costs neither the id nor the document type', (t) => {
  const base = { catalogId: 'prints', documentType: 'print', description: 'On paper', nestingPrefix: 7 };
  const { config } = read(t, { 'base.json': base });
  t.like(config, {
    catalogueId: 'prints',
    documentType: 'print',
    description: 'On paper',
    nestingPrefix: null,
  });
  t.is(config.problems.length, 1);
  t.regex(texts(config.problems)[0]!, /^base\.json: nestingPrefix is wrong: /);
  const unnamed = read(t, { 'base.json': { catalogId: 'a/b', documentType: 'print' } }).config;
  t.like(unnamed, { documentType: 'print' });
  t.not(unnamed.catalogueId, 'a/b');
  t.like(read(t, { 'base.json': [] }).config, { documentType: '' });
});

test('index, which belongs to another feature, is not esIndex', (t) => {
  const { config } = read(t, { 'base.json': { documentType: 'print', index: 'prints' } });
  t.is(config.esIndex, null);
  t.deepEqual(texts(config.problems), [
    'base.json: index is there and no esIndex: rename it to esIndex, its name since release 3.1',
  ]);
  const both = read(t, { 'base.json': { documentType: 'print', esIndex: 'prints', index: 'sets' } });
  t.deepEqual([both.config.esIndex, both.config.problems, both.warnings], ['prints', [], []]);
});

test('facet names with __ are kept: existing portals need them', (t) => {
  const { config, warnings } = read(t, {
    'facets.json': [{ fieldName: 'artist__name' }, { fieldName: 'title' }],
  });
  t.is(config.facets![0]!.fieldName, 'artist__name');
  t.deepEqual(warnings, []);
});

test('a catalogue names its search servers, and the variables of their credentials', (t) => {
  const base = { documentType: 'print', esIndex: 'prints', esHost: 'https://search.example.org' };
  const esCredentials = { userVariable: 'PRINTS_USER', passwordVariable: 'PRINTS_PASS' };
  const { config, warnings } = read(t, { 'base.json': { ...base, esCredentials } }, { ES_CA: 'ca.pem' });
  t.deepEqual(config.problems, []);
  t.deepEqual(warnings, []);
  t.like(config.engine, { url: base.esHost, ...esCredentials, caFile: 'ca.pem' });
  t.false('engine' in read(t, { 'base.json': { documentType: 'print', esIndex: 'prints' } }).config);
  const wrong = read(t, {
    'base.json': { ...base, esHost: 'search:9200', esCredentials: { userVariable: 'a b' } },
  });
  t.is(wrong.config.problems.length, 2);
  const secret = read(t, { 'base.json': { ...base, esPass: 'hunter2' } });
  t.regex(texts(secret.warnings).join(), /esCredentials \(userVariable, passwordVariable\)/);
  t.notRegex(texts(secret.warnings).join(), /hunter2/);
});

for (const [inFile, inEnv, nodeEnv, expected] of [
  [undefined, undefined, undefined, false],
  [undefined, undefined, 'production', true],
  [false, undefined, 'production', false],
  [undefined, 'false', 'production', false],
  [true, 'false', undefined, true],
  [false, 'true', undefined, true],
] as const)
  test(`introspection: file ${inFile}, variable ${inEnv}, NODE_ENV ${nodeEnv}`, (t) => {
    const { variables } = readEnvironment({ DISABLE_GRAPHQL_INTROSPECTION: inEnv, NODE_ENV: nodeEnv });
    t.is(introspectionDisabled(inFile, variables), expected);
  });

test('two files that both give disclosure are a problem', (t) => {
  const disclosure = { default: 'boolean' };
  const { config } = read(t, {
    'base.json': { catalogId: 'prints', disclosure },
    'disclosure.json': { disclosure },
  });
  t.true(
    texts(config.problems).some(
      (problem) => problem === 'disclosure.json: disclosure is in base.json too: keep one',
    ),
    texts(config.problems).join(),
  );
});

test('a code system that hierarchies.json names is not a configuration, whatever its keys', (t) => {
  const system = { resourceType: 'CodeSystem', description: 'Diagnoses', table: 1, concept: [] };
  const files = {
    'base.json': { catalogId: 'people', description: 'People', esIndex: 'people' },
    'a.json': system,
    'hierarchies.json': { one: { file: 'a.json' }, other: { file: './z.json' } },
    'z.json': system,
  };
  const { config, warnings } = read(t, files);
  t.deepEqual([config.problems, warnings, config.description], [[], [], 'People']);
  const named = {
    'disclosure.json': { tiers: 'x' },
    'hierarchies.json': { one: { file: 'disclosure.json' } },
  };
  t.regex(texts(read(t, { ...files, ...named }).config.problems).join(), /disclosure\.json/);
  const { 'hierarchies.json': moved, ...others } = files;
  t.deepEqual(read(t, { ...others, 'section.json': { hierarchies: moved } }).config.problems, []);
});
