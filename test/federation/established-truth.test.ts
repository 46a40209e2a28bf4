import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { EstablishedSetup } from './established/established-server.ts';
import { serveEstablishedServer } from './established/established-server.ts';
import { ask, testCatalogue, testNetwork } from '../builders.ts';

// the same documents at a node of ours and at an established one: both must give the same

const properties = {
  id: { type: 'keyword' },
  painter: { type: 'keyword' },
  note: { type: 'text' },
  listed: { type: 'boolean' },
  storeys: { type: 'integer' },
  bricks: { type: 'unsigned_long' },
  painted: { type: 'date' },
  layers: { type: 'nested', properties: { pigment: { type: 'keyword' }, coat: { type: 'integer' } } },
};

const documents: Readonly<Record<string, JsonObject>> = {
  k1: {
    id: 'm1',
    painter: 'Ana Rue',
    listed: true,
    storeys: 0,
    bricks: 7,
    painted: '2001-05-01',
    layers: [{ pigment: 'ochre' }],
  },
  k2: {
    id: 'm2',
    painter: 'Ben Ost',
    listed: false,
    storeys: 3,
    painted: '2001-05-01T13:00:00Z',
    layers: [{ pigment: 'ochre' }, { pigment: 'umber' }],
  },
  k3: { id: 'm3', painter: 'Ana Rue', storeys: 3, painted: '2004-02-29T00:00:00Z' },
  k4: { id: 'm4', storeys: 12, layers: [{ pigment: 'lapis' }] },
  k5: { id: 'm5', painter: 'Cy Lund', listed: false, storeys: 5 },
  k6: { id: 'm6', painter: 'Cy Lund', storeys: -2, note: 'a long wall' },
};

const manyMurals = Object.fromEntries(
  Array.from({ length: 20 }, (_, one) => [
    `n${one}`,
    { painter: `q${one}`, layers: [{ pigment: `p${one}` }] },
  ]),
);

interface Answer {
  readonly network: {
    readonly nodes: readonly { readonly state: string; readonly hits: number; readonly errors: string }[];
    readonly aggregations: Record<string, Record<string, unknown>>;
    readonly hits: {
      readonly edges: readonly { searchAfter: unknown; node: Record<string, unknown> }[];
    };
  };
}

const openBoth = async (t: ExecutionContext, setup: Partial<EstablishedSetup> = {}) => {
  const remote = await serveEstablishedServer({ documentType: 'mural', properties, documents, ...setup });
  const { maxDepth } = setup;
  const network = await testNetwork(t, [
    { nodeId: 'ours', catalogue: await testCatalogue({ documentType: 'mural', properties, documents }) },
    { nodeId: 'theirs', documentType: 'mural', remote, ...(maxDepth !== undefined && { maxDepth }) },
  ]);
  const warnings: string[] = [];
  const runQuery = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors, warnings: added } = await ask<Answer>(network, query, variables);
    warnings.push(...added);
    t.deepEqual(errors, undefined);
    return data.network;
  };
  return { runQuery, remote, warnings, network };
};

const each = ['ours', 'theirs'] as const;

const leafOf = (op: string, fieldName: string, value: unknown) => ({ op, content: { fieldName, value } });

const filters: Readonly<Record<string, object>> = {
  'a leaf alone': leafOf('in', 'painter', ['Ana Rue']),
  'zero in a list': leafOf('in', 'storeys', [0, 5]),
  'zero alone': leafOf('not-in', 'storeys', 0),
  'false in a list': leafOf('in', 'listed', [false]),
  'nothing but false': { op: 'not', content: [leafOf('in', 'listed', [false])] },
  'a number above zero': leafOf('gt', 'storeys', 0),
  'numbers below zero and above': leafOf('gte', 'storeys', [-1, 0]),
  'from a day on': leafOf('gte', 'painted', '2001-05-01'),
  'after a day': leafOf('gt', 'painted', '2001-05-01'),
  'up to a day': leafOf('lte', 'painted', '2001-05-01'),
  'before a day': leafOf('lt', 'painted', '2004-02-29'),
  'the later of two days': leafOf('gte', 'painted', ['2001-05-01', '2004-02-28']),
  'before a time': leafOf('lt', 'painted', '2001-05-01T13:00:00Z'),
  'between two days': leafOf('between', 'painted', ['2001-05-01', '2001-05-01']),
  'between one number': leafOf('between', 'storeys', [3]),
  'a pattern': { op: 'filter', content: { fieldNames: ['painter'], value: 'ana*' } },
  words: { op: 'search', content: { fieldNames: ['painter', 'layers.pigment', 'note'], value: 'ANA och' } },
  'a beginning': leafOf('starts-with', 'painter', ['Ana', 'Cy ']),
  'a nested value': leafOf('in', 'layers.pigment', ['ochre']),
  'one of two': { op: 'or', content: [leafOf('in', 'painter', ['Cy Lund']), leafOf('lte', 'storeys', [0])] },
  'neither a value nor none': leafOf('not-in', 'painter', ['Ana Rue', '__missing__']),
  'no nested value of some, patterns among them': leafOf('some-not-in', 'layers.pigment', ['umber', 'la*']),
  'no nested object': leafOf('in', 'layers', ['__missing__']),
  'some nested object': leafOf('not-in', 'layers', ['__missing__']),
  'its own id': leafOf('in', 'id', ['m2', 'm5', 'k1']),
  'all but some ids': leafOf('not-in', 'id', ['m2', 'm5']),
  'its document key': leafOf('in', '_id', ['k2', 'm5']),
};

