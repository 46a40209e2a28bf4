import type { ServerResponse } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { buildSchema, introspectionFromSchema, printSchema } from 'graphql';
import { discover } from '../../../../src/federation/remote/discovery/discover.ts';
import type { RemoteSource } from '../../../../src/federation/config/nodes.ts';
import { idSource, type RemoteCatalogue } from '../../../../src/federation/remote/remote-catalogue.ts';
import { NodeExecutor, openTransport } from '../../../../src/federation/remote/http-executor.ts';
import { fieldsOf, searchOf } from '../../collection.ts';
import type { Fault } from '../../remote-server.ts';
import { protocol } from '../../../../src/lib/graphql/protocol.ts';
import { buildCatalogueSchema } from '../../../../src/local/schema/schema.ts';
import { catalogueOf, deadUrl, serveCatalogue, serveSchema } from '../../remote-server.ts';

const treeFields = fieldsOf({
  id: 'keyword',
  'ca19-9': 'double',
  planted: 'date',
  note: 'text',
  fruits: 'nested',
  'fruits.colour': 'keyword',
});

const source = (graphqlUrl: string, more: Partial<RemoteSource> = {}): RemoteSource => ({
  kind: 'remote',
  graphqlUrl,
  documentType: 'tree',
  discoveryTimeoutMs: 60_000,
  maxDepth: 7,
  maxAliases: 15,
  headers: [],
  credential: null,
  ...more,
});

const discoverAt = async (
  t: ExecutionContext,
  source: RemoteSource,
  maxResponseBytes = 1_000_000,
  known: RemoteCatalogue | null = null,
) => {
  const transport = openTransport(maxResponseBytes);
  t.teardown(() => transport.close());
  const node = new NodeExecutor(transport, source.graphqlUrl);
  return discover(source, (request) => node.send(request), {}, new AbortController().signal, known);
};

const openTree = async (t: ExecutionContext, fault?: Fault) => {
  const remote = await serveCatalogue('tree', treeFields, searchOf([]));
  if (fault) remote.fault = fault;
  t.teardown(() => remote.close());
  return remote;
};

const send = (response: ServerResponse, status: number, body: string): true => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  return true;
};

test('raw names, types and nested paths come from configs { extended }', async (t) => {
  const remote = await openTree(t);
  const found = await discoverAt(t, source(remote.url));
  t.not(found.facts.extended, null);
  t.is(found.dialect, 'tributary');
  t.is(found.fields.get('ca19-9')?.type, 'double');
  t.is(found.fields.get('planted')?.kind, 'date');
  t.deepEqual(found.fields.get('fruits.colour')?.nestedIn, ['fruits']);
  t.is(found.aggregations.get('ca19_9'), 'numbers');
  t.is(found.aggregations.get('fruits__colour'), 'values');
});

test('without them, paths and types are inferred from GraphQL', async (t) => {
  const remote = await openTree(t, ({ query }, response) =>
    query.includes('extended') ? send(response, 200, '{"errors":[{"message":"no"}]}') : false,
  );
  const found = await discoverAt(t, source(remote.url));
  t.is(found.facts.extended, null);
  t.is(found.fields.get('ca19_9')?.kind, 'number');
  t.is(found.fields.get('planted')?.kind, 'date');
  t.is(found.fields.get('fruits')?.kind, 'nested');
  t.deepEqual(found.fields.get('fruits.colour')?.nestedIn, ['fruits']);
  t.is(found.fields.get('fruits.colour')?.storedAt, undefined);
});

test('a node that comes up within the window is found', async (t) => {
  let refusals = 2;
  const remote = await openTree(t, (_request, response) =>
    refusals-- > 0 ? send(response, 503, '') : false,
  );
  t.true((await discoverAt(t, source(remote.url))).fields.has('ca19-9'));
});

