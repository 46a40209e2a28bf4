import test from 'ava';
import { networkSearch } from '../../../src/federation/catalogue/network-search.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { openSemaphore } from '../../../src/lib/concurrency/locks.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { countOnly, plainQuery, type HitsRequest, type NetworkQuery } from '../../../src/search/query.ts';
import type { AuditedQuestion } from '../../../src/search/request-context.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { contextOf, nodeView } from '../node-fixtures.ts';

const fields = fieldsOf({ id: 'keyword', sex: 'keyword' });
const nodes = [nodeView('a', fields, searchOf([{ id: 'one', sex: 'F' }])), nodeView('b', fields)];

/** Queries a network of two nodes, of which `b` refuses, and returns what was audited. */
const audited = async (query: Partial<NetworkQuery>) => {
  const questions: AuditedQuestion[] = [];
  const shared = { key: 'own', merging: { tookMs: 0 }, slots: openSemaphore(1) };
  const snapshot = { nodes, network: networkFields(new Map(), nodes), displayName: 'Two', ...shared };
  const search = networkSearch(() => snapshot, {
    ...{ maxResultsWindow: 10_000, strictFilters: false, switches: noSwitches },
  });
  const context = contextOf().withSteps((question) => void questions.push(question));
  await search({ ...plainQuery, ...query }, context).catch(() => undefined);
  return questions.map(({ network, kind, fields: named, state, rows, nodes: queried }) => ({
    ...{ network, kind, named, state, rows },
    nodes: queried.map((node) => `${node.nodeId} ${node.state}`),
  }));
};

const page: HitsRequest = {
  ...countOnly,
  first: 5,
  fields: ['sex'],
  sort: [{ fieldName: 'id', order: 'asc' }],
};
const line = { network: 'Two', kind: 'rows', named: ['sex', 'id'], state: 'ok', rows: 1 } as const;

test('a query of a network is audited once, with the nodes that it reached', async (t) => {
  t.deepEqual(await audited({ hits: page }), [{ ...line, nodes: ['a ok', 'b NODE_REFUSED'] }]);
});

test('a query that fails without a required node names the nodes that it reached', async (t) => {
  const [question] = await audited({ hits: page, nodes: { only: null, required: ['b'] } });
  t.like(question, { rows: 0, nodes: ['a ok', 'b NODE_REFUSED'] });
  t.not(question!.state, 'ok');
});

test('a page that is refused before any node is queried is audited', async (t) => {
  const hits = { ...page, searchAfter: ['of another network'] };
  t.deepEqual(await audited({ hits }), [{ ...line, state: 'BAD_USER_INPUT', rows: 0, nodes: [] }]);
});

test('documents that a network shows with buckets count as rows', async (t) => {
  const topHits = { size: 1, sort: [], source: ['id'] };
  const facets = [{ field: 'sex', measure: { kind: 'terms' as const, max: 10, topHits } }];
  const [question] = await audited({ facets });
  t.like(question, { kind: 'rows', named: ['sex', 'id'], state: 'ok' });
});
