import test from 'ava';
import { graphql } from 'graphql';
import { openNetwork } from '../../src/federation/network.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import type { CatalogueState } from '../../src/search/catalogue.ts';
import { contextOf } from './node-fixtures.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { catalogueOf, serveCatalogue, serveSchema, type Fault, type RemoteServer } from './remote-server.ts';
import type { ExecutionContext } from 'ava';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const rows = (prefix: string, genera: readonly string[]) =>
  genera.map((genus, index) => ({ id: `${prefix}${index}`, genus }));

/** A network of local catalogues and other nodes, served. */
const serveNetwork = async (
  t: ExecutionContext,
  key: string,
  catalogues: Readonly<Record<string, readonly string[]>>,
  others: readonly object[] = [],
) => {
  const states = new Map(
    Object.entries(catalogues).map(([id, genera]): [string, CatalogueState] => {
      const catalogue = catalogueOf(id, fields, searchOf(rows(id, genera)));
      return [id, { status: 'available', config: catalogue.config, catalogue }];
    }),
  );
  const nodes = Object.keys(catalogues).map((nodeId) => ({
    nodeId,
    displayName: nodeId.toUpperCase(),
    catalogue: nodeId,
  }));
  const network = openNetwork(
    readNodes({ network: { documentType: 'tree' }, nodes: [...nodes, ...others] }, 'nodes.json'),
    (id) => states.get(id),
    { key: key.padEnd(43, '-') },
  );
  t.teardown(network.close);
  await network.ready;
  const served = await serveSchema(network.ownSchema());
  t.teardown(served.close);
  return served;
};