for (const [what, filter] of Object.entries(filters))
  test.serial(`an established node finds and counts what ours does: ${what}`, async (t) => {
    const { runQuery } = await openBoth(t);
    const query = `query ($f: JSON, $n: [String]) { network(filters: $f, nodesFilter: $n) {
      nodes { state hits errors }
      aggregations { painter { buckets { key doc_count } } storeys { stats { count min max } } layers__pigment { buckets { key doc_count } } }
      hits(sort: [{ fieldName: "id" }]) { total edges { node { id painter } } } } }`;
    const [ours, theirs] = await Promise.all(each.map((one) => runQuery(query, { f: filter, n: [one] })));
    t.like(theirs!.nodes[1], { state: 'ok', errors: '' });
    t.deepEqual([theirs!.hits, theirs!.aggregations], [ours!.hits, ours!.aggregations]);
    t.is(theirs!.nodes[1]!.hits, ours!.nodes[0]!.hits);
  });

test.serial(
  'values that contain a text are found among all of an established node, and it says so',
  async (t) => {
    const { runQuery, remote, warnings } = await openBoth(t);
    const query = `query ($n: [String]) { network(nodesFilter: $n) { aggregations {
    painter { bucket_count bucket_count_exact buckets(max: 1, matching: "N") { key doc_count exact } }
    layers__pigment { buckets(matching: "OCH") { key doc_count exact } } } } }`;
    const ours = await runQuery(query, { n: ['ours'] });
    t.deepEqual(warnings, []);
    const theirs = await runQuery(query, { n: ['theirs'] });
    t.deepEqual(theirs.aggregations, ours.aggregations);
    t.deepEqual(theirs.aggregations, {
      painter: {
        bucket_count: 3,
        bucket_count_exact: true,
        buckets: [{ key: 'Ana Rue', doc_count: 2, exact: true }],
      },
      layers__pigment: { buckets: [{ key: 'ochre', doc_count: 2, exact: true }] },
    });
    t.notRegex(remote.queries.at(-1)!.query, /matching|max/);
    const all = 'cannot filter values by a text: all of its values are requested';
    t.deepEqual(warnings, [`node "theirs" ${all} of "painter"`, `node "theirs" ${all} of "layers.pigment"`]);
  },
);

test.serial('an established node gives dates by the calendar by histograms', async (t) => {
  const { runQuery, warnings } = await openBoth(t);
  const dates = (interval: string, zone: string) =>
    `date_histogram(interval: "${interval}", timeZone: "${zone}") { buckets { key key_as_string doc_count } }`;
  const facets = [
    ...['year', 'quarter', 'month', 'week', 'day'].map(
      (one) => `painted { ${dates(one, 'UTC')} coverage { state } }`,
    ),
    ...['Europe/Paris', 'America/New_York'].map(
      (zone) => `painted { ${dates('day', zone)} coverage { state } }`,
    ),
    `painted { ${dates('month', '+05:30')} stats { count } coverage { state } }`,
  ];
  for (const facet of facets) {
    const query = `query ($n: [String], $f: JSON) { network(nodesFilter: $n, filters: $f) { nodes { state uncoveredFields } aggregations { ${facet} } } }`;
    for (const f of [
      null,
      leafOf('gte', 'painted', '2001-05-01T13:00:00Z'),
      leafOf('in', 'painter', 'nobody'),
    ]) {
      const [ours, theirs] = await Promise.all(each.map((node) => runQuery(query, { n: [node], f })));
      const covered = (answer: typeof ours) =>
        JSON.stringify(answer!.aggregations).replaceAll('excluded', 'answered');
      t.is(covered(theirs), covered(ours), `${facet} ${JSON.stringify(f)}`);
      t.like(
        theirs!.nodes.find(({ state }) => state === 'ok'),
        { uncoveredFields: [] },
      );
    }
    const both = await runQuery(query, { n: [] });
    t.false(JSON.stringify(both.aggregations).includes('notCovered'), facet);
  }
  t.deepEqual(warnings, []);
});