for (const [spoken, older] of [
  [protocol - 1, 'it'],
  [protocol + 1, 'this server'],
] as const)
  test(`a node that speaks protocol ${spoken} is refused: ${older} is the older`, async (t) => {
    const schema = buildCatalogueSchema(catalogueOf('tree', treeFields, searchOf([])));
    const marked = printSchema(schema).replace(`PROTOCOL_${protocol}`, `PROTOCOL_${spoken}`);
    const remote = await serveSchema(buildSchema(marked));
    t.teardown(() => remote.close());
    await t.throwsAsync(discoverAt(t, source(remote.url)), {
      code: 'NODE_DISCOVERY_FAILED',
      message: `discovery failed: speaks protocol ${spoken}, this server ${protocol}: upgrade ${older}`,
    });
  });

test('a connection refused until the window is over is a failure', async (t) => {
  await t.throwsAsync(discoverAt(t, source(await deadUrl(), { discoveryTimeoutMs: 3_000 })), {
    code: 'NODE_DISCOVERY_FAILED',
    message: 'discovery failed: connection refused',
  });
});

test('a node that never answers is a failure when the window is over', async (t) => {
  const remote = await openTree(t, () => true);
  await t.throwsAsync(discoverAt(t, source(remote.url, { discoveryTimeoutMs: 3_000 })), {
    message: 'discovery failed: timed out',
  });
});

const failures: readonly (readonly [string, number, string, RegExp])[] = [
  [
    'introspection switched off',
    400,
    '{"errors":[{"message":"GraphQL introspection has been disabled, but the query contained __schema"}]}',
    /^discovery failed: refused the introspection query: a node must allow GraphQL introspection$/,
  ],
  [
    'errors of its own',
    200,
    '{"errors":[{"message":"at /srv/app.ts:3:4"}]}',
    /^discovery failed: refused the introspection query: a node must allow GraphQL introspection$/,
  ],
  ['a web page', 200, '<!doctype html><p>hello', /^discovery failed: the answer is not GraphQL$/],
  ['half an answer', 200, '{"data":{"__schema":{}}}', /^discovery failed: its schema cannot be read$/],
  ['a locked door', 401, '{}', /^discovery failed: needs a credential, or another one \(HTTP 401\)$/],
  [
    'a caller who is not let in',
    400,
    '{"errors":[{"message":"no __schema for you","extensions":{"code":"FORBIDDEN"}}]}',
    /^discovery failed: needs a credential, or another one$/,
  ],
  ['a redirect', 302, '', /^discovery failed: redirects are not followed \(HTTP 302\)$/],
  [
    'more than the limit',
    200,
    ' '.repeat(2_000_000),
    /^discovery failed: the answer is larger than 1000000 bytes$/,
  ],
];

for (const [what, status, body, message] of failures)
  test(`${what} is a failure at once, with a reason of our own`, async (t) => {
    const remote = await openTree(t, (_request, response) => send(response, status, body));
    await t.throwsAsync(discoverAt(t, source(remote.url)), { code: 'NODE_DISCOVERY_FAILED', message });
  });

test('a root field that is not a catalogue is named', async (t) => {
  const remote = await serveSchema(buildSchema('type Query { tree: Tree } type Tree { name: String }'));
  t.teardown(() => remote.close());
  await t.throwsAsync(discoverAt(t, source(remote.url)), { message: /"tree" is not a catalogue/ });
  await t.throwsAsync(discoverAt(t, source(remote.url, { documentType: 'bush' })), {
    message: /no root field "bush"/,
  });
});

const descriptions: readonly (readonly [string, string, string | null])[] = [
  ['said', 'Tributary 1.2.3', 'Tributary 1.2.3'],
  ['not said', '', null],
  ['no plain text', '<b>1.2.3</b>', null],
];

