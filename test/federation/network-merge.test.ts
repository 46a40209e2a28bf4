import test from 'ava';
import { fanout } from '../../src/federation/query/fanout.ts';
import { mergePage } from '../../src/federation/merge/answers.ts';
import { totalOf } from '../../src/federation/merge/status.ts';
import { networkFields } from '../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../src/federation/nodes/node-view.ts';
import { plan } from '../../src/federation/query/plan.ts';
import type { NodesQuery } from '../../src/federation/query/network-query.ts';
import type { NetworkCursor } from '../../src/federation/query/network-query.ts';
import { fieldsOf, searchOf } from './collection.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { contextOf, nodeView, questionOf as question } from './node-fixtures.ts';

const fields = fieldsOf({ id: 'keyword', size: 'long' });

const runQuery = async (question: NodesQuery, nodes: readonly NodeView[]) => {
  const network = networkFields(new Map(), nodes);
  const answers = await fanout(plan(question, network, nodes), contextOf());
  const page = question.hits ? mergePage(question.hits, answers, network) : [];
  return { total: totalOf(answers), page };
};

test('pages stay in order where a node returns less than requested, on every page', async (t) => {
  const all = Array.from({ length: 12 }, (_, size) => ({ id: `${size % 3}-${size}`, size }));
  const isNear = ({ size }: { readonly size: number }): boolean => size % 3 === 0;
  const search: SearchFn = (query, context) =>
    searchOf(all.filter((row) => !isNear(row)))(
      { ...query, hits: query.hits && { ...query.hits, first: Math.min(2, query.hits.first) } },
      context,
    );
  const far = nodeView('far', fields, search);
  const nodes = [
    { ...far, status: { ...far.status, window: 2 } as NodeView['status'] },
    nodeView('near', fields, searchOf(all.filter(isNear))),
  ];
  for (const trackTotal of [true, false]) {
    const sizes: unknown[] = [];
    let after: NetworkCursor | null = null;
    do {
      const hits = {
        first: 5,
        offset: 0,
        sort: [{ fieldName: 'size', order: 'asc' as const }],
        after,
        trackTotal,
        fields: ['size'],
      };
      const { page }: Awaited<ReturnType<typeof runQuery>> = await runQuery(question(hits), nodes);
      sizes.push(...page.map(({ hit }) => hit.source['size']));
      after = page.at(-1)?.position ?? null;
    } while (after !== null);
    t.deepEqual(
      sizes,
      all.map(({ size }) => size),
    );
  }
});

for (const [what, own] of Object.entries({ 'some rows': [1, 4], 'no row': [] }))
  test(`rows of others are shown beside ${what} of a network that counts records which it withholds`, async (t) => {
    const search: SearchFn = async (query, context) => {
      const answer = await searchOf(own.map((size) => ({ id: `n0-${size}`, size })))(query, context);
      return { ...answer, total: { lower: own.length + 20, upper: own.length + 29 } };
    };
    const near = searchOf([2, 3, 5].map((size) => ({ id: `n1-${size}`, size })));
    const nodes = [nodeView('n0', fields, search), nodeView('n1', fields, near)];
    const hits = {
      first: 9,
      offset: 0,
      sort: [{ fieldName: 'size', order: 'asc' as const }],
      after: null,
      trackTotal: true,
      fields: ['size'],
    };
    const { page, total } = await runQuery(question(hits), nodes);
    t.deepEqual(total, { lower: own.length + 23, upper: own.length + 32 });
    t.deepEqual(
      page.map(({ hit }) => hit.source['size']),
      [...own, 2, 3, 5].toSorted(),
    );
  });
