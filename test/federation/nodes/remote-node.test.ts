import { setImmediate } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { buildSchema } from 'graphql';
import { asTributaryError } from '../../../src/lib/errors/errors.ts';
import { RemoteNode } from '../../../src/federation/nodes/remote-node.ts';
import type { RemoteSource } from '../../../src/federation/config/nodes.ts';
import { openTransport } from '../../../src/federation/remote/http-executor.ts';
import type { CatalogueQuery } from '../../../src/search/query.ts';
import type { Row } from '../collection.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { contextOf, nodeConfig } from '../node-fixtures.ts';
import { leaf } from '../../../src/sqon/ast.ts';
import type { RemoteServer } from '../remote-server.ts';
import { serveCatalogue, serveSchema } from '../remote-server.ts';

const trees: readonly Row[] = [
  { id: 't1', genus: 'Acer', height: 12, 'leaf-form': 'lobed' },
  { id: 't2', genus: 'Acer', height: 7 },
  { id: 't3', height: 21 },
];
const treeFields = fieldsOf({ id: 'keyword', genus: 'keyword', height: 'long', 'leaf-form': 'keyword' });

const everything: CatalogueQuery = {
  filters: null,
  filterThemselves: false,
  includeMissing: true,
  facets: [
    { field: 'genus', measure: { kind: 'terms', max: null } },
    { field: 'height', measure: { kind: 'stats' } },
    { field: 'height', measure: { kind: 'histogram', interval: 10 } },
    { field: 'height', measure: { kind: 'histogram', interval: 5 } },
    {
      field: 'height',
      measure: {
        kind: 'range',
        ranges: [
          { key: 'low', to: 10 },
          { key: 'high', from: 10 },
        ],
      },
    },
    { field: 'genus', measure: { kind: 'cardinality' } },
  ],
  hits: {
    first: 2,
    offset: 0,
    sort: [{ fieldName: 'height', order: 'asc', missing: 'last' }],
    searchAfter: null,
    trackTotal: true,
    fields: ['height', 'leaf-form'],
  },
};
const onlyHits: CatalogueQuery = { ...everything, facets: [] };

const searchAt = async (
  t: ExecutionContext,
  remote: RemoteServer,
  maxResponseBytes = 1_000_000,
  limits: Pick<RemoteSource, 'maxDepth' | 'maxAliases'> = { maxDepth: 7, maxAliases: 15 },
) => {
  const transport = openTransport(maxResponseBytes);
  t.teardown(async () => {
    await transport.close();
    await remote.close();
  });
  const source: RemoteSource = {
    kind: 'remote',
    graphqlUrl: remote.url,
    documentType: 'tree',
    discoveryTimeoutMs: 60_000,
    ...limits,
    headers: [],
    credential: null,
  };
  const config = nodeConfig('trees', { source, timeoutMs: 60_000 });
  const observer = { changed: () => undefined, called: () => undefined };
  const node = new RemoteNode({
    config,
    source,
    transport,
    credential: {},
    observer,
    recheckMs: 3_600_000,
  });
  t.teardown(() => node.close());
  await node.ready;
  const { status } = node.view();
  if (status.kind === 'down') throw new Error(status.reason);
  return status.search;
};

const ours = () => serveCatalogue('tree', treeFields, searchOf(trees));

test('a node of ours answers over HTTP what its catalogue answers', async (t) => {
  const remote = await ours();
  const answer = await (await searchAt(t, remote))(everything, contextOf());
  const local = await searchOf(trees)(everything, contextOf());
  t.is(remote.queries.length, 1);
  t.is(answer.total, local.total);
  t.deepEqual(
    answer.hits.map(({ id, cursor }) => ({ id, cursor })),
    local.hits.map(({ id, cursor }) => ({ id, cursor })),
  );
  t.deepEqual(
    answer.hits.map(({ source }) => source),
    [{ height: 7 }, { height: 12, 'leaf-form': 'lobed' }],
  );
  t.deepEqual(answer.facets, local.facets);
});

test('one measure with two arguments is the only alias', async (t) => {
  const remote = await ours();
  await (
    await searchAt(t, remote)
  )(everything, contextOf());
  t.deepEqual(remote.queries[0]?.query.match(/\w+: ?histogram/g), ['histogram2: histogram']);
});

