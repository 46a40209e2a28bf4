import test from 'ava';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { openTrees } from './trees.ts';

test('merges buckets, stats, nodes and totals of local, remote and dead nodes in one request a node', async (t) => {
  const { send, remote } = await openTrees(t);
  const { data, errors } = await send(`{ network {
    total partial
    nodes { nodeId name hits status errors state code uncoveredFields }
    aggregations {
      genus { bucket_count bucket_count_exact buckets { key doc_count exact nodes { nodeId doc_count } } coverage { nodeId state docs } }
      height { stats { count min max sum avg } histogram(interval: 10) { buckets { key doc_count } } range(ranges: [{to: 10}, {from: 10}]) { buckets { key doc_count } } }
      planted { stats { count } coverage { nodeId state } }
    }
  } }`);
  t.is(errors, undefined);
  t.deepEqual(data?.network, {
    total: 6,
    partial: true,
    nodes: [
      {
        nodeId: 'city',
        name: 'City',
        hits: 2,
        status: 'OK',
        errors: '',
        state: 'ok',
        code: null,
        uncoveredFields: ['planted'],
      },
      {
        nodeId: 'gone',
        name: 'Gone',
        hits: 0,
        status: 'ERROR',
        errors: 'discovery failed: connection refused',
        state: 'discoveryFailed',
        code: 'NODE_DISCOVERY_FAILED',
        uncoveredFields: [],
      },
      {
        nodeId: 'park',
        name: 'Park',
        hits: 4,
        status: 'OK',
        errors: '',
        state: 'ok',
        code: null,
        uncoveredFields: [],
      },
    ],
    aggregations: {
      genus: {
        bucket_count: 3,
        bucket_count_exact: true,
        buckets: [
          {
            key: 'Acer',
            doc_count: 3,
            exact: true,
            nodes: [
              { nodeId: 'city', doc_count: 1 },
              { nodeId: 'park', doc_count: 2 },
            ],
          },
          {
            key: 'Tilia',
            doc_count: 2,
            exact: true,
            nodes: [
              { nodeId: 'city', doc_count: 1 },
              { nodeId: 'park', doc_count: 1 },
            ],
          },
          { key: '__missing__', doc_count: 1, exact: true, nodes: [{ nodeId: 'park', doc_count: 1 }] },
        ],
        coverage: [
          { nodeId: 'city', state: 'answered', docs: 2 },
          { nodeId: 'gone', state: 'failed', docs: null },
          { nodeId: 'park', state: 'answered', docs: 4 },
        ],
      },
      height: {
        stats: { count: 6, min: 3, max: 30, sum: 82.5, avg: 13.75 },
        histogram: {
          buckets: [
            { key: '0', doc_count: 3 },
            { key: '10', doc_count: 1 },
            { key: '20', doc_count: 1 },
            { key: '30', doc_count: 1 },
          ],
        },
        range: {
          buckets: [
            { key: '*-10.0', doc_count: 3 },
            { key: '10.0-*', doc_count: 3 },
          ],
        },
      },
      planted: {
        stats: { count: 1 },
        coverage: [
          { nodeId: 'city', state: 'notCovered' },
          { nodeId: 'gone', state: 'failed' },
          { nodeId: 'park', state: 'answered' },
        ],
      },
    },
  });
  t.is(remote.queries.length, 1);
});

test('pages hits of all nodes by cursor, in the names and values of the network', async (t) => {
  const { send } = await openTrees(t);
  const page = `query($after: JSON) { network(nodesFilter: ["park", "city"]) { partial hits(first: 4, sort: [{fieldName: "height", order: desc}], searchAfter: $after) {
    total edges { searchAfter nodeId node { id genus height planted } } } } }`;
  type Page = {
    partial: boolean;
    hits: { total: number; edges: { searchAfter: unknown; nodeId: string; node: object }[] };
  };
  const first = (await send(page)).data?.network as unknown as Page;
  const after = first.hits.edges.at(-1)!.searchAfter;
  const second = (await send(page, { after })).data?.network as unknown as Page;
  t.is(first.partial, false);
  t.is(first.hits.total, 6);
  t.deepEqual(
    [...first.hits.edges, ...second.hits.edges].map(({ nodeId, node }) => ({ nodeId, ...node })),
    [
      { nodeId: 'city', id: 'c2', genus: 'Tilia', height: 30, planted: null },
      { nodeId: 'park', id: 'p3', genus: 'Tilia', height: 21, planted: null },
      { nodeId: 'park', id: 'p1', genus: 'Acer', height: 12, planted: '2001-01-01' },
      { nodeId: 'city', id: 'c1', genus: 'Acer', height: 9.5, planted: null },
      { nodeId: 'park', id: 'p2', genus: 'Acer', height: 7, planted: null },
      { nodeId: 'park', id: 'p4', genus: null, height: 3, planted: null },
    ],
  );
  const both = await send(page.replace('first: 4', 'first: 4, offset: 2'), { after });
  t.regex(both.errors![0]!.message, /searchAfter cannot be combined with offset 2/);
  for (const [own, other] of [
    ['["park", "city"]', '["city"]'],
    ['order: desc', 'order: asc'],
  ] as const) {
    const { errors } = await send(page.replace(own, other), { after });
    t.regex(errors?.[0]?.message ?? '', /made for other nodes or another sort/, other);
  }
});

