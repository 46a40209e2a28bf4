import test from 'ava';
import type { GraphQLFieldConfig, GraphQLNamedType } from 'graphql';
import { GraphQLObjectType, GraphQLString, isObjectType, parse, print, printType, visit } from 'graphql';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import type { RequestContext } from '../../../src/search/request-context.ts';
import type { SchemaOptions } from '../../../src/local/schema/schema.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { waitForOf } from '../../../src/local/schema/search-resolvers.ts';
import { newTypeNames } from '../../../src/local/schema/connection-type.ts';
import { bookConfig, bookProperties } from '../catalogue-fixture.ts';
import { runOperation } from '../run-operation.ts';
import { scriptedEngine } from '../scripted-engine.ts';

const schemaOf = async (properties: JsonObject, options?: SchemaOptions, config = bookConfig()) => {
  const state = await openCatalogue(config, scriptedEngine({ describe: () => ({ properties }) }), {});
  if (state.status === 'failed') throw state.error;
  return buildCatalogueSchema(state.catalogue, options);
};

const printedWithoutDescriptions = (type: GraphQLNamedType): string =>
  print(
    visit(parse(printType(type)), {
      enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    }),
  );

const printed = async (name: string, properties = bookProperties, options?: SchemaOptions) => {
  const type = (await schemaOf(properties, options)).getType(name);
  return type === undefined
    ? undefined
    : printedWithoutDescriptions(type)
        .split('\n')
        .map((line) => line.trim());
};

test('a node has a field for each mapped one, typed as clients know it', async (t) => {
  const lines = await printed('bookNode');
  for (const line of [
    'id: ID!',
    'score: Int',
    'title: String',
    'blurb: String',
    'pages: Float',
    'shelf: Int',
    'price: Float',
    'printed: String',
    'lendable: Boolean',
    'genres: [String]',
    'isbn_10: String',
    '_2nd_title: String',
    'extra: JSON',
    'publisher: bookPublisher',
    'copies: bookCopies',
    '_source(paths: [String]): JSON',
  ])
    t.true(lines?.includes(line), line);
});

test('objects and nested fields name their types after their parent', async (t) => {
  t.deepEqual(await printed('bookPublisherSeat'), ['type bookPublisherSeat {', 'City: String', '}']);
  t.deepEqual(await printed('bookCopiesLoansNode'), [
    'type bookCopiesLoansNode implements Node {',
    'score: Int',
    'reader: String',
    'days: Float',
    'id: ID!',
    '}',
  ]);
});

test('aggregations: dots are __, relative inside a nested type, nested paths themselves left out', async (t) => {
  t.deepEqual(await printed('bookCopiesAggregations'), [
    'type bookCopiesAggregations {',
    'state: Aggregations',
    'bought: NumericAggregations',
    'loans__reader: Aggregations',
    'loans__days: NumericAggregations',
    '}',
  ]);
  const root = await printed('bookAggregations');
  t.true(root?.includes('publisher__seat__City: Aggregations'));
  t.true(root?.includes('publisher: Aggregations'));
  t.true(root?.includes('extra: Aggregations'));
  t.true(root?.includes('printed: NumericAggregations'));
  t.false(root?.some((line) => line.startsWith('copies:')));
});

test('the types of sets are there whether sets are kept or not', async (t) => {
  const schema = await schemaOf(bookProperties);
  t.truthy(schema.getMutationType()?.getFields()['saveSet']);
  t.truthy(schema.getQueryType()?.getFields()['sets']);
  t.deepEqual(await printed('DocumentType'), ['enum DocumentType {', 'book', 'sets', '}']);
});

test('the network stands beside the document only when there is one', async (t) => {
  const network: GraphQLFieldConfig<unknown, RequestContext> = {
    type: new GraphQLObjectType({ name: 'Network', fields: { word: { type: GraphQLString } } }),
    resolve: () => ({ word: 'joined' }),
  };
  const engine = scriptedEngine({ describe: () => ({ properties: bookProperties }) });
  const source = '{ network { word } }';
  t.deepEqual((await runOperation(engine, { source, options: { network } })).data, {
    network: { word: 'joined' },
  });
  t.is((await runOperation(engine, { source })).data, null);
});

test('an index without fields is still a catalogue', async (t) => {
  const schema = await schemaOf({});
  const book = schema.getType('book');
  t.true(isObjectType(book) && book.getFields()['aggregations'] === undefined);
});

test('fields called like the parts of a connection do not break it', async (t) => {
  const inner = { properties: { a: { type: 'keyword' } } };
  const schema = await schemaOf({ node: inner, edge: inner, connection: inner, aggregations: inner });
  const node = schema.getType('bookNode');
  t.true(isObjectType(node) && node.getFields()['id'] !== undefined);
  t.is(isObjectType(node) && String(node.getFields()['node']!.type), 'bookNode_');
});

const documentTypes = { 'not a name': /GraphQL name/, __book: /taken/, Bucket: /taken/, sets: /root field/ };
for (const [documentType, message] of Object.entries(documentTypes))
  test(`the documentType "${documentType}" is refused`, async (t) => {
    await t.throwsAsync(schemaOf(bookProperties, {}, bookConfig({ documentType })), {
      code: 'schema_build_error',
      message,
    });
  });