test.serial('percentiles stay uncovered, and what histograms cannot give, with the reason', async (t) => {
  const far = { k7: { id: 'm7', bricks: 9, storeys: 3, painted: '1880-01-01T18:40:00Z' } };
  const { runQuery } = await openBoth(t, { documents: far });
  const { aggregations } = await runQuery(`{ network { aggregations {
    storeys { percentiles(percents: [50]) { value } coverage { nodeId state } }
    bricks { percentiles(percents: [50]) { value } coverage { nodeId state } }
    painted { date_histogram(interval: "day", timeZone: "Asia/Kolkata") { buckets { doc_count } } coverage { nodeId state reason } } } } }`);
  const theirs = (path: string) =>
    (aggregations[path]!['coverage'] as { nodeId: string; state: string; reason?: string }[]).find(
      ({ nodeId }) => nodeId === 'theirs',
    );
  t.like(theirs('storeys'), { state: 'notCovered' });
  t.like(theirs('bricks'), { state: 'notCovered' });
  t.like(theirs('painted'), { state: 'notCovered' });
  t.regex(theirs('painted')!.reason ?? '', /counts dates by 0.5 hours, which do not fit/);
});

test.serial(
  'an established node is queried for words and beginnings by patterns, and the answer says so',
  async (t) => {
    const { runQuery, remote, warnings } = await openBoth(t);
    const query = 'query ($f: JSON) { network(filters: $f, nodesFilter: ["theirs"]) { total } }';
    const search = { op: 'search', content: { fieldNames: ['painter'], value: 'cy lund' } };
    await runQuery(query, { f: { op: 'or', content: [search, leafOf('starts-with', 'painter', 'B')] } });
    const word = (value: string) => ({ op: 'wildcard', content: { fieldNames: ['painter'], value } });
    t.deepEqual(remote.queries.at(-1)?.variables['filters'], {
      op: 'or',
      content: [{ op: 'and', content: [word('*cy*'), word('*lund*')] }, leafOf('in', 'painter', ['B*'])],
    });
    t.deepEqual(warnings, [
      'node "theirs": this node does not know the operator search: it matches words as patterns, also inside other words, and distinguishes accents',
      'node "theirs": this node does not know the operator starts-with: it matches values as patterns, in which a star stands for any characters',
    ]);
  },
);

test.serial('null for the cardinality beside buckets costs nothing, and a whole list tells it', async (t) => {
  const { runQuery } = await openBoth(t);
  const query = `query ($n: [String]) { network(nodesFilter: $n) { nodes { state } aggregations { layers__pigment {
    cardinality cardinality_bounds { lower upper exact } buckets { key doc_count } } } } }`;
  const { nodes, aggregations } = await runQuery(query, { n: [] });
  t.deepEqual(nodes, [{ state: 'ok' }, { state: 'ok' }] as never);
  t.like(aggregations['layers__pigment'], {
    cardinality: 3,
    cardinality_bounds: { lower: 3, upper: 3, exact: true },
  });
});

test.serial('a cut list without a cardinality leaves it unbounded from above', async (t) => {
  const { runQuery } = await openBoth(t, { documents: manyMurals });
  const query = `query ($n: [String]) { network(nodesFilter: $n) { nodes { state } aggregations { layers__pigment {
    cardinality cardinality_bounds { lower upper exact } buckets(max: 1) { key top_hits } } } } }`;
  const { nodes, aggregations } = await runQuery(query, { n: ['theirs'] });
  t.is(nodes[1]!.state, 'ok');
  t.like(aggregations['layers__pigment'], {
    cardinality: null,
    cardinality_bounds: { lower: 12, upper: null, exact: false },
  });
});

