import test from 'ava';
import { printSchema } from 'graphql';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { describeFields } from '../../src/sqon/describe.ts';
import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { CatalogueConfig } from '../../src/introspection/fields/catalogue-config.ts';
import { tableConfig } from '../../src/introspection/fields/field-config.ts';
import { originField, originProperties } from '../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { CatalogueState } from '../../src/search/catalogue.ts';
import { openCatalogue } from '../../src/local/open-catalogue.ts';
import { bookConfig, bookProperties } from './catalogue-fixture.ts';
import { scriptedEngine } from './scripted-engine.ts';
import { faultAt } from '../../src/lib/text/problem.ts';

const open = (config: Partial<CatalogueConfig> = {}, properties: JsonObject = bookProperties) =>
  openCatalogue(bookConfig(config), scriptedEngine({ describe: () => ({ properties }) }), {});

test('a catalogue knows its fields, mapping and aliases', async (t) => {
  const engine = scriptedEngine({ describe: () => ({ properties: bookProperties, aliases: ['shelf'] }) });
  const state = await openCatalogue(bookConfig(), engine, {});
  if (state.status === 'failed') throw state.error;
  const { catalogue } = state;
  t.is(catalogue.id, 'library');
  t.deepEqual(catalogue.mapping, bookProperties);
  t.deepEqual(catalogue.aliases, ['shelf']);
  t.true(catalogue.fields.get('genres')?.isArray);
  t.is(new Date(catalogue.generatedAt).toISOString(), catalogue.generatedAt);
});

test('where documents came from is neither mapping nor field, and its coming changes nothing', async (t) => {
  const stamped = await open({}, { ...bookProperties, ...originProperties });
  if (stamped.status === 'failed') throw stamped.error;
  t.deepEqual(stamped.catalogue.mapping, bookProperties);
  t.false(stamped.catalogue.fields.has(originField));
  const bare = await open();
  const engine = scriptedEngine({
    describe: () => ({ properties: { ...bookProperties, ...originProperties } }),
  });
  t.is(await openCatalogue(bookConfig(), engine, {}, { previous: bare }), bare);
});

test('names of GraphQL in the files are read as the paths that they stand for', async (t) => {
  const extended = [{ fieldName: 'publisher__seat__City', displayName: 'Town', isArray: true }];
  const table = {
    ...bookConfig().table,
    columns: [
      { fieldName: 'copies__state' },
      { fieldName: 'own__kind', query: 'title' },
      { fieldName: 'a__b' },
    ],
    defaultSorting: [{ fieldName: 'publisher__name', desc: true }],
  };
  const entry = { displayName: null, isActive: null, fieldName: 'copies', keyFieldName: 'copies__state' };
  const matchbox = [{ ...entry, searchFieldNames: ['publisher__name', 'title'] }];
  const survival = { time: 'copies__bought', event: 'publisher__name', dead: ['x'] };
  // a field of that very name is meant
  const properties = {
    ...bookProperties,
    a__b: { type: 'keyword' },
    a: { properties: { c: { type: 'keyword' } } },
  };
  const state = await open({ extended, table, matchbox, survival } as Partial<CatalogueConfig>, properties);
  if (state.status === 'failed') throw state.error;
  const { config, fields } = state.catalogue;
  t.true(fields.get('publisher.seat.City')?.isArray);
  t.like(config.extended[0], { fieldName: 'publisher.seat.City', displayName: 'Town' });
  const { columns } = tableConfig(fields, config);
  t.deepEqual(
    columns.map(({ fieldName, query }) => [fieldName, query]),
    [
      ['copies.state', 'copies { hits { edges { node { state } } } }'],
      ['own__kind', 'title'],
      ['a__b', 'a__b'],
    ],
  );
  t.is(config.table.defaultSorting[0]?.fieldName, 'publisher.name');
  t.like(config.matchbox[0], { keyFieldName: 'copies.state', searchFieldNames: ['publisher.name', 'title'] });
  t.like(config.survival, { time: 'copies.bought', event: 'publisher.name' });
});

