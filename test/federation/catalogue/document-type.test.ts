import test from 'ava';
import { openTrees } from '../trees.ts';

const network = { documentType: 'tree' };

/** A question, as the field `network` and as the document type's root field take it. */
const both = async (
  send: Awaited<ReturnType<typeof openTrees>>['send'],
  facets: string,
  filters: unknown,
): Promise<readonly unknown[]> => {
  const body = await send(
    `query($filters: JSON) {
      network(filters: $filters) { total aggregations { ${facets} } }
      tree { hits(filters: $filters) { total } aggregations(filters: $filters) { ${facets} } }
    }`,
    { filters },
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  const { network: one, tree } = body.data as unknown as {
    network: { total: unknown; aggregations: unknown };
    tree: { hits: { total: unknown }; aggregations: unknown };
  };
  return [one, { total: tree.hits.total, aggregations: tree.aggregations }];
};

const facets = `
  genus {
    bucket_count bucket_count_exact unlisted_upper_bound cardinality cardinality_bounds { lower upper exact }
    buckets(max: 1) { key doc_count lower_bound upper_bound exact nodes { nodeId doc_count } }
    coverage { nodeId state docs }
  }
  height { stats { count min max sum avg } histogram(interval: 10) { buckets { key doc_count nodes { nodeId doc_count } } }
    range(ranges: [{ to: 10 }, { from: 10 }]) { buckets { key doc_count } }
    percentiles(percents: [50]) { percent lower upper } }
  planted { date_histogram(interval: "year") { buckets { key_as_string doc_count } } }
`;

for (const filters of [
  null,
  { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } },
  { op: 'in', content: { fieldName: '_key', value: ['city/c2', 'park/p1', 'nowhere/x'] } },
])
  test(`the document type answers as the field network does: ${JSON.stringify(filters)}`, async (t) => {
    const { send } = await openTrees(t, {}, network);
    const [one, other] = await both(send, facets, filters);
    t.truthy((one as { total: unknown }).total);
    t.deepEqual(other, one);
  });

test('hits come in one order, each with its node and its key, page after page', async (t) => {
  const { send } = await openTrees(t, {}, network);
  const page = async (after: unknown) => {
    const { data } = await send(
      `query($after: JSON) { tree { hits(first: 4, sort: [{ fieldName: "height", order: desc }], searchAfter: $after) {
        total partial nodes { nodeId state hits }
        edges { nodeId _key searchAfter node { id _key genus height } }
      } } }`,
      { after },
    );
    return (data as unknown as { tree: { hits: { edges: { searchAfter: unknown; node: object }[] } } }).tree
      .hits;
  };
  const first = await page(null);
  t.like(first, {
    total: 6,
    partial: true,
    nodes: [
      { nodeId: 'city', state: 'ok', hits: 2 },
      { nodeId: 'gone', state: 'discoveryFailed', hits: 0 },
      { nodeId: 'park', state: 'ok', hits: 4 },
    ],
  });
  t.deepEqual(
    first.edges.map(({ node }) => node),
    [
      { id: 'c2', _key: 'city/c2', genus: 'Tilia', height: 30 },
      { id: 'p3', _key: 'park/p3', genus: 'Tilia', height: 21 },
      { id: 'p1', _key: 'park/p1', genus: 'Acer', height: 12 },
      { id: 'c1', _key: 'city/c1', genus: 'Acer', height: 9.5 },
    ],
  );
  t.like(first.edges[3], { nodeId: 'city', _key: 'city/c1', searchAfter: [9.5] });
  const second = await page(first.edges[3]!.searchAfter);
  t.deepEqual(
    second.edges.map(({ node }) => (node as { id: string }).id),
    ['p2', 'p4'],
  );
});

test('aliases that differ only in their cursor get a page each', async (t) => {
  const { send } = await openTrees(t, {}, network);
  type Page = { hits: { edges: { searchAfter: unknown; node: { id: string } }[] } };
  const page = (after: string): string =>
    `hits(first: 1, ${after} sort: [{ fieldName: "height", order: desc }]) { edges { searchAfter node { id } } }`;
  const pagesAfter = async (one: unknown, other: unknown) => {
    const { data } = await send(
      `query($c: JSON, $d: JSON) { one: tree { ${page('searchAfter: $c,')} } other: tree { ${page('searchAfter: $d,')} } }`,
      { c: one, d: other },
    );
    const { one: first, other: second } = data as unknown as { one: Page; other: Page };
    return [first.hits.edges[0]!, second.hits.edges[0]!] as const;
  };
  const [first] = await pagesAfter(null, null);
  const [second] = await pagesAfter(first.searchAfter, null);
  const both = await pagesAfter(first.searchAfter, second.searchAfter);
  t.deepEqual(
    both.map(({ node }) => node.id),
    ['p3', 'p1'],
  );
});