test.serial("cardinality over nodes is a number where it is exact, or one node's own", async (t) => {
  const { runQuery } = await openBoth(t, { documents: manyMurals });
  const query = (more: string) => `query ($n: [String]) { network(nodesFilter: $n) { aggregations { painter {
    cardinality cardinality_bounds { lower upper exact } ${more} } } } }`;
  t.deepEqual((await runQuery(query(''), { n: [] })).aggregations['painter'], {
    cardinality: 23,
    cardinality_bounds: { lower: 23, upper: 23, exact: true },
  });
  // a list of counts is made longer to tell it
  t.like((await runQuery(query('buckets(max: 1) { key }'), { n: [] })).aggregations['painter'], {
    cardinality: 23,
    cardinality_bounds: { lower: 23, upper: 23, exact: true },
  });
  // a list that is cut tells no more than the numbers do
  const cut = query('buckets(max: 1) { key top_hits }');
  t.like((await runQuery(cut, { n: [] })).aggregations['painter'], {
    cardinality: null,
    cardinality_bounds: { lower: 19, upper: 24, exact: false },
  });
  t.like((await runQuery(cut, { n: ['theirs'] })).aggregations['painter'], {
    cardinality: 20,
    cardinality_bounds: { lower: 19, upper: 21, exact: false },
  });
  t.like((await runQuery(cut, { n: ['ours'] })).aggregations['painter'], { cardinality: 3 });
});

test.serial('of more values than are listed for it, the cardinality is null', async (t) => {
  const documents = Object.fromEntries(
    Array.from({ length: 1_600 }, (_, one) => [`k${one}`, { painter: `p${one}` }]),
  );
  const { runQuery } = await openBoth(t, { documents });
  const query = '{ network { aggregations { painter { cardinality cardinality_bounds { lower upper } } } } }';
  t.deepEqual((await runQuery(query)).aggregations['painter'], {
    cardinality: null,
    // an established node's number is approximate
    cardinality_bounds: { lower: 1_584, upper: 1_619 },
  });
});

const page = `query ($n: [String], $sort: [Sort], $after: JSON) { network(nodesFilter: $n) { nodes { state errors }
  hits(first: 1, sort: $sort, searchAfter: $after) { edges { searchAfter node { id } } } } }`;

/** Every row by cursor, one a page; stops where the node does not go on. */
const walk = async (
  runQuery: (query: string, variables: object) => Promise<Answer['network']>,
  n: string,
  sort: object,
) => {
  const ids: unknown[] = [];
  let after: unknown = null;
  for (let pages = 0; pages < 20; pages += 1) {
    const { nodes, hits } = await runQuery(page, { n: [n], sort: [sort], after });
    const failed = nodes.find(({ state }) => state !== 'ok' && state !== 'excluded');
    if (failed) return [...ids, failed.errors];
    const [edge] = hits.edges;
    if (!edge) return ids;
    ids.push(edge.node['id']);
    if (edge.searchAfter === null) return [...ids, 'no cursor'];
    after = edge.searchAfter;
  }
  return [...ids, 'without end'];
};

for (const engine of ['opensearch', 'elasticsearch7'] as const)
  for (const fieldName of ['painted', 'bricks', 'painter', 'id'])
    for (const order of ['asc', 'desc'])
      for (const missing of ['first', 'last'])
        test.serial(
          `pages go on among rows without a value: ${engine}, ${fieldName} ${order}, missing ${missing}`,
          async (t) => {
            const { runQuery } = await openBoth(t, { engine });
            const sort = { fieldName, order, missing };
            const ours = await walk(runQuery as never, 'ours', sort);
            t.deepEqual(await walk(runQuery as never, 'theirs', sort), ours);
            t.is(ours.length, 6);
          },
        );

test.serial('one error that passes does not take the cursors of a node for good', async (t) => {
  const { runQuery, remote, warnings } = await openBoth(t);
  remote.failures.push(
    'search_phase_execution_exception: [rejected_execution_exception] Reason: queue is full',
  );
  const sort = [{ fieldName: 'storeys' }];
  await runQuery(page, { n: ['theirs'], sort });
  const { hits } = await runQuery(page, { n: ['theirs'], sort });
  t.not(hits.edges[0]!.searchAfter, null);
  warnings.length = 0;
  await runQuery(page, { n: ['theirs'], sort });
  t.deepEqual(warnings, []);
});