test('a node is sent as many aliases as its entry allows', async (t) => {
  const facets = Array.from({ length: 4 }, (_, at) => ({
    field: 'height',
    measure: { kind: 'histogram' as const, interval: at + 1 },
  }));
  const query = { ...everything, facets };
  const limits = { maxDepth: 7, maxAliases: 2 };
  const [refusing, accepting] = [await ours(), await ours()];
  const search = await searchAt(t, refusing, 1_000_000, limits);
  await t.throwsAsync(search(query, contextOf()), {
    message: 'the query needs 3 aliases, at most 2 fit',
  });
  t.is(refusing.queries.length, 0);
  const wider = await searchAt(t, accepting, 1_000_000, { ...limits, maxAliases: 3 });
  t.is((await wider(query, contextOf())).facets.length, 4);
});

test('the filters of buckets are aliases too, but for the first', async (t) => {
  const filters = ['t1', 't2', 't3'].map((id) => leaf('in', 'id', [id]));
  const query = {
    ...everything,
    facets: [{ field: 'genus', measure: { kind: 'terms' as const, max: null, filters } }],
  };
  const [refusing, accepting] = [await ours(), await ours()];
  await t.throwsAsync(
    (await searchAt(t, refusing, 1_000_000, { maxDepth: 7, maxAliases: 1 }))(query, contextOf()),
    {
      message: 'the query needs 2 aliases, at most 1 fit',
    },
  );
  await (
    await searchAt(t, accepting, 1_000_000, { maxDepth: 7, maxAliases: 2 })
  )(query, contextOf());
  t.is(accepting.queries[0]?.query.match(/\w+: filter_by_term/g)?.length, 2);
});

test('filters of buckets of any length do not lengthen the document: they are variables, equal ones are sent once', async (t) => {
  const ids = Array.from({ length: 50_000 }, (_, at) => `t${at}`);
  const [short, long] = [leaf('in', 'id', ['"\ud83d']), leaf('in', 'id', ids)];
  const facets = [[short, long], [long]].map((filters, at) => ({
    ...{ field: ['genus', 'id'][at]! },
    measure: { kind: 'terms' as const, max: null, filters },
  }));
  const node = await ours();
  await (
    await searchAt(t, node)
  )({ ...everything, facets }, contextOf());
  const { query, variables = {} } = node.queries[0]!;
  t.regex(query, /filter_by_term\(filter: \$value0\).*filter_by_term\(filter: \$value1\)/);
  t.deepEqual(
    Object.keys(variables).filter((name) => name.startsWith('value')),
    ['value0', 'value1'],
  );
  t.deepEqual(variables['value1'], { op: 'in', content: { fieldName: 'id', value: ids } });
  t.true(query.length < 2_000);
});

/** As other servers of this protocol answer: no `_source`, no tie-break, objects in the selection. */
const foreign = (resolvers: object) => {
  const schema = buildSchema(`
    scalar JSON
    type Query { tree: Tree }
    enum Order { asc desc }
    input Sort { fieldName: String! order: Order missing: String mode: String }
    type Tree {
      hits(filters: JSON, first: Int, offset: Int, sort: [Sort], searchAfter: JSON, trackTotalHits: Boolean): Connection
      aggregations(filters: JSON, include_missing: Boolean, aggregations_filter_themselves: Boolean): TreeAggregations
      configs: Configs
    }
    type Configs { extended: JSON }
    type Connection { total: Int! edges: [Edge] }
    type Edge { searchAfter: JSON node: TreeNode }
    type TreeNode { id: ID! height: Float leaf_form: String site: Site fruits: Fruits }
    type Site { place: Place }
    type Place { town: String address: Address }
    type Address { street: String }
    type Fruits { hits: FruitsConnection }
    type FruitsConnection { total: Int! edges: [FruitsEdge] }
    type FruitsEdge { node: FruitsNode }
    type FruitsNode { colour: String }
    type TreeAggregations { genus: Aggregations }
    type Aggregations { bucket_count: Int buckets(max: Int): [Bucket] }
    type Bucket { key: String doc_count: Int key_as_string: String }
  `);
  const extended = [
    ['height', 'long'],
    ['leaf-form', 'keyword'],
    ['site.place.town', 'keyword'],
    ['site.place.address.street', 'keyword'],
    ['fruits', 'nested'],
    ['fruits.colour', 'keyword'],
    ['genus', 'keyword'],
  ].map(([fieldName, type]) => ({ fieldName, type }));
  Object.assign(schema.getQueryType()!.getFields()['tree']!, {
    resolve: () => ({ configs: { extended }, ...resolvers }),
  });
  return serveSchema(schema);
};

