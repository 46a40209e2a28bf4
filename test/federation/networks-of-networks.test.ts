import test from 'ava';
import { buildSchema, graphql, type GraphQLSchema } from 'graphql';
import { openReloaded } from './reloaded-network.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { contextOf } from './node-fixtures.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { catalogueOf, deadUrl, serveCatalogue, serveSchema, type RemoteServer } from './remote-server.ts';
import type { ExecutionContext } from 'ava';
import { available, testNetwork, type TestNode } from '../builders.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const rows = (prefix: string, genera: readonly string[]) =>
  genera.map((genus, index) => ({ id: `${prefix}${index}`, genus }));

/** A network of local catalogues and other nodes, served. */
const serveNetwork = async (
  t: ExecutionContext,
  key: string,
  catalogues: Readonly<Record<string, readonly string[]>>,
  others: readonly TestNode[] = [],
) => {
  const nodes = Object.entries(catalogues).map(([nodeId, genera]) => ({
    ...{ nodeId, displayName: nodeId.toUpperCase() },
    catalogue: catalogueOf(nodeId, fields, searchOf(rows(nodeId, genera))),
  }));
  const network = await testNetwork(t, [...nodes, ...others], {
    network: { documentType: 'tree' },
    key: key.padEnd(43, '-'),
  });
  const served = await serveSchema(network.ownSchema());
  t.teardown(served.close);
  return served;
};

const configOf = (nodes: readonly object[]) =>
  readNodes({ network: { documentType: 'tree', fields: { genus: 'keyword' } }, nodes }, 'nodes.json');

const openRoot = async (t: ExecutionContext, nodes: readonly object[]) => {
  const network = openReloaded(configOf(nodes), () => undefined, { readyWaitMs: 60_000 });
  t.teardown(network.close);
  await network.ready;
  const runQuery = async (source: string, variableValues: Record<string, unknown> = {}) => {
    const warnings: string[] = [];
    const { data, errors } = await graphql({
      schema: network.ownSchema(),
      source,
      variableValues,
      contextValue: contextOf(warnings),
    });
    if (errors) throw errors[0]!;
    const { tree } = JSON.parse(JSON.stringify(data)) as { tree: Record<string, unknown> };
    return { ...tree, warnings } as Record<string, unknown>;
  };
  return { network, runQuery };
};

const node = (nodeId: string, graphqlUrl: string, more: object = {}) => ({
  nodeId,
  displayName: nodeId.toUpperCase(),
  graphqlUrl,
  timeoutMs: 60_000,
  discoveryTimeoutMs: 60_000,
  ...more,
});

const quickly = { discoveryTimeoutMs: 300 };

test('a network is one node: in states, keys of hits, filters and nodesFilter', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer', 'Tilia'], oslo: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  const answer = await runQuery(
    '{ tree { hits(first: 9, sort: [{ fieldName: "id" }]) { total nodes { nodeId name hits errors } edges { nodeId _key node { id } } } } }',
  );
  t.deepEqual(answer, {
    hits: {
      total: 3,
      nodes: [{ nodeId: 'eu', name: 'EU', hits: 3, errors: '' }],
      edges: [
        { nodeId: 'eu', _key: 'eu/lyon%2Flyon0', node: { id: 'lyon0' } },
        { nodeId: 'eu', _key: 'eu/lyon%2Flyon1', node: { id: 'lyon1' } },
        { nodeId: 'eu', _key: 'eu/oslo%2Foslo0', node: { id: 'oslo0' } },
      ],
    },
    warnings: [],
  } as never);
  const filters = {
    op: 'in',
    content: { fieldName: '_key', value: ['eu/lyon%2Flyon1', 'eu/oslo%2Flyon0', 'eu/lyon0', 'eu/%'] },
  };
  const found =
    'query ($filters: JSON) { tree { hits(filters: $filters, first: 9) { total edges { _key } } } }';
  t.deepEqual(await runQuery(found, { filters }), {
    hits: { total: 1, edges: [{ _key: 'eu/lyon%2Flyon1' }] },
    warnings: [],
  } as never);
  t.deepEqual(
    await runQuery('{ tree(nodesFilter: ["eu/oslo"]) { hits(first: 0) { nodes { nodeId state } } } }'),
    {
      hits: { nodes: [{ nodeId: 'eu', state: 'excluded' }] },
      warnings: ['nodesFilter names "eu/oslo", which is not a node of this network'],
    } as never,
  );
});

