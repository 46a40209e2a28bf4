import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import fc from '../../fast-check.ts';
import { graphql, printSchema } from 'graphql';
import { readNetworks } from '../../../src/server/node/networks.ts';
import { loadConfig } from '../../../src/server/config/load.ts';
import type { Config } from '../../../src/server/config/config.ts';
import { failureCodes, TributaryError } from '../../../src/lib/errors/errors.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { bookConfig, bookProperties, contextWith } from '../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { caseCount } from './case-count.ts';
import { damaged } from './damaged-json.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-fuzz-'));
mkdirSync(join(folder, 'configs'));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

/** Files that use every key there is. */
const files = {
  base: {
    catalogId: 'library',
    description: 'Books',
    documentType: 'book',
    esIndex: 'books',
    nestingPrefix: null,
    maxAliases: 15,
    maxDepth: 7,
    disableGraphQLIntrospection: false,
    enableAdmin: true,
  },
  extended: [
    {
      fieldName: 'genres',
      displayName: 'Genres',
      isArray: true,
      displayValues: { a: 'b' },
      unit: 'm',
      rangeStep: 1,
    },
    { fieldName: 'copies.bought', displayName: 'Bought', quickSearchEnabled: true, primaryKey: false },
  ],
  table: {
    columns: [
      { fieldName: 'title', jsonPath: '$.title', query: 'title', show: true, sortable: true },
      { fieldName: 'copies.state', isArray: true, accessor: 'copies.hits.edges[0].node.state' },
    ],
    defaultSorting: [{ fieldName: 'title', desc: true }],
    maxResultsWindow: 100,
    rowIdFieldName: 'id',
  },
  facets: {
    aggregations: [{ fieldName: 'genres', isActive: true, show: true }, { fieldName: 'copies__state' }],
  },
  matchbox: [{ displayName: 'Books', fieldName: 'title', isActive: true, searchFieldNames: ['title'] }],
  charts: { query: 'x' },
  downloads: { allowCustomMaxRows: true, maxRows: 10 },
  network: {
    network: {
      localNode: { nodeId: 'here', displayName: 'Here' },
      remoteNodes: [
        {
          nodeId: 'there',
          documentType: 'book',
          graphqlUrl: 'https://there.example/graphql',
          requests: { headers: ['x-a'] },
        },
      ],
    },
  },
};

const nodes = {
  network: { displayName: 'All', documentType: 'book', fields: { writer: 'keyword' } },
  defaults: { timeoutMs: 100, discoveryTimeoutMs: 100, headers: ['x-request-id'] },
  nodes: [
    { nodeId: 'here', catalogue: 'library', fields: { writer: 'title' }, values: { genres: { M: 'maps' } } },
    {
      nodeId: 'there',
      graphqlUrl: 'https://there.example/graphql',
      documentType: 'book',
      required: true,
      maxDepth: 9,
      credential: { header: 'authorization', env: 'SECRET' },
    },
  ],
};

const variables = fc.dictionary(
  fc.constantFrom(
    'SERVER_PORT',
    'INDEXING_PORT',
    'INDEXING_HOST',
    'SEARCH_ENGINE',
    'SEARCH_CLIENT_TYPE',
    'PORT',
    'ES_HOST',
    'ES_PASS',
    'ALLOWED_CORS_ORIGINS',
    'MAX_RESULTS_WINDOW',
    'GRAPHQL_MAX_DEPTH',
    'GRAPHQL_MAX_ALIASES',
    'MAX_BODY_BYTES',
    'SEARCH_TIMEOUT_MS',
    'DISABLE_GRAPHQL_INTROSPECTION',
    'ENABLE_SETS',
    'DOWNLOAD_MAX_ROWS',
    'PING_PATH',
    'READY_PATH',
    'LOG_LEVEL',
    'NODE_ENV',
    'ES_INDEX',
    'DOCUMENT_TYPE',
    'ROW_ID_FIELD_NAME',
    'SERVER_PROT',
    '__proto__',
  ),
  fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1e3',
      '65536',
      'true',
      'TRUE',
      'yes',
      'off',
      'null',
      '*',
      ',',
      '/ping',
      '//',
      '../x',
    ),
    fc.constantFrom(
      'embedded',
      'opensearch',
      'http://a:b@c',
      'https://x.example',
      'production',
      'debug',
      '9'.repeat(40),
    ),
    fc.string({ unit: 'binary' }),
  ),
  { maxKeys: 4 },
);