const openRoot = async (t: ExecutionContext, nodes: readonly object[]) => {
  const config = readNodes(
    { network: { documentType: 'tree', fields: { genus: 'keyword' } }, nodes },
    'nodes.json',
  );
  const network = openNetwork(config, () => undefined, { readyWaitMs: 60_000 });
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

test('nodes of a network are named by paths: in states, keys of hits, filters and nodesFilter', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer', 'Tilia'], oslo: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  const answer = await runQuery(
    '{ tree { hits(first: 9, sort: [{ fieldName: "id" }]) { total nodes { nodeId name hits } edges { nodeId _key node { id } } } } }',
  );
  t.deepEqual(answer, {
    hits: {
      total: 3,
      nodes: [
        { nodeId: 'eu/lyon', name: 'EU / LYON', hits: 2 },
        { nodeId: 'eu/oslo', name: 'EU / OSLO', hits: 1 },
      ],
      edges: [
        { nodeId: 'eu/lyon', _key: 'eu%2Flyon/lyon0', node: { id: 'lyon0' } },
        { nodeId: 'eu/lyon', _key: 'eu%2Flyon/lyon1', node: { id: 'lyon1' } },
        { nodeId: 'eu/oslo', _key: 'eu%2Foslo/oslo0', node: { id: 'oslo0' } },
      ],
    },
    warnings: [],
  } as never);
  const filters = {
    op: 'in',
    content: { fieldName: '_key', value: ['eu%2Flyon/lyon1', 'eu%2Foslo/lyon0', 'eu/lyon0'] },
  };
  const found =
    'query ($filters: JSON) { tree { hits(filters: $filters, first: 9) { total edges { _key } } } }';
  t.deepEqual(await runQuery(found, { filters }), {
    hits: { total: 1, edges: [{ _key: 'eu%2Flyon/lyon1' }] },
    warnings: [],
  } as never);
  t.deepEqual(
    await runQuery('{ tree(nodesFilter: ["eu/oslo"]) { hits(first: 0) { total nodes { nodeId state } } } }'),
    {
      hits: {
        total: 1,
        nodes: [
          { nodeId: 'eu/lyon', state: 'excluded' },
          { nodeId: 'eu/oslo', state: 'ok' },
        ],
      },
      warnings: [],
    } as never,
  );
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

test('what a network lists of all values bounds no list of those that match a text', async (t) => {
  const listed = Array.from({ length: 20 }, (_, at) => [`g${at}`, `g${at}`]).flat();
  const eu = await serveNetwork(t, 'eu', { lyon: [...listed, 'gx'] });
  const na = await serveNetwork(t, 'na', { york: ['gx', 'gx', 'gx'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('na', na.url)]);
  const found = 'found: buckets(max: 1, matching: "g") { key doc_count upper_bound exact }';
  const boundBeside = async (others: string) => {
    const { aggregations } = await runQuery(`{ tree { aggregations { genus { ${others} ${found} } } } }`);
    return (aggregations as { genus: { found: unknown } }).genus.found;
  };
  const first = { key: 'gx', doc_count: 3, exact: false };
  t.deepEqual(await boundBeside(''), [{ ...first, upper_bound: 5 }]);
  t.deepEqual(await boundBeside('buckets { key }'), [{ ...first, upper_bound: null }]);
  t.deepEqual(await boundBeside('ones: buckets(matching: "1") { key }'), [{ ...first, upper_bound: null }]);
});

/** A part of each question that a server was sent, by a group. */
const partsRequested = ({ queries }: RemoteServer, part: RegExp): readonly (string | undefined)[] =>
  queries.map(({ query }) => part.exec(query)?.[1]);

test('a network is queried for the coverage that is shown, and for no other', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'], oslo: ['Tilia'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url)]);
  const requested = () => partsRequested(eu, /(aggregations\(.*)/);
  const facet = (more: string) =>
    `{ tree { aggregations { genus { buckets { key } ${more} } id { bucket_count } } } }`;
  await runQuery(facet(''));
  t.false(requested()[0]?.includes('coverage'));
  t.like((await runQuery(facet('coverage { nodeId docs }')))['aggregations'], {
    genus: {
      coverage: [
        { nodeId: 'eu/lyon', docs: 1 },
        { nodeId: 'eu/oslo', docs: 1 },
      ],
    },
  });
  t.is(requested()[1]?.split('coverage').length, 2);
});

test('a network is queried for what is shown of its nodes, and for what is needed', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'] });
  const { network } = await openRoot(t, [node('eu', eu.url)]);
  const runQuery = async (selected: string): Promise<unknown> => {
    const source = `{ network { ${selected} } }`;
    const { data, errors } = await graphql({ schema: network.schema(), source, contextValue: contextOf([]) });
    if (errors) throw errors[0]!;
    return JSON.parse(JSON.stringify(data?.['network']));
  };
  await runQuery('total');
  t.deepEqual(await runQuery('nodes { nodeId upper_bound code } more: nodes { uncoveredFields }'), {
    nodes: [{ nodeId: 'eu/lyon', upper_bound: 1, code: null }],
    more: [{ uncoveredFields: [] }],
  });
  await runQuery('aggregations { genus { coverage { nodeId } } }');
  t.deepEqual(partsRequested(eu, / nodes { ([^}]*) }/), [
    'nodeId name hits withheld status errors state key',
    'nodeId name hits upper_bound withheld status errors state code uncoveredFields key',
    'nodeId name hits upper_bound withheld disclosure status errors state code took uncoveredFields key',
  ]);
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

test('each node is shown of a network where none answers', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'] });
  const us = await serveNetwork(t, 'us', { york: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('us', us.url)]);
  const silent: Fault = ({ query }, response) => {
    if (!query.startsWith('query nodeQuery')) return false;
    const nodes = [{ nodeId: 'lyon', state: 'timeout', reason: 'did not answer\n<b>in time' }];
    response.end(
      JSON.stringify({
        data: null,
        errors: [{ message: 'x', extensions: { code: 'ENGINE_UNAVAILABLE', details: { nodes } } }],
      }),
    );
    return true;
  };
  eu.fault = silent;
  t.deepEqual(
    await runQuery('{ tree { hits(first: 0) { total partial nodes { nodeId state errors hits } } } }'),
    {
      hits: {
        total: 1,
        partial: true,
        nodes: [
          { nodeId: 'eu/lyon', state: 'timeout', errors: 'did not answer bin time', hits: 0 },
          { nodeId: 'us/york', state: 'ok', errors: '', hits: 1 },
        ],
      },
      warnings: [],
    } as never,
  );
});

test('a catalogue under two networks is queried once, through the other when the first fails, with a notice', async (t) => {
  const lyon = { lyon: ['Acer', 'Acer'] };
  const eu = await serveNetwork(t, 'same', { ...lyon, oslo: ['Tilia'] });
  const fr = await serveNetwork(t, 'same', { ...lyon, nice: ['Acer'] });
  const { runQuery, network } = await openRoot(t, [node('eu', eu.url), node('fr', fr.url)]);
  const requested = '{ tree { hits(first: 0) { total nodes { nodeId state errors hits } } } }';
  t.deepEqual(await runQuery(requested), {
    hits: {
      total: 4,
      nodes: [
        { nodeId: 'eu/lyon', state: 'ok', errors: '', hits: 2 },
        { nodeId: 'eu/oslo', state: 'ok', errors: '', hits: 1 },
        {
          nodeId: 'fr/lyon',
          state: 'excluded',
          errors: 'left out: it is already queried as "eu/lyon"',
          hits: null,
        },
        { nodeId: 'fr/nice', state: 'ok', errors: '', hits: 1 },
      ],
    },
    warnings: [],
  } as never);
  t.deepEqual(network.state().warnings, [
    '"fr/lyon" is the same catalogue as "eu/lyon": it is left out of answers',
  ]);
  eu.fault = ({ query }, response) => {
    if (!query.startsWith('query nodeQuery')) return false;
    response.writeHead(500).end();
    return true;
  };
  t.like(await runQuery(requested), { hits: { total: 3 } });
});

test('a catalogue is left out only where it is queried elsewhere', async (t) => {
  const lyon = { lyon: ['Acer', 'Acer'] };
  const eu = await serveNetwork(t, 'same', { ...lyon, oslo: ['Tilia'] });
  const fr = await serveNetwork(t, 'same', { ...lyon, nice: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('fr', fr.url)]);
  for (const [filter, total] of [
    ['["fr"]', 3],
    ['["fr/lyon"]', 2],
    ['["fr/lyon", "eu/oslo"]', 3],
    ['["fr/lyon", "eu/lyon"]', 2],
    ['["fr", "eu"]', 4],
  ])
    t.like(
      await runQuery(`{ tree(nodesFilter: ${filter}) { hits(first: 0) { total } } }`),
      { hits: { total } },
      `${filter}`,
    );
});

test('a network all of whose nodes are left out adds nothing', async (t) => {
  const lyon = { lyon: ['Acer'] };
  const [eu, fr] = [await serveNetwork(t, 'same', lyon), await serveNetwork(t, 'same', lyon)];
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('fr', fr.url)]);
  const hits = 'hits(first: 0) { total exact partial nodes { nodeId state } }';
  const facet = 'aggregations { genus { bucket_count_exact buckets { key doc_count exact } } }';
  t.deepEqual(await runQuery(`{ tree { ${hits} ${facet} } }`), {
    hits: {
      total: 1,
      exact: true,
      partial: false,
      nodes: [
        { nodeId: 'eu/lyon', state: 'ok' },
        { nodeId: 'fr/lyon', state: 'excluded' },
      ],
    },
    aggregations: {
      genus: { bucket_count_exact: true, buckets: [{ key: 'Acer', doc_count: 1, exact: true }] },
    },
    warnings: [],
  } as never);
});