test('records of several institutions that share an id keep keys of their own over two levels', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('x', ['Acer'])));
  const oslo = await serveCatalogue('tree', fields, searchOf(rows('x', ['Tilia'])));
  t.teardown(async () => Promise.all([rome.close(), oslo.close()]));
  const eu = await serveNetwork(t, 'eu', {}, [node('rome', rome.url), node('oslo', oslo.url)]);
  const world = await serveNetwork(t, 'world', {}, [node('eu', eu.url)]);
  const { runQuery } = await openRoot(t, [node('world', world.url)]);
  const query =
    'query ($filters: JSON) { tree { hits(filters: $filters, first: 9, sort: [{ fieldName: "genus" }]) { edges { _key node { genus } } } } }';
  const edgesOf = async (filters: unknown) =>
    ((await runQuery(query, { filters })) as { hits: { edges: { _key: string; node: unknown }[] } }).hits
      .edges;
  const all = await edgesOf(null);
  t.deepEqual(
    all.map((edge) => edge.node),
    [{ genus: 'Acer' }, { genus: 'Tilia' }],
  );
  t.not(all[0]!._key, all[1]!._key);
  for (const edge of all)
    t.deepEqual(await edgesOf({ op: 'in', content: { fieldName: '_key', value: [edge._key] } }), [edge]);
});

test('bounds of cut lists hold over levels, and say so', async (t) => {
  const many = Array.from({ length: 60 }, (_, at) =>
    Array.from({ length: 61 - at }, () => `g${String(at).padStart(2, '0')}`),
  ).flat();
  const eu = await serveNetwork(t, 'eu', { lyon: many, oslo: many });
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  const answer = await runQuery(
    '{ tree { aggregations { genus { bucket_count_exact unlisted_upper_bound buckets(max: 2) { key doc_count upper_bound exact } } } } }',
  );
  t.deepEqual(answer['aggregations'], {
    genus: {
      bucket_count_exact: false,
      unlisted_upper_bound: 118,
      buckets: [
        { key: 'g00', doc_count: 122, upper_bound: 122, exact: true },
        { key: 'g01', doc_count: 120, upper_bound: 120, exact: true },
      ],
    },
  } as never);
});

test('values that match a text are counted exactly, whatever a network lists beside them', async (t) => {
  const listed = Array.from({ length: 20 }, (_, at) => [`g${at}`, `g${at}`]).flat();
  const eu = await serveNetwork(t, 'eu', { lyon: [...listed, 'gx'] });
  const na = await serveNetwork(t, 'na', { york: ['gx', 'gx', 'gx'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('na', na.url)]);
  const found = 'found: buckets(max: 1, matching: "g") { key doc_count upper_bound exact }';
  const boundBeside = async (others: string) => {
    const { aggregations } = await runQuery(`{ tree { aggregations { genus { ${others} ${found} } } } }`);
    return (aggregations as { genus: { found: unknown } }).genus.found;
  };
  const first = { key: 'gx', doc_count: 4, upper_bound: 4, exact: true };
  t.deepEqual(await boundBeside(''), [first]);
  t.deepEqual(await boundBeside('buckets { key }'), [first]);
  t.deepEqual(await boundBeside('ones: buckets(matching: "1") { key }'), [first]);
});

/** A part of each question that a server was sent, by a group. */
const partsRequested = ({ queries }: RemoteServer, part: RegExp): readonly (string | undefined)[] =>
  queries.map(({ query }) => part.exec(query)?.[1]);

test('a network is queried for the outcome at its nodes, and for nothing else about them', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'] });
  const { network } = await openRoot(t, [node('eu', eu.url)]);
  for (const selected of [
    'total nodes { nodeId upper_bound code }',
    'aggregations { genus { coverage { nodeId docs } } }',
  ]) {
    const source = `{ network { ${selected} } }`;
    const { errors } = await graphql({ schema: network.schema(), source, contextValue: contextOf([]) });
    t.is(errors, undefined);
  }
  t.deepEqual(partsRequested(eu, / nodes { ([^}]*) }/), [
    'reach { queried answered',
    'reach { queried answered',
  ]);
  t.false(eu.queries.some(({ query }) => query.includes('coverage')));
});

