import test from 'ava';
import { plan } from '../../../src/federation/query/plan.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import type { NodesQuery } from '../../../src/federation/query/network-query.ts';
import { fieldsOf } from '../collection.ts';
import { nodeView } from '../node-fixtures.ts';
import { leaf } from '../../../src/sqon/ast.ts';

const question: NodesQuery = {
  filters: leaf('in', 'genus', ['Acer']),
  filterThemselves: false,
  includeMissing: true,
  only: null,
  facets: [{ path: 'genus', measure: { kind: 'terms', max: 5 } }],
  hits: { first: 3, offset: 0, sort: [], after: null, trackTotal: true, fields: [] },
};
const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const nodes = () => [nodeView('a', fields), nodeView('b', fieldsOf({ id: 'keyword' }))];
const network = networkFields(new Map(), nodes());
const planned = (query: NodesQuery, now: readonly NodeView[]) => plan(query, network, now);

test('equal facets are planned for the current nodes', (t) => {
  const [first] = planned(question, nodes());
  const now = nodes();
  const [second, other] = planned({ ...question, filters: leaf('in', 'genus', ['Tilia']) }, now);
  if (first?.kind !== 'query' || second?.kind !== 'query') return t.fail('a is queried');
  t.deepEqual(second.query.facets, first.query.facets);
  t.deepEqual(second.query.filters, leaf('in', 'genus', ['Tilia']));
  t.is(second.node, now[0]!, 'of now');
  t.is<NodeView['status'], NodeView['status']>(second.status, now[0]!.status);
  t.like(other, { kind: 'empty', uncoveredFields: ['genus'] });
});

test('facets that a node lacks are reported each time', (t) => {
  const unfiltered = { ...question, filters: null };
  for (const round of ['first', 'again'])
    t.like(planned(unfiltered, nodes())[1], { uncoveredFields: ['genus'], facets: [null] }, round);
});

test('another query, another choice of nodes, or a node that went down is planned anew', (t) => {
  t.is(planned(question, nodes())[0]?.kind, 'query');
  t.is(planned({ ...question, only: new Set(['b']) }, nodes())[0]?.kind, 'excluded');
  t.is(planned({ ...question, only: new Set(['a']) }, nodes())[0]?.kind, 'query');
  t.is(planned({ ...question, filters: leaf('in', 'nothing', ['Acer']) }, nodes())[0]?.kind, 'empty');
  const down = (reason: string): NodeView[] => [
    { ...nodes()[0]!, status: { kind: 'down', code: 'NODE_CIRCUIT_OPEN', reason } },
    nodes()[1]!,
  ];
  for (const reason of ['first', 'then'])
    t.like(planned(question, down(reason))[0], { kind: 'down', status: { reason } });
  t.is(planned(question, nodes())[0]?.kind, 'query');
});

test('pages behind a cursor are planned by their cursor', (t) => {
  const page = (cursor: string): NodesQuery => ({
    ...question,
    hits: { ...question.hits!, after: new Map([['a', [cursor]]]) },
  });
  for (const cursor of ['x', 'y'])
    t.like(planned(page(cursor), nodes())[0], { query: { hits: { searchAfter: [cursor] } } });
});