test('a foreign node is queried for flat fields within its depth, and the rest is null with a warning', async (t) => {
  const node = {
    id: 't1',
    height: 12,
    leaf_form: 'lobed',
    site: { place: { town: 'Ulm', address: { street: 'x' } } },
  };
  const remote = await foreign({ hits: { total: 1, edges: [{ searchAfter: [12, 't1'], node }] } });
  const search = await searchAt(t, remote);
  const fields = ['height', 'leaf-form', 'site.place.town', 'site.place.address.street', 'fruits.colour'];
  const answer = await search({ ...onlyHits, hits: { ...onlyHits.hits!, fields } }, contextOf());
  t.deepEqual(answer.hits, [
    { id: 't1', cursor: [12, 't1'], source: { height: 12, 'leaf-form': 'lobed', 'site.place.town': 'Ulm' } },
  ]);
  t.is(answer.warnings.length, 2);
  t.regex(answer.warnings[0] ?? '', /^"site\.place\.address\.street" is null: .*_source/);
  t.deepEqual(remote.queries[0]?.variables['sort'], [
    { fieldName: 'height', order: 'asc', missing: 'last' },
    { fieldName: '_id', order: 'asc' },
  ]);
});

test('missing buckets of the wire are the missing count', async (t) => {
  const buckets = [
    { key: 'Acer', doc_count: 2 },
    { key: '__missing__', doc_count: 4 },
  ];
  const remote = await foreign({ aggregations: { genus: { bucket_count: 2, buckets } } });
  const requested = { ...everything, hits: null, facets: everything.facets.slice(0, 1) };
  t.deepEqual((await (await searchAt(t, remote))(requested, contextOf())).facets, [
    { kind: 'terms', buckets: [{ key: 'Acer', count: 2 }], distinct: 1, missing: 4 },
  ]);
});

const broken: readonly (readonly [string, number, string, string, string])[] = [
  [
    'errors on HTTP 200',
    200,
    '{"data":{"tree":null},"errors":[{"message":"at /srv/x.ts:1:1"}]}',
    'NODE_BAD_RESPONSE',
    'answered with GraphQL errors',
  ],
  [
    'a refusal',
    400,
    '{"errors":[{"message":"x","extensions":{"code":"BAD_USER_INPUT"}}]}',
    'NODE_REFUSED',
    'answered with GraphQL errors (BAD_USER_INPUT)',
  ],
  [
    'a histogram that is too fine',
    400,
    '{"errors":[{"message":"<b>x</b>","extensions":{"code":"BAD_USER_INPUT","details":{"smallestInterval":4}}}]}',
    'NODE_REFUSED',
    'refused the histogram: its interval must be at least 4 there',
  ],
  [
    'a question that is too dear there',
    200,
    '{"data":{"b":null},"errors":[{"message":"<b>x</b>","extensions":{"code":"BAD_USER_INPUT","details":{"cost":9,"maxCost":4}}}]}',
    'BAD_USER_INPUT',
    'the query costs 9 there, more than the 4 allowed',
  ],
  [
    'an interval that is not a number',
    400,
    '{"errors":[{"message":"x","extensions":{"code":"BAD_USER_INPUT","details":{"smallestInterval":"<b>"}}}]}',
    'NODE_REFUSED',
    'answered with GraphQL errors (BAD_USER_INPUT)',
  ],
  [
    'two errors, of which the first says why',
    400,
    '{"errors":[{"message":"x","extensions":{"code":"FORBIDDEN"}},{"message":"y","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}',
    'NODE_REFUSED',
    'answered with GraphQL errors (FORBIDDEN)',
  ],
  [
    'two errors, of which the second is that of a histogram',
    400,
    '{"errors":[{"message":"x","extensions":{"code":"UNAUTHENTICATED"}},{"message":"y","extensions":{"code":"BAD_USER_INPUT","details":{"smallestInterval":4}}}]}',
    'NODE_REFUSED',
    'answered with GraphQL errors (UNAUTHENTICATED)',
  ],
  [
    'errors that are not a list',
    200,
    '{"errors":"at /srv/x.ts:1:1"}',
    'NODE_BAD_RESPONSE',
    'the answer is not GraphQL',
  ],
  [
    'another schema than was discovered',
    400,
    '{"errors":[{"message":"x","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}',
    'NODE_REFUSED',
    'answered with GraphQL errors (GRAPHQL_VALIDATION_FAILED); its schema or limits may have changed since discovery: it is discovered again within a minute',
  ],
  ['HTTP 500', 500, 'stack', 'NODE_UNREACHABLE', 'answered HTTP 500'],
  [
    'a negative total',
    200,
    '{"data":{"tree":{"hits":{"total":-1,"edges":[]}}}}',
    'NODE_BAD_RESPONSE',
    'the answer is malformed at hits.total',
  ],
  [
    'a hit without id',
    200,
    '{"data":{"tree":{"hits":{"total":1,"edges":[{"node":{"height":1}}]}}}}',
    'NODE_BAD_RESPONSE',
    'the answer is malformed at id',
  ],
  ['nothing', 200, '{"data":{"tree":null}}', 'NODE_BAD_RESPONSE', 'the answer is malformed at tree'],
];