test.serial(
  'a node that does not sort by _id is known from then on, with a warning only where a page is requested',
  async (t) => {
    const { runQuery, remote, warnings } = await openBoth(t, { sortsById: false });
    const sort = [{ fieldName: 'storeys' }];
    const { nodes, hits } = await runQuery(page, { n: ['theirs'], sort });
    t.is(nodes[1]!.state, 'ok');
    t.deepEqual(hits.edges, [{ searchAfter: null, node: { id: 'm6' } }]);
    t.deepEqual(warnings, ['node "theirs": returns no cursors: it cannot sort by _id']);
    const requested = remote.queries.length;
    warnings.length = 0;
    for (const question of [
      'total',
      'hits { total }',
      'hits(first: 0) { total edges { searchAfter } }',
      'aggregations { painter { buckets { key } } }',
    ])
      await runQuery(`{ network { ${question} } }`);
    t.deepEqual(warnings, []);
    await runQuery(page, { n: ['theirs'], sort });
    t.is(remote.queries.length, requested + 5, 'it is not tried again');
  },
);

test.serial(
  'where the mapping has no id, the document key that is shown as one is filtered and sorted by',
  async (t) => {
    const withoutId = <Value>(of: Readonly<Record<string, Value>>) =>
      Object.fromEntries(Object.entries(of).filter(([name]) => name !== 'id'));
    const unnamed = Object.fromEntries(
      Object.entries(documents).map(([key, document]) => [key, withoutId(document)]),
    );
    const { runQuery } = await openBoth(t, {
      properties: withoutId(properties),
      documents: unnamed as never,
    });
    const query = `query ($f: JSON) { network(filters: $f, nodesFilter: ["theirs"]) { nodes { state errors }
    hits(sort: [{ fieldName: "id", order: desc }]) { edges { node { id } } } } }`;
    const { nodes, hits } = await runQuery(query, { f: leafOf('in', 'id', ['k2', 'k5', 'm1']) });
    t.like(nodes[1], { state: 'ok', errors: '' });
    t.deepEqual(hits.edges, [{ node: { id: 'k5' } }, { node: { id: 'k2' } }] as never);
  },
);

test.serial(
  'a number that its schema cannot show is null with a warning, and costs neither row nor node',
  async (t) => {
    const big = { b1: { id: 'b1', bricks: 5 }, b2: { id: 'b2', bricks: 3_000_000_000 } };
    const { runQuery, warnings } = await openBoth(t, { documents: big });
    const query = `{ network(nodesFilter: ["theirs"]) { nodes { state errors }
    hits(sort: [{ fieldName: "id" }]) { total edges { node { id bricks } } } } }`;
    const { nodes, hits } = await runQuery(query);
    t.like(nodes[1], { state: 'ok', errors: '' });
    t.deepEqual(hits.edges, [
      { node: { id: 'b1', bricks: 5 } },
      { node: { id: 'b2', bricks: null } },
    ] as never);
    t.deepEqual(warnings, [
      'node "theirs": "bricks" is null in some hits: this node cannot show their values in its type of the field',
    ]);
  },
);

const nestedPage = `query ($n: [String]) { network(nodesFilter: $n) { nodes { state errors }
  hits(sort: [{ fieldName: "id" }]) { edges { node { id painter layers__pigment layers__coat } } } } }`;

test.serial(
  'nested values of an established node come as those of ours, to the depth that it allows',
  async (t) => {
    const { runQuery, warnings } = await openBoth(t, { maxDepth: 9 });
    const [ours, theirs] = await Promise.all(each.map((one) => runQuery(nestedPage, { n: [one] })));
    t.like(theirs!.nodes[1], { state: 'ok', errors: '' });
    t.deepEqual(theirs!.hits, ours!.hits);
    t.deepEqual(theirs!.hits.edges[1]!.node, {
      id: 'm2',
      painter: 'Ben Ost',
      layers__pigment: ['ochre', 'umber'],
      layers__coat: null,
    });
    t.deepEqual(warnings, []);
  },
);

test.serial('below that depth they are null, and the answer says how deep they are', async (t) => {
  const { runQuery, warnings } = await openBoth(t, { maxDepth: 8 });
  const { nodes, hits } = await runQuery(nestedPage, { n: ['theirs'] });
  t.like(nodes[1], { state: 'ok', errors: '' });
  t.deepEqual(hits.edges[1]!.node, {
    id: 'm2',
    painter: 'Ben Ost',
    layers__pigment: null,
    layers__coat: null,
  });
  t.deepEqual(
    warnings,
    ['layers.pigment', 'layers.coat'].map(
      (path) =>
        `node "theirs": "${path}" is null: it takes a query of 9 levels, and this node accepts 8 at most: set its maxDepth where it allows more, or let it offer _source(paths:) on hits`,
    ),
  );
});