type FileName = keyof typeof files;
const names = Object.keys(files) as FileName[];

const asText = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: values.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '[',
        '{"a":',
        '\ufeff{}',
        '[[[[',
        'null',
        '//x',
        '{"__proto__":{"a":1}}',
      ),
    },
  );

/** All files as they should be but for one or two of them. */
const folders = fc
  .dictionary(fc.constantFrom(...names), fc.nat(), { minKeys: 1, maxKeys: 2 })
  .chain((chosen) =>
    fc.record(
      Object.fromEntries(
        names.map((name) => [
          name,
          Object.hasOwn(chosen, name)
            ? asText(damaged(fc.constant<unknown>(files[name])))
            : fc.constant(JSON.stringify(files[name])),
        ]),
      ) as Record<FileName, fc.Arbitrary<string>>,
    ),
  );

const engine = scriptedEngine({ describe: () => ({ properties: bookProperties, documents: 0 }) });

/** The only error a configuration may end in; anything else is a defect. */
const unlessInvalid = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'CONFIG_INVALID') return null;
    throw error;
  }
};

const everyConfig = `{ book { configs { charts downloads { maxRows allowCustomMaxRows } extended matchbox { displayName }
  facets { aggregations { fieldName isActive show displayType } } table { maxResultsWindow rowIdFieldName
  columns { fieldName accessor query jsonPath show } defaultSorting { fieldName desc } } } } }`;

/** A catalogue either fails with a code of the contract or is whole: its schema prints and its configs can be read. */
const openWhole = async (config: Config['catalogues'][number], mapped = engine): Promise<void> => {
  const state = await openCatalogue(config, mapped, {});
  if (state.status === 'failed') {
    if (!failureCodes.has(state.error.code)) throw state.error;
    if (/is not a function|Cannot read|but got/.test(state.error.message)) throw state.error;
    return;
  }
  const schema = buildCatalogueSchema(state.catalogue);
  printSchema(schema);
  const source = everyConfig.replace('book', config.documentType);
  const { errors } = await graphql({ schema, source, contextValue: contextWith() });
  if (errors !== undefined) throw errors[0]!;
};

const written = new Map<string, string>();

test.serial('damaged files fail their catalogue, or are read whole', async (t) => {
  const property = fc.asyncProperty(folders, async (texts) => {
    for (const [name, text] of Object.entries(texts)) {
      if (written.get(name) === text) continue;
      writeFileSync(join(folder, 'configs', `${name}.json`), text);
      written.set(name, text);
    }
    const config = loadConfig({ CONFIGS_PATH: join(folder, 'configs'), NODES_PATH: 'off' });
    const { catalogues } = readNetworks(config);
    for (const catalogue of catalogues) await openWhole(catalogue);
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.05)));
});

test.serial('a damaged nodes.json is refused by name, or read', (t) => {
  const property = fc.property(damaged(fc.constant<unknown>(nodes)), (content) => {
    const read = unlessInvalid(() => readNodes(content, 'nodes.json'));
    const ids = read?.nodes.map(({ nodeId }) => nodeId) ?? [];
    if (new Set(ids).size < ids.length) throw new Error(`ids are not unique: ${ids.join()}`);
  });
  t.notThrows(() => fc.assert(property, caseCount(0.05)));
});

test.serial('any environment is refused by name, or read; secrets stay out of the refusal', (t) => {
  const property = fc.property(variables, (environment) => {
    const secret = 'do-not-tell';
    try {
      loadConfig({
        ...environment,
        INDEXING_TOKEN: secret,
        CONFIGS_PATH: join(folder, 'none'),
        NODES_PATH: 'off',
      });
    } catch (error) {
      if (!(error instanceof TributaryError) || error.code !== 'CONFIG_INVALID') throw error;
      if (error.message.includes(secret)) throw new Error('the secret is revealed', { cause: error });
      return;
    }
    throw new Error('a server with nothing to serve');
  });
  t.notThrows(() => fc.assert(property, caseCount(0.03)));
});

test.serial('any mapping is served, or fails the catalogue', async (t) => {
  const property = fc.asyncProperty(damaged(fc.constant<unknown>(bookProperties), 4), async (properties) => {
    const mapped = scriptedEngine({
      describe: () => ({ properties: properties as JsonObject, documents: 0 }),
    });
    await openWhole(bookConfig(), mapped);
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.03)));
});