test('hasValidConfig is about the configured index and its aliases', async (t) => {
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties, indices: ['books_1'], aliases: ['shelf'] }),
  });
  const { data } = await runOperation(engine, {
    source: `{ own: hasValidConfig(documentType: "book", index: "books")
      alias: hasValidConfig(documentType: "book", index: "shelf")
      behind: hasValidConfig(documentType: "book", index: "books_1")
      empty: hasValidConfig(documentType: "book", index: "")
      other: hasValidConfig(documentType: "tape", index: "books") }`,
  });
  t.deepEqual(data, { own: true, alias: true, behind: false, empty: false, other: false });
});

test('the mapping is the properties as they are, without id; node and query find nothing; viewer is the root', async (t) => {
  const engine = scriptedEngine({
    describe: () => ({ properties: { id: { type: 'keyword' }, title: { type: 'keyword' } } }),
    search: () => ({ hits: { total: 4, hits: [] } }),
  });
  const { data } = await runOperation(engine, {
    source: '{ node(id: "x") { id } query(query: "q") { total } viewer { book { mapping hits { total } } } }',
  });
  t.deepEqual(data, {
    node: null,
    query: null,
    viewer: { book: { mapping: { title: { type: 'keyword' } }, hits: { total: 4 } } },
  });
});

test('saved sets are refused with a reason where the server keeps none', async (t) => {
  const engine = scriptedEngine({ describe: () => ({ properties: bookProperties }) });
  for (const source of [
    'mutation { saveSet(type: book, path: "title", sqon: {}) { setId } }',
    '{ sets { hits { total } } }',
  ]) {
    const { codes, errors } = await runOperation(engine, { source });
    t.deepEqual(codes, ['BAD_USER_INPUT']);
    t.regex(errors[0]!, /ENABLE_SETS/);
  }
});

test('configs hold the configuration, extended only the fields requested', async (t) => {
  const engine = scriptedEngine({ describe: () => ({ properties: bookProperties }) });
  const { data, errors } = await runOperation(engine, {
    source: `{ book { configs { charts downloads { maxRows allowCustomMaxRows } matchbox { fieldName }
      extended(fieldNames: ["genres"]) facets { aggregations { fieldName } }
      table { maxResultsWindow rowIdFieldName columns { fieldName } } } } }`,
    config: { facets: [{ fieldName: 'genres', isActive: true, show: true }] },
  });
  const { configs } = (data as { book: { configs: Record<string, unknown> } }).book;
  t.deepEqual(errors, []);
  t.deepEqual(configs['charts'], { query: '' });
  t.deepEqual(configs['downloads'], { maxRows: null, allowCustomMaxRows: false });
  t.deepEqual(configs['facets'], { aggregations: [{ fieldName: 'genres' }] });
  t.like(configs['extended'], [{ fieldName: 'genres', displayName: 'Genres', isArray: true }]);
  t.is((configs['extended'] as unknown[]).length, 1);
});

test('of the extended configuration only the named keys of fields that have any', async (t) => {
  const engine = scriptedEngine({ describe: () => ({ properties: bookProperties }) });
  const { data, errors } = await runOperation(engine, {
    source: '{ book { configs { extended(keys: ["unit", "displayValues"]) } } }',
    config: { extended: [{ fieldName: 'genres', displayValues: { sf: 'Science fiction' } }] },
  });
  t.deepEqual(errors, []);
  t.deepEqual(JSON.parse(JSON.stringify(data)), {
    book: { configs: { extended: [{ fieldName: 'genres', displayValues: { sf: 'Science fiction' } }] } },
  });
});

test('a name that is taken gets as many _ as it needs', (t) => {
  const names = newTypeNames(['bookEdge']);
  t.deepEqual(
    [names.claim('bookEdge'), names.claim('bookEdge'), names.claim('bookNode')],
    ['bookEdge_', 'bookEdge__', 'bookNode'],
  );
});

test('byte and short are Int, 64-bit integers Number, other numbers Float', async (t) => {
  const types = ['byte', 'short', 'unsigned_long', 'integer', 'long', 'float'];
  const lines = await printed('bookNode', Object.fromEntries(types.map((type) => [`a_${type}`, { type }])));
  t.deepEqual(
    lines?.filter((line) => line.startsWith('a_')),
    [
      'a_byte: Int',
      'a_short: Int',
      'a_unsigned_long: Number',
      'a_integer: Float',
      'a_long: Number',
      'a_float: Float',
    ],
  );
});

test('waitFor takes a share from 0 to 1 and up to ten minutes', (t) => {
  t.deepEqual(waitForOf({ share: 1, ms: 600_000 }), { share: 1, ms: 600_000 });
  t.deepEqual(waitForOf({ share: 0, ms: 0 }), { share: 0, ms: 0 });
  for (const [share, ms] of [
    [1.1, 5],
    [-0.1, 5],
    [0.5, -1],
    [0.5, 600_001],
    [NaN, 5],
  ] as const)
    t.throws(() => waitForOf({ share, ms }), { code: 'BAD_USER_INPUT', message: /^waitFor takes a share/ });
});