test('a page that a node cannot continue, as its index was replaced, is refused instead of mixing rows', async (t) => {
  const { send, remote } = await openTrees(t);
  const page = `query($after: JSON) { network(nodesFilter: ["park", "city"]) { hits(first: 4, searchAfter: $after) { edges { searchAfter } } } }`;
  const first = (await send(page)).data?.network as { hits: { edges: { searchAfter: string }[] } };
  remote.fault = (_request, response) => {
    const extensions = { code: 'BAD_USER_INPUT', details: { startAgain: true } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: null, errors: [{ message: '<b>', extensions }] }));
    return true;
  };
  const { data, errors } = await send(page, { after: first.hits.edges.at(-1)!.searchAfter });
  t.is(data?.network ?? null, null);
  t.is(
    errors?.[0]?.message,
    'searchAfter was made for an index that node "city" does not have any more; start again from the first page',
  );
});

test('a catalogue whose engine is away keeps its fields in the network, and counts as unreachable', async (t) => {
  const { send, states, opened } = await openTrees(t);
  const query =
    '{ network { total nodes { nodeId state code hits } aggregations { planted { stats { count } } } } }';
  t.is((await send(query)).errors, undefined);
  const state = states.get('park')!;
  const { config } = state;
  const last = state.status === 'available' ? state.catalogue : undefined;
  states.set('park', {
    status: 'failed',
    config,
    error: new TributaryError('connection_error', 'refused'),
    last: last!,
  });
  const { data, errors } = await send(query);
  t.is(errors, undefined);
  t.like((data?.network['nodes'] as object[])[2], {
    nodeId: 'park',
    state: 'unreachable',
    code: 'ENGINE_UNAVAILABLE',
  });
  t.is(data?.network['total'], 2);
  const report = () => opened.state().nodes.find(({ nodeId }) => nodeId === 'park');
  t.like(report(), { state: 'unavailable', failures: 1, lastError: 'refused' });
  states.set('park', state);
  t.like(((await send(query)).data?.network['nodes'] as object[])[2], { state: 'ok', hits: 4 });
  t.like(report(), { state: 'ok' });
});

test('filters reach each node in its own names and values, and not where they cannot match', async (t) => {
  const { send, remote } = await openTrees(t);
  const query = `query($filters: JSON) { network(filters: $filters) { nodes { nodeId hits uncoveredFields } } }`;
  const filters = { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } };
  const { data } = await send(query, { filters });
  t.deepEqual(data?.network['nodes'], [
    { nodeId: 'city', hits: 1, uncoveredFields: [] },
    { nodeId: 'gone', hits: 0, uncoveredFields: [] },
    { nodeId: 'park', hits: 2, uncoveredFields: [] },
  ]);
  t.deepEqual(remote.queries[0]?.variables['filters'], {
    op: 'in',
    content: { fieldName: 'taxon-name', value: ['maple', 'Acer'] },
  });
  await send(query, { filters: { op: 'in', content: { fieldName: 'planted', value: ['2001-01-01'] } } });
  t.is(remote.queries.length, 1);
});