for (const [what, status, body, code, message] of broken)
  test(`${what}: a failure with a code and a reason of our own`, async (t) => {
    const remote = await ours();
    const search = await searchAt(t, remote);
    remote.fault = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    await t.throwsAsync(search(onlyHits, contextOf()), { code, message });
  });

test('a redirect to another server is not followed, and nothing is sent there', async (t) => {
  const [remote, elsewhere] = [await ours(), await ours()];
  t.teardown(() => elsewhere.close());
  const search = await searchAt(t, remote);
  remote.fault = (_request, response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
    return true;
  };
  await t.throwsAsync(search(onlyHits, contextOf()), {
    code: 'NODE_BAD_RESPONSE',
    message: 'redirects are not followed (HTTP 307)',
  });
  t.is(elsewhere.queries.length, 0);
});

const counted = (key: string) => ({ key, doc_count: 1 });
const facets: readonly (readonly [string, number, object])[] = [
  [
    'a histogram of more buckets than any picture has',
    2,
    { histogram: { buckets: Array.from({ length: 65_537 }, (_, index) => counted(String(index))) } },
  ],
  ['a histogram key past all numbers', 2, { histogram: { buckets: [counted('1e999')] } }],
  ['a histogram key of another interval', 2, { histogram: { buckets: [counted('10'), counted('15')] } }],
  ['more counted than fits', 4, { range: { buckets: [{ key: 'low', doc_count: 2 ** 31 }] } }],
];

for (const [what, index, height] of facets)
  test(`${what} is malformed`, async (t) => {
    const remote = await ours();
    const search = await searchAt(t, remote, 10_000_000);
    remote.fault = (_request, response) => {
      response.end(JSON.stringify({ data: { tree: { aggregations: { height } } } }));
      return true;
    };
    const requested = { ...everything, hits: null, facets: everything.facets.slice(index, index + 1) };
    await t.throwsAsync(search(requested, contextOf()), {
      code: 'NODE_BAD_RESPONSE',
      message: /^the answer is malformed at height/,
    });
  });

test('what a node warns of is passed on', async (t) => {
  const remote = await ours();
  const search = await searchAt(t, remote);
  remote.fault = (_request, response) => {
    response.end(
      '{"data":{"tree":{"hits":{"total":0,"edges":[]}}},"extensions":{"warnings":["first is cut"]}}',
    );
    return true;
  };
  t.deepEqual((await search(onlyHits, contextOf())).warnings, ['first is cut']);
});

test('the caller leaving ends the request', async (t) => {
  const remote = await ours();
  const search = await searchAt(t, remote);
  const leave = new AbortController();
  const dropped = new Promise((resolve) => {
    remote.fault = (_request, response) => {
      response.on('close', () => resolve('dropped'));
      leave.abort();
      return true;
    };
  });
  await t.throwsAsync(search(onlyHits, contextOf().withSignal(leave.signal)), { code: 'NODE_TIMEOUT' });
  t.is(await dropped, 'dropped');
});