test('a network covers the fields that any of its institutions has', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'], oslo: ['Tilia'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  const { aggregations } = await runQuery(
    '{ tree { aggregations { genus { coverage { nodeId state docs } } } } }',
  );
  t.deepEqual(aggregations as unknown, {
    genus: { coverage: [{ nodeId: 'eu', state: 'answered', docs: 2 }] },
  });
});

test('an answer without some institutions of a network is partial, and says how many', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('rome', ['Acer'])));
  t.teardown(rome.close);
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer', 'Tilia'] }, [node('rome', rome.url)]);
  const world = await serveNetwork(t, 'world', {}, [node('eu', eu.url)]);
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  const { runQuery: runOver } = await openRoot(t, [node('world', world.url)]);
  rome.fault = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  const requested =
    '{ tree { hits(first: 9) { total partial nodes { nodeId status state code errors hits } } aggregations { genus { buckets { key doc_count } } } } }';
  const partial = (nodeId: string, errors: string) => ({
    hits: {
      ...{ total: 2, partial: true },
      nodes: [{ nodeId, status: 'OK', state: 'ok', code: null, errors, hits: 2 }],
    },
    aggregations: {
      genus: {
        buckets: [
          { key: 'Acer', doc_count: 1 },
          { key: 'Tilia', doc_count: 1 },
        ],
      },
    },
    warnings: [],
  });
  t.deepEqual(await runQuery(requested), partial('eu', '1 of its 2 institutions did not answer') as never);
  t.deepEqual(await runOver(requested), partial('world', '1 of its 2 institutions did not answer') as never);
});

test('the institutions that did not answer are counted over all levels', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'], oslo: ['Acer'] });
  const us = await serveNetwork(t, 'us', { york: ['Tilia'], gary: [] }, [
    node('gone', await deadUrl(), quickly),
  ]);
  const world = await serveNetwork(t, 'world', { rome: ['Acer'] }, [node('eu', eu.url), node('us', us.url)]);
  const { runQuery } = await openRoot(t, [node('world', world.url)]);
  const nodesOf = async () => {
    const answer = await runQuery(
      '{ tree { hits(first: 0) { total partial nodes { errors reach { queried answered } } } } }',
    );
    return answer['hits'];
  };
  const outcome = (total: number, errors: string, answered: number) =>
    ({ total, partial: true, nodes: [{ errors, reach: { queried: 6, answered } }] }) as never;
  t.deepEqual(await nodesOf(), outcome(4, '1 of its 6 institutions did not answer', 5));
  // a network that fails as a whole is all of its institutions
  eu.fault = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  t.deepEqual(await nodesOf(), outcome(2, '3 of its 6 institutions did not answer', 3));
});