test('max is applied after merging, and nodesFilter leaves nodes out without calling them ok', async (t) => {
  const { send, warnings } = await openTrees(t);
  const { data } = await send(`{ network(nodesFilter: ["park", "nowhere"]) {
    nodes { nodeId status state hits } aggregations { genus { bucket_count buckets(max: 1) { key doc_count } } } } }`);
  t.deepEqual(data?.network, {
    nodes: [
      { nodeId: 'city', status: null, state: 'excluded', hits: null },
      { nodeId: 'gone', status: null, state: 'excluded', hits: null },
      { nodeId: 'park', status: 'OK', state: 'ok', hits: 4 },
    ],
    aggregations: {
      genus: {
        bucket_count: 3,
        buckets: [
          { key: 'Acer', doc_count: 2 },
          { key: '__missing__', doc_count: 1 },
        ],
      },
    },
  });
  t.deepEqual(warnings, ['nodesFilter names "nowhere", which is not a node of this network']);
});

test('declared fields are in the schema though no node that is up has them', async (t) => {
  const { send } = await openTrees(t, {}, { fields: { owner: 'keyword' } });
  const { data, errors } = await send(
    '{ network { aggregations { owner { buckets { key } } } hits { edges { node { owner } } } } }',
  );
  t.is(errors, undefined);
  t.deepEqual(data?.network['aggregations'], { owner: { buckets: [] } });
});

test('a malformed filter is refused for the whole network', async (t) => {
  const { send } = await openTrees(t);
  const filters = { op: 'in', content: { fieldName: 'genus', value: null } };
  const { data, errors } = await send('query($filters: JSON) { network(filters: $filters) { total } }', {
    filters,
  });
  t.is(data?.network, null as never);
  t.is(errors?.length, 1);
});

test('pages and sorts that mean nothing are refused with what would be right', async (t) => {
  const { send } = await openTrees(t);
  const message = async (hits: string): Promise<string> =>
    (await send(`{ network { ${hits} } }`)).errors?.[0]?.message ?? 'accepted';
  t.regex(
    await message('hits(offset: 9999, first: 2) { edges { nodeId } }'),
    /^offset 9999 and first 2 reach past 10000 hits; go on with searchAfter/,
  );
  t.regex(await message('hits(first: -1) { total }'), /first must be 0 or more, not -1/);
  t.regex(await message('hits(sort: [{fieldName: "nope"}]) { total }'), /^sort names the unknown field nope/);
  t.regex(
    await message('hits(sort: [{fieldName: "id", mode: avg}]) { total }'),
    /^sort mode avg needs numbers or dates, field id is of type keyword; min and max work$/,
  );
  t.regex(await message('a: hits(first: 1) { total } b: hits(first: 2) { total }'), /one page of hits/);
  t.regex(
    await message('aggregations { height { histogram(interval: 0) { bucket_count } } }'),
    /interval must be above 0/,
  );
  t.regex(
    await message('aggregations { genus { buckets(max: -1) { key } } }'),
    /^max must be 1 or more, not -1$/,
  );
  t.regex(
    await message('aggregations { genus { buckets(max: 0) { key } } }'),
    /^max must be 1 or more, not 0$/,
  );
  t.regex(
    await message('aggregations { height { histogram { buckets(max: 0) { key } } } }'),
    /^max must be 1 or more, not 0$/,
  );
});

test('aliases, fragments and two selections of one field each get their own answer', async (t) => {
  const { send } = await openTrees(t);
  const { data } = await send(`
    query { network { some: aggregations { x: genus { ...Top } } more: aggregations { x: height { narrow: histogram(interval: 20) { n: buckets { k: key } } wide: histogram(interval: 100) { buckets { key } } } } } }
    fragment Top on Aggregations { one: buckets(max: 1) { key } two: buckets(max: 2) { key doc_count } }`);
  t.deepEqual(data?.network, {
    some: {
      x: {
        one: [{ key: 'Acer' }, { key: '__missing__' }],
        two: [
          { key: 'Acer', doc_count: 3 },
          { key: 'Tilia', doc_count: 2 },
          { key: '__missing__', doc_count: 1 },
        ],
      },
    },
    more: { x: { narrow: { n: [{ k: '0' }, { k: '20' }] }, wide: { buckets: [{ key: '0' }] } } },
  });
});

test('the matches of a node without the field are a bucket where an existing client expects it', async (t) => {
  const { send } = await openTrees(t, { unavailableBucket: true, fields: {}, values: {} });
  const { data } = await send('{ network { aggregations { genus { buckets { key doc_count } } } } }');
  t.deepEqual(data?.network['aggregations'], {
    genus: {
      buckets: [
        { key: 'Acer', doc_count: 2 },
        { key: '___aggregation_not_available___', doc_count: 2 },
        { key: 'Tilia', doc_count: 1 },
        { key: '__missing__', doc_count: 1 },
      ],
    },
  });
});