test('descriptions and units of the mapping show where extended.json gives none', async (t) => {
  const meta = { unit: 'ms', description: 'How long it took' };
  const extended = [
    { fieldName: 'own', unit: 's', displayName: 'Own' },
    { fieldName: 'none', unit: null, description: 'Ours' },
  ];
  const state = await open(
    { extended },
    {
      took: { type: 'long', meta },
      own: { type: 'long', meta },
      none: { type: 'long', meta },
      odd: { type: 'long', meta: { unit: 5 } as never },
    },
  );
  if (state.status === 'failed') throw state.error;
  const { fields } = describeFields(state.catalogue.fields, state.catalogue.config.extended);
  t.like(fields['took'], { unit: 'ms', description: 'How long it took' });
  t.like(fields['own'], { displayName: 'Own', unit: 's', description: 'How long it took' });
  t.like(fields['none'], { unit: null, description: 'Ours' });
  t.is(fields['odd']!.unit, null);
  t.regex(printSchema(buildCatalogueSchema(state.catalogue)), /Took, in ms\. How long it took\./);
});

test('odd fields are left out with a warning, not fatal', async (t) => {
  const state = await open({}, { place: { type: 'geo_point' }, title: { type: 'keyword' } });
  if (state.status === 'failed') throw state.error;
  t.is(state.catalogue.warnings.length, 1);
  t.deepEqual([...state.catalogue.fields.keys()], ['title']);
});

const refused: Record<
  string,
  { config: Partial<CatalogueConfig>; properties?: JsonObject; code: ErrorCode }
> = {
  'without an esIndex': { config: { esIndex: null }, code: 'unknown_error' },
  'without a documentType': { config: { documentType: '' }, code: 'unknown_error' },
  'with a problem in its files': {
    config: { problems: [faultAt('base.json', '', 'is not JSON')] },
    code: 'unknown_error',
  },
  'called like a route': { config: { catalogueId: 'Introspection' }, code: 'schema_build_error' },
  'whose documentType is a root field': { config: { documentType: 'viewer' }, code: 'schema_build_error' },
  'with an unmapped nestingPrefix': { config: { nestingPrefix: 'zzz' }, code: 'nesting_prefix_not_found' },
  'with two fields on one name': {
    config: {},
    properties: { 'a-b': { type: 'keyword' }, a_b: { type: 'keyword' } },
    code: 'schema_build_error',
  },
};
for (const [what, { config, properties, code }] of Object.entries(refused))
  test(`a catalogue ${what} fails with ${code}`, async (t) => {
    const state = await open(config, properties);
    t.is(state.status === 'failed' && state.error.code, code);
  });

const engineErrors: readonly (readonly [Error, ErrorCode])[] = [
  [new TributaryError('index_not_found', 'no index books'), 'index_not_found'],
  [new TributaryError('permission_denied', 'not allowed'), 'permission_denied'],
  [new TributaryError('ENGINE_UNAVAILABLE', 'gone'), 'connection_error'],
  [new TributaryError('ENGINE_TIMEOUT', 'slow'), 'connection_error'],
  [new TributaryError('ENGINE_ERROR', 'odd'), 'mapping_fetch_error'],
  [new Error('secret path'), 'unknown_error'],
];
for (const [thrown, code] of engineErrors)
  test(`when the engine says "${thrown.message}" the catalogue fails with ${code}`, async (t) => {
    const engine = scriptedEngine({
      describe: () => {
        throw thrown;
      },
    });
    const state = await openCatalogue(bookConfig(), engine, {});
    t.is(state.status === 'failed' && state.error.code, code);
    t.false(state.status === 'failed' && state.error.message.includes('secret'));
  });

test('a catalogue whose name stands for other indexes is opened anew', async (t) => {
  const openOver = (indices: readonly string[], previous?: CatalogueState) =>
    openCatalogue(
      bookConfig(),
      scriptedEngine({ describe: () => ({ properties: bookProperties, indices }) }),
      {},
      { previous },
    );
  const before = await openOver(['books-1']);
  t.is(await openOver(['books-1'], before), before);
  const after = await openOver(['books-2'], before);
  t.deepEqual(after.status === 'available' && after.catalogue.indices, ['books-2']);
});