test('a network answers without its slow institutions within the time that the query has left', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('rome', ['Acer'])));
  t.teardown(rome.close);
  // its own deadline there is a minute
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer', 'Tilia'] }, [node('rome', rome.url)]);
  rome.fault = ({ query }) => query.startsWith('query nodeQuery');
  const response = await fetch(eu.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'tributary-deadline-ms': '500' },
    body: JSON.stringify({ query: '{ tree { hits(first: 0) { total partial nodes { nodeId state } } } }' }),
    signal: AbortSignal.timeout(30_000),
  });
  const { data } = (await response.json()) as { data: unknown };
  t.deepEqual(data, {
    tree: {
      hits: {
        total: 2,
        partial: true,
        nodes: [
          { nodeId: 'lyon', state: 'ok' },
          { nodeId: 'rome', state: 'timeout' },
        ],
      },
    },
  });
});

test('a network without a field of the filter is partial while an institution that may have it is away', async (t) => {
  const rome = await serveCatalogue('tree', fieldsOf({ id: 'keyword', bark: 'keyword' }), searchOf([]));
  rome.fault = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  t.teardown(rome.close);
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'] }, [node('rome', rome.url)]);
  const us = await serveCatalogue(
    'tree',
    fieldsOf({ id: 'keyword', bark: 'keyword' }),
    searchOf([{ id: 'u1', bark: 'rough' }]),
  );
  t.teardown(us.close);
  const filters = { op: 'in', content: { fieldName: 'bark', value: ['rough'] } };
  for (const entry of [{}, { constants: { region: 'EU' } }]) {
    const { runQuery } = await openRoot(t, [node('eu', eu.url, entry), node('us', us.url)]);
    t.deepEqual(
      await runQuery(
        'query ($filters: JSON) { tree { hits(first: 0, filters: $filters) { total partial nodes { nodeId hits errors } } } }',
        { filters },
      ),
      {
        hits: {
          total: 1,
          partial: true,
          nodes: [
            { nodeId: 'eu', hits: 0, errors: '1 of its 2 institutions did not answer' },
            { nodeId: 'us', hits: 1, errors: '' },
          ],
        },
        warnings: [],
      } as never,
    );
  }
});

test('nodes are queried for the labels and the estimates of buckets that are shown', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  await runQuery('{ tree { aggregations { genus { buckets { key upper_bound } } } } }');
  await runQuery(
    `{ tree { aggregations { genus { buckets { key upper_bound } all: buckets { key_as_string } } } } }`,
  );
  const both = 'a: genus { buckets { upper_bound } } b: genus { buckets { estimate upper_bound } }';
  await runQuery(`{ tree { aggregations { ${both} } } }`);
  t.deepEqual(partsRequested(eu, /buckets { ([^}]*) }/), [
    'key doc_count upper_bound',
    'key key_as_string doc_count upper_bound',
    'key doc_count upper_bound estimate',
  ]);
});

test('a network none of whose institutions answers did not answer', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'] });
  const us = await serveNetwork(t, 'us', { york: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('us', us.url)]);
  eu.fault = ({ query }, response) => {
    if (!query.startsWith('query nodeQuery')) return false;
    const extensions = { code: 'ENGINE_UNAVAILABLE', details: { nodes: [{ nodeId: 'lyon' }] } };
    response.end(JSON.stringify({ data: null, errors: [{ message: 'x', extensions }] }));
    return true;
  };
  t.deepEqual(
    await runQuery('{ tree { hits(first: 0) { total partial nodes { nodeId state errors hits } } } }'),
    {
      hits: {
        total: 1,
        partial: true,
        nodes: [
          { nodeId: 'eu', state: 'unreachable', errors: 'none of its institutions answered', hits: 0 },
          { nodeId: 'us', state: 'ok', errors: '', hits: 1 },
        ],
      },
      warnings: [],
    } as never,
  );
});

