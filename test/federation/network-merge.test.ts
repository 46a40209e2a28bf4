import test from 'ava';
import fc, { runs } from '../fast-check.ts';
import { fanout } from '../../src/federation/query/fanout.ts';
import { mergeFacets, mergePage } from '../../src/federation/merge/answers.ts';
import { totalOf } from '../../src/federation/merge/status.ts';
import { networkFields } from '../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../src/federation/nodes/node-view.ts';
import { plan } from '../../src/federation/query/plan.ts';
import type { NetworkFacet, NodesQuery } from '../../src/federation/query/network-query.ts';
import type { NetworkCursor } from '../../src/federation/query/network-query.ts';
import { leaf } from '../../src/sqon/ast.ts';
import type { Row } from './collection.ts';
import { fieldsOf, searchOf } from './collection.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { contextOf, nodeView, questionOf as question } from './node-fixtures.ts';

// a collection split over any number of nodes must answer as it does in one piece

const fields = fieldsOf({ id: 'keyword', kind: 'keyword', size: 'long', weight: 'double' });

const rows: fc.Arbitrary<readonly Row[]> = fc
  .array(
    fc.record({
      node: fc.nat(3),
      kind: fc.option(fc.constantFrom('a', 'b', 'c', '\u{1f600}', '\uffee', 'é')),
      size: fc.option(fc.integer({ min: -40, max: 40 })),
      weight: fc.option(fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4)),
    }),
    { maxLength: 40 },
  )
  .map((drafts) =>
    // ids rise with the node, so that ties have one order however the rows are split
    drafts.map((draft, index) => ({ ...draft, id: `${draft.node}-${String(index).padStart(3, '0')}` })),
  );

const split = (all: readonly Row[]): readonly NodeView[] =>
  [0, 1, 2, 3].map((node) =>
    nodeView(`n${node}`, fields, searchOf(all.filter((row) => row['node'] === node))),
  );

const whole = (all: readonly Row[]): readonly NodeView[] => [nodeView('n0', fields, searchOf(all))];

const facets: readonly NetworkFacet[] = [
  { path: 'kind', measure: { kind: 'terms', max: null } },
  { path: 'size', measure: { kind: 'stats' } },
  { path: 'size', measure: { kind: 'histogram', interval: 7 } },
  { path: 'weight', measure: { kind: 'histogram', interval: 0.25 } },
  { path: 'size', measure: { kind: 'percentiles' } },
  { path: 'weight', measure: { kind: 'percentiles' } },
  {
    path: 'size',
    measure: {
      kind: 'range',
      ranges: [
        { key: 'low', to: 0 },
        { key: 'high', from: 0 },
      ],
    },
  },
];

const sortKey = fc.record({
  fieldName: fc.constantFrom('kind', 'size', 'weight'),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  missing: fc.option(fc.constantFrom('first' as const, 'last' as const), { nil: undefined }),
});

const runQuery = async (question: NodesQuery, nodes: readonly NodeView[]) => {
  const network = networkFields(new Map(), nodes);
  const answers = await fanout(plan(question, network, nodes), contextOf());
  const page = question.hits ? mergePage(question.hits, answers, network) : [];
  return { total: totalOf(answers), facets: await mergeFacets(question, answers, network), page };
};

test('facets over any split equal those of one node', async (t) => {
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), fc.boolean(), async (all, includeMissing, filtered) => {
      const filters = filtered ? leaf('in', 'kind', ['a', 'é', '__missing__']) : null;
      const requested = question(null, { facets, includeMissing, filters });
      const [many, one] = [await runQuery(requested, split(all)), await runQuery(requested, whole(all))];
      t.deepEqual(withoutNodes(many.facets), withoutNodes(one.facets));
    }),
    { numRuns: runs(60) },
  );
});

/** Which node answered what differs by the split, of course. */
const withoutNodes = (merged: Awaited<ReturnType<typeof mergeFacets>>) =>
  merged.map((facet) => {
    if (!('buckets' in facet)) return facet;
    const { buckets, ...more } = facet;
    const shown = buckets.map(({ key, keyAsString, count }) => [key, keyAsString, count]);
    return { ...more, missingNodes: [], shown };
  });

test('sorted pages by cursor over any split walk through all rows in the order of one node', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.array(sortKey, { maxLength: 2 }),
      fc.integer({ min: 1, max: 9 }),
      async (all, sort, first) => {
        const page = { first, offset: 0, sort, after: null, trackTotal: true, fields: ['id'] };
        const wanted = await runQuery(question({ ...page, first: 100 }), whole(all));
        const nodes = split(all);
        const seen: string[] = [];
        let after: NetworkCursor | null = null;
        for (;;) {
          const got: Awaited<ReturnType<typeof runQuery>> = await runQuery(
            question({ ...page, after }),
            nodes,
          );
          t.is(got.total, all.length);
          seen.push(...got.page.map(({ hit }) => hit.id));
          after = got.page.at(-1)?.position ?? null;
          if (after === null) break;
        }
        t.deepEqual(
          seen,
          wanted.page.map(({ hit }) => hit.id),
        );
      },
    ),
    { numRuns: runs(60) },
  );
});

test('pages stay in order where a node returns less than requested, on every page', async (t) => {
  const all = Array.from({ length: 12 }, (_, size) => ({
    id: `${size % 3}-${size}`,
    node: Number(size % 3 === 0),
    size,
  }));
  const [far, near] = split(all) as [NodeView, NodeView];
  const search: SearchFn = (query, context) =>
    searchOf(all.filter(({ node }) => node === 0))(
      { ...query, hits: query.hits && { ...query.hits, first: Math.min(2, query.hits.first) } },
      context,
    );
  const nodes = [{ ...far, status: { ...far.status, search, window: 2 } as NodeView['status'] }, near];
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
    const [eu, near] = split([2, 3, 5].map((size) => ({ id: `n1-${size}`, node: 1, size }))) as [
      NodeView,
      NodeView,
    ];
    const nodes = [{ ...eu, status: { ...eu.status, search } as NodeView['status'] }, near];
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

test('offset over any split skips the rows that one node would skip', async (t) => {
  await fc.assert(
    fc.asyncProperty(rows, sortKey, fc.nat(20), async (all, key, offset) => {
      const page = { first: 5, offset, sort: [key], after: null, trackTotal: false, fields: [] };
      const ids = async (nodes: readonly NodeView[]) =>
        (await runQuery(question(page), nodes)).page.map(({ hit }) => hit.id);
      t.deepEqual(await ids(split(all)), await ids(whole(all)));
    }),
    { numRuns: runs(60) },
  );
});