test('nodes that tell no key stay in the answers of a network of which another is left out', async (t) => {
  const rome = await serveCatalogue('tree', fields, searchOf(rows('rome', ['Acer', 'Acer', 'Tilia'])));
  t.teardown(rome.close);
  const eu = await serveNetwork(t, 'same', { lyon: ['Acer'] });
  const world = await serveNetwork(t, 'same', { lyon: ['Acer'] }, [node('rome', rome.url)]);
  const { runQuery } = await openRoot(t, [node('eu', eu.url), node('world', world.url)]);
  const requested = '{ tree { hits(first: 0) { total nodes { nodeId state } } } }';
  const whole = {
    hits: {
      total: 4,
      nodes: [
        { nodeId: 'eu/lyon', state: 'ok' },
        { nodeId: 'world/lyon', state: 'excluded' },
        { nodeId: 'world/rome', state: 'ok' },
      ],
    },
    warnings: [],
  };
  for (const time of ['first', 'second']) t.deepEqual(await runQuery(requested), whole as never, time);
});

test('a node of a network is required by its path', async (t) => {
  const eu = await serveNetwork(t, 'eu', { lyon: ['Acer'], oslo: ['Acer'] });
  const { runQuery } = await openRoot(t, [node('eu', eu.url), { nodeId: 'away', catalogue: 'away' }]);
  const requiring = (paths: string, more = '') =>
    runQuery(`{ tree(required: ${paths}${more}) { hits(first: 0) { total } } }`);
  const whole = { hits: { total: 2 }, warnings: [] } as never;
  t.deepEqual(await requiring('["eu/lyon"]'), whole);
  t.deepEqual(await requiring('["eu", "eu/oslo"]', ', waitFor: { share: 0, ms: 0 }'), whole);
  for (const unknown of ['eu/rome', 'asia', 'asia/lyon'])
    await t.throwsAsync(requiring(`["${unknown}"]`), {
      message: `required names "${unknown}", which is not a node of this network`,
    });
  await t.throwsAsync(requiring('["away/lyon"]'), { message: /^node "away" is required and failed/ });
  eu.fault = ({ query }, response) => {
    if (!query.includes('nodeQuery')) return false;
    const failed = {
      hits: 0,
      status: 'ERROR',
      state: 'timeout',
      code: 'NODE_TIMEOUT',
      errors: 'timed out',
      took: 1,
    };
    const lyon = { nodeId: 'lyon', name: 'Lyon', uncoveredFields: [], ...failed };
    const oslo = {
      nodeId: 'oslo',
      name: 'Oslo',
      uncoveredFields: [],
      hits: 1,
      status: 'OK',
      state: 'ok',
      errors: '',
      took: 1,
    };
    const hits = { total: 1, partial: true, nodes: [lyon, oslo] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { tree: { hits } } }));
    return true;
  };
  await t.throwsAsync(requiring('["eu/lyon"]'), {
    message: 'node "eu/lyon" is required and failed: timed out',
  });
  t.deepEqual(await requiring('["eu/oslo"]'), { hits: { total: 1 }, warnings: [] } as never);
  eu.fault = ({ query }, response) => {
    if (query.includes('nodeQuery')) response.destroy();
    return query.includes('nodeQuery');
  };
  await t.throwsAsync(requiring('["eu/lyon"]'), {
    message: 'node "eu" is required and failed: connection closed',
  });
});