test('a node that leads to an institution a second time fails discovery, and both ways are named', async (t) => {
  const lyon = { lyon: ['Acer', 'Acer'] };
  const eu = await serveNetwork(t, 'same', { ...lyon, oslo: ['Tilia'] });
  const deep = await serveNetwork(t, 'deep', {}, [node('fr', (await serveNetwork(t, 'same', lyon)).url)]);
  const us = await serveNetwork(t, 'us', { york: ['Acer'] });
  const { runQuery, network } = await openRoot(t, [
    node('eu', eu.url),
    node('world', deep.url),
    node('us', us.url),
  ]);
  const reason =
    '"LYON" would be reached twice, through node "eu" and through node "world": remove one of them';
  t.deepEqual(
    await runQuery('{ tree { hits(first: 0) { total partial nodes { nodeId state errors hits } } } }'),
    {
      hits: {
        total: 4,
        partial: true,
        nodes: [
          { nodeId: 'eu', state: 'ok', errors: '', hits: 3 },
          { nodeId: 'us', state: 'ok', errors: '', hits: 1 },
          { nodeId: 'world', state: 'discoveryFailed', errors: reason, hits: 0 },
        ],
      },
      warnings: [],
    } as never,
  );
  t.deepEqual(
    network
      .state()
      .nodes.map(({ nodeId, state, lastError, institutions }) => [nodeId, state, lastError, institutions]),
    [
      ['eu', 'ok', null, 2],
      ['world', 'discoveryFailed', reason, 1],
      ['us', 'ok', null, 1],
    ],
  );
  await network.reload(configOf([node('world', deep.url), node('us', us.url)]));
  t.like(await runQuery('{ tree { hits(first: 0) { total partial } } }'), {
    hits: { total: 3, partial: false },
  });
});

const keyOf = (letter: string): string => `${letter.repeat(43)}/tree`;

test('one server at several addresses is one institution, beside itself and inside a network', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('rome', ['Acer'])), keyOf('r'));
  t.teardown(rome.close);
  const other = rome.url.replace('127.0.0.1', 'localhost');
  const eu = await serveNetwork(t, 'eu', { oslo: ['Acer'] }, [node('roma', other)]);
  const { runQuery } = await openRoot(t, [node('rome', rome.url), node('again', other), node('eu', eu.url)]);
  const twice = (name: string, by: string) =>
    `"${name}" would be reached twice, through node "rome" and through node "${by}": remove one of them`;
  t.deepEqual(await runQuery('{ tree { hits(first: 0) { total nodes { nodeId state errors } } } }'), {
    hits: {
      total: 1,
      nodes: [
        { nodeId: 'again', state: 'discoveryFailed', errors: twice('AGAIN', 'again') },
        { nodeId: 'eu', state: 'discoveryFailed', errors: twice('ROMA', 'eu') },
        { nodeId: 'rome', state: 'ok', errors: '' },
      ],
    },
    warnings: [],
  } as never);
});

/** Two networks, each a node of the other: `there` has one record, and `here` is the one that is queried. */
const openCircle = async (t: ExecutionContext) => {
  let schema: GraphQLSchema = buildSchema('type Query { none: Int }');
  const here = await serveSchema(() => schema);
  t.teardown(here.close);
  const catalogue = catalogueOf('lyon', fields, searchOf(rows('lyon', ['Acer'])));
  const open = async (key: string, nodes: readonly object[]) => {
    const settings = { key: key.padEnd(43, '-'), readyWaitMs: 60_000 };
    const network = openReloaded(configOf(nodes), () => available(catalogue), settings);
    t.teardown(network.close);
    await network.ready;
    return network;
  };
  // without records of its own, so that no institution is reached twice
  const first = await open('here', [node('there', await deadUrl(), quickly)]);
  schema = first.ownSchema();
  const away = await open('there', [{ nodeId: 'lyon', catalogue: 'lyon' }, node('here', here.url)]);
  const there = await serveSchema(away.schema());
  t.teardown(there.close);
  await first.reload(configOf([node('there', there.url)]));
  schema = first.schema();
  return { first, there };
};