/** A node that dials in: requests of its tunnel go to the server, and the test says when there is a tunnel. */
const dialledNode = (
  t: ExecutionContext,
  remote: RemoteServer,
  discoveryTimeoutMs = 60_000,
  rediscover: Pick<RemoteSource, 'rediscoverMs'> = {},
) => {
  const { close, ...direct } = openTransport(1_000_000);
  const listeners = new Set<(isConnected: boolean) => void>();
  let isConnected = false;
  const transport = { ...direct, close };
  const source: RemoteSource = {
    ...{ kind: 'remote', graphqlUrl: remote.url, documentType: 'tree', discoveryTimeoutMs },
    ...{ maxDepth: 7, maxAliases: 15, headers: [], credential: null, dialsIn: { key: 'k' }, ...rediscover },
  };
  const states: string[] = [];
  const faults: Error[] = [];
  const node = new RemoteNode({
    ...{ source, transport, recheckMs: 3_600_000 },
    get credential() {
      const fault = faults.pop();
      if (fault !== undefined) throw fault;
      return {};
    },
    config: nodeConfig('trees', { source, timeoutMs: 60_000 }),
    observer: { changed: ({ state }) => void states.push(state), called: () => undefined },
    tunnel: {
      dispatcher: direct.agent,
      isConnected: () => isConnected,
      absence: () => 'has not dialled in',
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  t.teardown(async () => {
    node.close();
    await close();
    await remote.close();
  });
  const dial = (is: boolean): void => {
    isConnected = is;
    for (const listener of listeners) listener(is);
  };
  const until = async (state: string): Promise<void> => {
    while (node.report().state !== state) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { node, states, faults, dial, until };
};

test('a node that dials in is discovered when it does, and known while it is away', async (t) => {
  const remote = await ours();
  const { node, states, dial, until } = dialledNode(t, remote);
  t.like(node.report(), { state: 'disconnected', isConnected: false });
  dial(true);
  await until('ok');
  dial(false);
  t.is(node.view().status.kind, 'up');
  t.like(node.report(), { state: 'disconnected', isConnected: false });
  dial(true);
  t.like(node.report(), { state: 'ok', isConnected: true });
  t.deepEqual(states, ['discovering', 'ok', 'disconnected', 'ok']);
});

test('a recheck that throws does not end rechecks', async (t) => {
  const remote = await ours();
  const { faults, dial, until } = dialledNode(t, remote);
  dial(true);
  await until('ok');
  faults.push(new Error('the schema cannot be joined'));
  dial(true);
  t.deepEqual(faults, []);
  await setImmediate();
  const asked = Promise.withResolvers<null>();
  remote.fault = () => (asked.resolve(null), false);
  dial(true);
  t.is(await asked.promise, null);
});

test('a tunnel that is lost during discovery ends it, and the next begins it again', async (t) => {
  const remote = await ours();
  const reached = Promise.withResolvers<null>();
  // never answered
  remote.fault = () => (reached.resolve(null), true);
  const { states, dial, until } = dialledNode(t, remote);
  dial(true);
  await reached.promise;
  dial(false);
  remote.fault = () => false;
  dial(true);
  await until('ok');
  t.deepEqual(states, ['discovering', 'disconnected', 'discovering', 'ok']);
});

test('a node that dials in and does not answer its discovery in time is discovered later', async (t) => {
  const remote = await ours();
  remote.fault = () => true;
  const { states, dial, until } = dialledNode(t, remote, 300);
  dial(true);
  await until('discoveryFailed');
  remote.fault = () => false;
  await until('ok');
  t.deepEqual([...new Set(states)], ['discovering', 'discoveryFailed', 'ok']);
});

test('an answer that fails discovery stays, however often the node dials', async (t) => {
  const remote = await ours();
  remote.fault = (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"errors":[{"message":"GraphQL introspection is not allowed"}]}');
    return true;
  };
  const { node, states, dial, until } = dialledNode(t, remote);
  dial(true);
  await until('discoveryFailed');
  remote.fault = () => false;
  dial(false);
  dial(true);
  t.like(node.report(), { state: 'discoveryFailed', isConnected: true });
  t.regex(String(node.report().lastError), /refused the introspection query/);
  t.deepEqual(states, ['discovering', 'discoveryFailed']);
});

test('a node whose entry says so is tried again after its discovery failed, as long as it is connected', async (t) => {
  const remote = await ours();
  remote.fault = (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"errors":[{"message":"GraphQL introspection is not allowed"}]}');
    return true;
  };
  const { node, states, dial, until } = dialledNode(t, remote, 60_000, { rediscoverMs: 20 });
  dial(true);
  await until('discoveryFailed');
  t.is(node.report().rediscoverMs, 20);
  dial(false);
  t.like(node.report(), { state: 'disconnected' });
  dial(true);
  await until('discoveryFailed');
  remote.fault = () => false;
  await until('ok');
  const failed = ['discovering', 'discoveryFailed'];
  t.deepEqual([...new Set(states)], [...failed, 'disconnected', 'ok']);
  t.is(node.view().status.kind, 'up');
});

test('a node that comes back is queried at once, whatever failed over its last tunnel', async (t) => {
  const remote = await ours();
  const { node, dial, until } = dialledNode(t, remote);
  dial(true);
  await until('ok');
  const runQuery = async (): Promise<string> => {
    const { status } = node.view();
    if (status.kind === 'down') return status.code;
    return status.search(onlyHits, contextOf()).then(
      () => 'ok',
      (error: unknown) => asTributaryError(error).code,
    );
  };
  remote.fault = (_, response) => (response.destroy(), true);
  for (let at = 0; at < 4; at++) await runQuery();
  t.is(node.report().state, 'circuitOpen');
  dial(false);
  // what was in progress fails once its tunnel is gone
  await runQuery();
  t.is(node.report().state, 'disconnected');
  remote.fault = () => false;
  dial(true);
  t.is(await runQuery(), 'ok');
});
