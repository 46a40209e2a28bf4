import test, { type ExecutionContext } from 'ava';
import { readEnvironment } from '../../../src/config/environment.ts';
import { folderParts } from '../../../src/config/catalogue/parts.ts';
import { readCatalogue } from '../../../src/config/catalogue/read-catalogue.ts';
import { introspectionDisabled } from '../../../src/config/catalogue/switches.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { temporaryFolder } from '../temporary-folder.ts';

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
    catalogueId: 'prints',
    documentType: '',
    esIndex: null,
    nestingPrefix: null,
    maxAliases: 15,
    maxDepth: 7,
    disableGraphQLIntrospection: false,
    enableAdmin: false,
    extended: [],
    table: { columns: null, defaultSorting: [], maxResultsWindow: 10_000, rowIdFieldName: 'id' },
    facets: null,
    matchbox: [],
    charts: { query: '' },
    downloads: { allowCustomMaxRows: false, maxRows: null },
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
  t.regex(warnings[0]!, /extended\.json, \[0\]\.displayNames: the key it is unknown/);
});

test('a label that is not a text is reported with its place', (t) => {
  const { config } = read(t, { 'extended.json': [{ fieldName: 'age', displayNames: { fr: 1 } }] });
  t.deepEqual(config.problems, ['extended.json, [0].displayNames.fr: a text expected, found a number']);
});

test('files win over the environment, which wins over the defaults', (t) => {
  const env = {
    GRAPHQL_MAX_DEPTH: '9',
    MAX_RESULTS_WINDOW: '50',
    DOWNLOAD_MAX_ROWS: '7',
    ENABLE_ADMIN: 'true',
  };
  const plain = read(t, { 'base.json': {} }, env).config;
  t.like(plain, {
    maxDepth: 9,
    enableAdmin: true,
    table: { maxResultsWindow: 50 },
    downloads: { maxRows: 7 },
  });
  const own = read(
    t,
    {
      'base.json': { maxDepth: 20, enableAdmin: false },
      'table.json': { maxResultsWindow: 4 },
      'downloads.json': { downloads: { maxRows: 3 } },
    },
    env,
  ).config;
  t.like(own, {
    maxDepth: 20,
    enableAdmin: false,
    table: { maxResultsWindow: 4 },
    downloads: { maxRows: 3 },
  });
});

test('a cap of 0 rows is none, in the environment and in downloads.json', (t) => {
  const capped = { DOWNLOAD_MAX_ROWS: '7' };
  t.is(read(t, {}, { DOWNLOAD_MAX_ROWS: '0' }).config.downloads.maxRows, null);
  t.is(read(t, { 'downloads.json': { maxRows: 0 } }, capped).config.downloads.maxRows, null);
});

test('a file may wrap its content in its own name', (t) => {
  const extended = [{ fieldName: 'title', isArray: true, displayName: null, unit: null }];
  const facets = [{ fieldName: 'title', show: true }];
  const bare = read(t, { 'extended.json': extended, 'facets.json': { aggregations: facets } }).config;
  const wrapped = read(t, {
    'extended.json': { extended },
    'facets.json': { facets: { aggregations: facets } },
  }).config;
  t.deepEqual(bare.extended, [{ ...bare.extended[0]!, fieldName: 'title', isArray: true, unit: null }]);
  t.is(bare.extended[0]!.displayName, undefined);
  t.deepEqual(bare.facets, [{ fieldName: 'title', isActive: false, show: true }]);
  t.deepEqual({ ...wrapped, folder: '', catalogueId: '' }, { ...bare, folder: '', catalogueId: '' });
});

test('a broken file and a wrong value are problems that name file and key', (t) => {
  const { config } = read(t, {
    'base.json': { documentType: 'print', esIndex: 5, maxDepth: 0 },
    'table.json': { table: { columns: [{ fieldName: 'title' }, { show: true }] } },
    'facets.json': '{',
  });
  t.is(config.problems.length, 4);
  t.regex(config.problems[0]!, /^facets\.json is not JSON \(line 1 column 2\): /);
  t.regex(config.problems[1]!, /^base\.json, esIndex: a text expected, found a number/);
  t.regex(config.problems[2]!, /^base\.json, maxDepth: .*1/);
  t.regex(config.problems[3]!, /^table\.json, columns\[1\]\.fieldName: /);
});

test('a wrong key of base.json costs neither the id nor the document type', (t) => {
  const base = { catalogId: 'prints', documentType: 'print', description: 'On paper', maxDepth: 'deep' };
  const { config } = read(t, { 'base.json': base });
  t.like(config, { catalogueId: 'prints', documentType: 'print', description: 'On paper', maxDepth: 7 });
  t.is(config.problems.length, 1);
  t.regex(config.problems[0]!, /^base\.json, maxDepth: /);
  const unnamed = read(t, { 'base.json': { catalogId: 'a/b', documentType: 'print' } }).config;
  t.like(unnamed, { documentType: 'print' });
  t.not(unnamed.catalogueId, 'a/b');
  t.like(read(t, { 'base.json': [] }).config, { documentType: '' });
});

test('index, which belongs to another feature, is not esIndex', (t) => {
  t.is(read(t, { 'base.json': { documentType: 'print', index: 'prints' } }).config.esIndex, null);
});

test('facet names with __ are kept and warned about once', (t) => {
  const { config, warnings } = read(t, {
    'facets.json': [{ fieldName: 'artist__name' }, { fieldName: 'artist__born' }, { fieldName: 'title' }],
  });
  t.is(config.facets![0]!.fieldName, 'artist__name');
  t.is(warnings.length, 1);
  t.regex(warnings[0]!, /2 field names .* "artist\.name" is the lasting form of "artist__name"/);
});

test('a facet on a field whose own name begins or ends with __ is not in the deprecated form', (t) => {
  const { warnings } = read(t, {
    'facets.json': [{ fieldName: '__proto__' }, { fieldName: '__v' }, { fieldName: 'kept__' }],
  });
  t.deepEqual(warnings, []);
});

test('a value of another kind is reported by its kind, not its content', (t) => {
  const { config } = read(t, {
    'own.json': { enableSets: 'yes', extended: {}, maxDepth: 1.5, description: 7 },
    'table.json': { columns: [{ fieldname: 'title' }, { fieldName: null }], rowIdFieldName: true },
  });
  t.deepEqual(config.problems, [
    'own.json, description: a text expected, found a number',
    'own.json, maxDepth: a whole number expected, found a number',
    'own.json, enableSets: true or false expected, found a text',
    'own.json, extended: a list expected, found an object',
    'table.json, columns[0].fieldName: a text expected, and the key is missing',
    'table.json, columns[1].fieldName: a text expected, found null',
    'table.json, rowIdFieldName: a text expected, found true',
  ]);
});

test('network.json is handed on as it is', (t) => {
  const network = { network: { localNode: { nodeId: 'x' } } };
  t.deepEqual(read(t, { 'network.json': network }).config.network, network);
  t.false('network' in read(t, { 'base.json': {} }).config);
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
  t.true(config.problems.some((problem) => problem.endsWith('both give disclosure: keep one')), config.problems.join()); // prettier-ignore
});