test('a network that is reached through itself is refused by the first server that meets it again', async (t) => {
  const { first, there } = await openCircle(t);
  const send = async (source: string) =>
    JSON.parse(JSON.stringify(await graphql({ schema: first.schema(), source, contextValue: contextOf() })));
  t.deepEqual(await send('{ tree { hits(first: 0) { total nodes { nodeId errors } } } }'), {
    data: {
      tree: {
        hits: {
          total: 1,
          nodes: [{ nodeId: 'there', errors: '1 of its 2 institutions did not answer' }],
        },
      },
    },
  });
  const asked = there.queries.length;
  // by the root field of the node, too
  const nodes = 'nodes { nodeId status }';
  t.deepEqual(await send(`{ there { tree { hits(first: 0) { total ${nodes} } } } }`), {
    data: {
      there: {
        tree: {
          hits: {
            total: 1,
            nodes: [
              { nodeId: 'here', status: 'ERROR' },
              { nodeId: 'lyon', status: 'OK' },
            ],
          },
        },
      },
    },
  });
  t.is(there.queries.length, asked);
});

test('the time that a query has left shrinks at every level, and servers passed are told in order', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('rome', ['Acer'])));
  t.teardown(rome.close);
  const eu = await serveNetwork(t, 'eu', {}, [node('rome', rome.url)]);
  const world = await serveNetwork(t, 'world', {}, [node('eu', eu.url)]);
  const { runQuery } = await openRoot(t, [node('world', world.url, { timeoutMs: 50_000 })]);
  await runQuery('{ tree { hits(first: 1) { total } } }');
  const left = [world, eu, rome].map(({ queries }) =>
    Number(queries.at(-1)!.headers['tributary-deadline-ms']),
  );
  t.true(left[0]! < 50_000 && left[1]! < left[0]! && left[2]! < left[1]! && left[2]! > 0, left.join());
  const passed = [world, eu, rome].map(({ queries }) => queries.at(-1)!.headers['tributary-path']);
  t.is(passed[1], `${passed[0]}, ${'world'.padEnd(43, '-')}`);
  t.is(passed[2], undefined);
});

test('a network is pending as a whole while one of its institutions is: it waits for all of them', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('rome', ['Acer'])));
  t.teardown(rome.close);
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'] }, [node('rome', rome.url)]);
  const us = await serveNetwork(t, 'us', { york: ['Acer', 'Tilia'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('us', us.url)]);
  rome.fault = ({ query }) => query.startsWith('query nodeQuery');
  t.deepEqual(
    await runQuery(
      '{ tree(waitFor: { share: 0.5, ms: 0 }) { hits(first: 0) { total partial nodes { nodeId state } } } }',
    ),
    {
      hits: {
        total: 2,
        partial: true,
        nodes: [
          { nodeId: 'eu', state: 'pending' },
          { nodeId: 'us', state: 'ok' },
        ],
      },
      warnings: [],
    } as never,
  );
  t.false([...eu.queries, ...us.queries].some(({ query }) => query.includes('waitFor')));
});

test('an institution that tells no key is not known again', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('rome', ['Acer', 'Acer', 'Tilia'])));
  t.teardown(rome.close);
  const eu = await serveNetwork(t, 'eu', {}, [node('rome', rome.url)]);
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('rome', rome.url)]);
  t.like(await runQuery('{ tree { hits(first: 0) { total partial } } }'), {
    hits: { total: 6, partial: false },
  });
});

test('a network is required as one node', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'], oslo: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  const requiring = (nodeId: string) =>
    runQuery(`{ tree(required: ["${nodeId}"], waitFor: { share: 0, ms: 0 }) { hits(first: 0) { total } } }`);
  t.deepEqual(await requiring('eu'), { hits: { total: 2 }, warnings: [] } as never);
  await t.throwsAsync(requiring('eu/lyon'), {
    message: 'required names "eu/lyon", which is not a node of this network',
  });
  eu.fault = ({ query }, response) => {
    if (query.includes('nodeQuery')) response.destroy();
    return query.includes('nodeQuery');
  };
  await t.throwsAsync(requiring('eu'), {
    message: /^node "eu" is required and failed: connection (closed|reset)$/,
  });
});