for (const [what, description, version] of descriptions)
  test(`the version of a server of ours: ${what}`, async (t) => {
    const remote = await openTree(t, ({ query }, response) => {
      if (!/__schema\s*\{\s*description/.test(query)) return false;
      return send(
        response,
        200,
        JSON.stringify({ data: { __schema: { description: description || null } } }),
      );
    });
    t.is((await discoverAt(t, source(remote.url))).facts.version, version);
  });

test('the merged field of a network is not a catalogue, and is refused by that word', async (t) => {
  const remote = await serveSchema(
    buildSchema(`type Query { network: Network } type Network { nodes: [N] hits: H aggregations: A } type N { nodeId: String }
      type H { edges: [E] } type E { node: Row } type Row { id: ID } type A { k: F } type F { bucket_count: Int }`),
  );
  t.teardown(() => remote.close());
  await t.throwsAsync(discoverAt(t, source(remote.url, { documentType: 'network' })), {
    code: 'NODE_DISCOVERY_FAILED',
    message: /"network" is the merged field of a network, not a catalogue/,
  });
});

test('a type that contains itself is followed once', async (t) => {
  const remote = await serveSchema(
    buildSchema(`type Query { tree: Tree } type Tree { hits: H aggregations: A } type H { edges: [E] } type E { node: Row }
      type Row { id: ID name: String parent: Row left: Side right: Side } type Side { name: String other: Side of: Row }
      type A { name: F } type F { buckets: [B] } type B { key: String }`),
  );
  t.teardown(() => remote.close());
  const { fields } = await discoverAt(t, source(remote.url));
  t.deepEqual([...fields.keys()], ['id', 'name', 'left', 'left.name', 'right', 'right.name']);
});

/** So many more catalogues like that of trees. */
const beside = (count: number): string =>
  Array.from({ length: count }, (_, at) => `type T${at} { hits: H }`).join('\n');

const fewTypes = `type Tree { hits: H aggregations: A } type H { edges: [E] } type E { node: Row }
  type Row { id: ID name(in: Place): String by: Maker } input Place { inner: Place at: Spot } enum Spot { HERE }
  interface Named { name: String } type Maker implements Named { name: String kind: Either } union Either = F | B
  type A { name: F } type F { buckets: [B] } type B { key: String }`;

/** Introspection answered as one text, as a server would that does not resolve it each time. */
const openHuge = async (t: ExecutionContext, sdl: string) => {
  const huge = JSON.stringify({ data: introspectionFromSchema(buildSchema(sdl, { assumeValid: true })) });
  return openTree(t, ({ query }, response) => /queryType/.test(query) && send(response, 200, huge));
};

test('of 20 000 types only those of the catalogue are built', async (t) => {
  const roots = Array.from({ length: 20_000 }, (_, at) => `t${at}: T${at}`).join(' ');
  const remote = await openHuge(t, `type Query { tree: Tree ${roots} } ${fewTypes} ${beside(20_000)}`);
  const found = await discoverAt(t, source(remote.url), 64 * 1024 * 1024);
  t.true(found.schema.cutFrom! > 20_000);
  const names = Object.keys(found.schema.read().getTypeMap()).filter(
    (name) => !/^__|^(Boolean|Int|Float)$/.test(name),
  );
  t.deepEqual(names.toSorted(), [
    ...[
      'A',
      'B',
      'E',
      'Either',
      'F',
      'H',
      'ID',
      'Maker',
      'Named',
      'Place',
      'Query',
      'Row',
      'Spot',
      'String',
      'Tree',
    ],
  ]);
  t.deepEqual(Object.keys(found.schema.read().getQueryType()!.getFields()), ['tree']);
  t.is(found.fields.get('name')?.storedAt, undefined);
  t.is(found.aggregations.get('name'), 'values');
});

test('a catalogue that leads to too many types is refused', async (t) => {
  const fields = Array.from({ length: 10_001 }, (_, at) => `t${at}: T${at}`).join(' ');
  const remote = await openHuge(
    t,
    `type Query { tree: Tree } type Tree { hits: H aggregations: H ${fields} } type H { n: Int } ${beside(10_001)}`,
  );
  await t.throwsAsync(discoverAt(t, source(remote.url), 64 * 1024 * 1024), {
    code: 'NODE_DISCOVERY_FAILED',
    message: 'discovery failed: its schema is too large: the catalogue alone has more than 10000 types',
  });
});

test('a rate-limited node is discovered once it answers', async (t) => {
  let requested = 0;
  const remote = await openTree(t, (_request, response) => {
    requested += 1;
    if (requested !== 1 && requested !== 3) return false;
    response.writeHead(429, { 'retry-after': '0' }).end();
    return true;
  });
  const found = await discoverAt(t, source(remote.url));
  t.not(found.facts.extended, null);
});

test('a rate-limited node beyond the time for discovery fails with that reason', async (t) => {
  const remote = await openTree(t, (_request, response) => {
    response.writeHead(429, { 'retry-after': '600' }).end();
    return true;
  });
  await t.throwsAsync(discoverAt(t, source(remote.url, { discoveryTimeoutMs: 3_000 })), {
    code: 'NODE_DISCOVERY_FAILED',
    message: 'discovery failed: rate-limited: retry after 600 s',
  });
});

/** The answer to the question by what a node sorts, where it fails at some of these. */
const sortsBut = (...failing: readonly string[]): string =>
  JSON.stringify({
    data: { tree: { plain: { total: 0 }, byId: { total: 0 }, byKey: { total: 0 } } },
    errors: failing.map((name) => ({ message: 'no', path: ['tree', name] })),
  });

for (const [what, answer, idPath] of [
  ['answers no hits', sortsBut('plain', 'byId', 'byKey'), 'id'],
  ['answers nothing about them', '{"errors":[{"message":"No Living connections"}]}', 'id'],
  ['does not sort by it', sortsBut('byId'), '_id'],
  ['sorts by it', sortsBut(), 'id'],
] as const)
  test(`the id of a node that ${what} is ${idPath}`, async (t) => {
    const types = [...treeFields].map(([path, { type }]) => [path, type] as const);
    const others = Object.fromEntries(types.filter(([path]) => path !== 'id'));
    const remote = await serveCatalogue('tree', fieldsOf(others), searchOf([]));
    t.teardown(() => remote.close());
    remote.fault = ({ query }, response) => query.includes('byId') && send(response, 200, answer);
    t.is(idSource((await discoverAt(t, source(remote.url))).fields), idPath);
  });

const away = '{"errors":[{"message":"No Living connections"}]}';
const gone = '{"errors":[{"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}';
const knownOf = async (t: ExecutionContext, url: string): Promise<RemoteCatalogue> => ({
  ...(await discoverAt(t, source(url))),
  facts: {
    ...{ extended: [], institutions: null, sortsByKey: false },
    ...{ version: '1.2.3', key: 'k'.repeat(32) },
  },
});

for (const [what, part, status, body] of [
  ['its raw names', /extended/, 200, away],
  ['its version', /^\W*__schema\W+description\W*$/, 403, '{}'],
  ['its version but a page of a proxy', /^\W*__schema\W+description\W*$/, 200, '<html></html>'],
] as const)
  test(`a known node that does not say ${what} any more is not discovered again`, async (t) => {
    const remote = await openTree(t);
    const known = await knownOf(t, remote.url);
    remote.fault = ({ query }, response) => part.test(query) && send(response, status, body);
    await t.throwsAsync(discoverAt(t, source(remote.url), 1_000_000, known), {
      code: 'NODE_DISCOVERY_FAILED',
      message: 'discovery failed: did not answer what it answered before',
    });
    t.truthy(await discoverAt(t, source(remote.url)));
  });

test('one that says what has changed is discovered again', async (t) => {
  const remote = await openTree(t);
  const known = await knownOf(t, remote.url);
  const found = await discoverAt(t, source(remote.url), 1_000_000, known);
  t.is(found.facts.key, null);
  remote.fault = ({ query }, response) => query.includes('extended') && send(response, 200, gone);
  t.is((await discoverAt(t, source(remote.url), 1_000_000, known)).facts.extended, null);
});

test('where hits have their id from is not learnt anew from an error', async (t) => {
  const remote = await serveCatalogue('tree', fieldsOf({ genus: 'keyword' }), searchOf([]));
  t.teardown(() => remote.close());
  let answer = sortsBut();
  remote.fault = ({ query }, response) => query.includes('byId') && send(response, 200, answer);
  const known = await discoverAt(t, source(remote.url));
  t.is(idSource(known.fields), 'id');
  answer = sortsBut('byId');
  const changed = await discoverAt(t, source(remote.url), 1_000_000, known);
  t.is(idSource(changed.fields), '_id');
  answer = sortsBut('plain', 'byId');
  t.is(idSource((await discoverAt(t, source(remote.url), 1_000_000, known)).fields), 'id');
  t.is(idSource((await discoverAt(t, source(remote.url), 1_000_000, changed)).fields), '_id');
});
