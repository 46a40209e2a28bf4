import test from 'ava';
import type { NodeConfig } from '../../../src/federation/config/nodes.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import type { NodesQuery } from '../../../src/federation/query/network-query.ts';
import { plan } from '../../../src/federation/query/plan.ts';
import { parseSqon, printSqon } from '../../../src/sqon/parse.ts';
import { fieldsOf } from '../collection.ts';
import { nodeView } from '../node-fixtures.ts';

const source: NodeConfig['source'] = {
  kind: 'remote',
  graphqlUrl: 'http://127.0.0.1:9/graphql',
  documentType: 'tree',
  discoveryTimeoutMs: 1_000,
  maxDepth: 7,
  maxAliases: 15,
  headers: [],
  credential: null,
};
const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const remote = (nodeId: string, more: Partial<NodeConfig> = {}, own = fields): NodeView =>
  nodeView(nodeId, own, undefined, { source, ...more });

const question: NodesQuery = {
  filters: parseSqon({ op: 'in', content: { fieldName: 'genus', value: ['Acer'] } }),
  filterThemselves: false,
  includeMissing: true,
  only: null,
  facets: [{ path: 'genus', measure: { kind: 'terms', max: 10 } }],
  hits: { first: 0, offset: 0, sort: [], after: null, trackTotal: true, fields: [] },
};

const planned = (nodes: readonly NodeView[], more: Partial<NodesQuery> = {}) =>
  plan({ ...question, ...more }, networkFields(new Map(), nodes), nodes).map((one) => ({
    ...one,
    query: one.kind === 'query' ? one.query : null,
  }));

test('nodes that offer the same get equal queries, each in its own plan', (t) => {
  const [one, other, third] = planned([remote('one'), remote('other'), remote('third', {}, new Map(fields))]);
  t.deepEqual(one!.query, other!.query);
  t.deepEqual(one!.query, third!.query);
  t.deepEqual(
    [one, other, third].map((plan) => plan!.node.config.nodeId),
    ['one', 'other', 'third'],
  );
});

test('a node with its own names is queried by these', (t) => {
  const [one, renamed] = planned([
    remote('one'),
    remote('renamed', { fields: new Map([['kind', 'genus']]) }),
  ]);
  t.truthy(one!.query);
  t.is(renamed!.kind, 'empty');
});

test('a filter on keys means another thing to each node', (t) => {
  const filters = parseSqon({ op: 'in', content: { fieldName: '_key', value: ['one/1', 'other/2'] } });
  const [one, other] = planned([remote('one'), remote('other')], { filters });
  t.deepEqual(
    [one, other].map((plan) => printSqon(plan!.query!.filters)),
    [['1'], ['2']].map((value) => ({ op: 'in', content: { fieldName: 'id', value } })),
  );
});

test('a page goes on at each node from its own position', (t) => {
  const hits = {
    ...question.hits!,
    first: 5,
    after: new Map([
      ['one', ['1']],
      ['other', ['2']],
    ]),
  };
  const [one, other] = planned([remote('one'), remote('other')], { hits });
  t.deepEqual(
    [one, other].map((plan) => plan!.query!.hits!.searchAfter),
    [['1'], ['2']],
  );
});

test('nodesFilter leaves out one of two equal nodes', (t) => {
  const [one, other] = planned([remote('one'), remote('other')], { only: new Set(['one']) });
  t.deepEqual([one!.kind, other!.kind], ['query', 'excluded']);
});

test('equal nodes cover the same fields, until a type conflicts', (t) => {
  const { byNode, warnings } = networkFields(new Map(), [remote('one'), remote('other')]);
  t.deepEqual(byNode.get('one'), byNode.get('other'));
  t.deepEqual(warnings, []);
  const conflicting = networkFields(new Map([['genus', 'long']]), [remote('one'), remote('other')]);
  t.deepEqual(
    conflicting.warnings,
    ['one', 'other'].map(
      (id) =>
        `node "${id}" does not cover "genus": keyword there is not compatible with long of the declared type; change the type in network.fields, or give it a name of its own in the node's fields: {"genus_keyword":"genus"}`,
    ),
  );
});
