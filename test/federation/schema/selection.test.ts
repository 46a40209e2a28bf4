import test from 'ava';
import { openTrees } from '../trees.ts';

test('a repeated document uses its own arguments', async (t) => {
  const { send } = await openTrees(t);
  const document = `query($filters: JSON, $only: [String]) { network(filters: $filters, nodesFilter: $only) {
    total hits(first: 1, sort: [{ fieldName: "height" }]) { edges { nodeId searchAfter node { id } } }
    aggregations { genus { buckets { key doc_count } } }
  } }`;
  type Edge = { nodeId: string; searchAfter: unknown; node: { id: string } };
  type Page = { total: number; hits: { edges: Edge[] }; aggregations: unknown };
  const networkOf = async (variables: Record<string, unknown>) =>
    (await send(document, variables)).data?.network as unknown as Page;
  const acer = { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } };
  const all = await networkOf({});
  const city = await networkOf({ only: ['city'] });
  const filtered = await networkOf({ filters: acer });
  t.deepEqual(
    [all, city, filtered].map(({ total, hits }) => [total, hits.edges.map(({ node }) => node.id)]),
    [
      [6, ['p4']],
      [2, ['c1']],
      [3, ['p2']],
    ],
  );
  t.not(all.hits.edges[0]!.searchAfter, city.hits.edges[0]!.searchAfter);
  t.deepEqual(filtered.aggregations, { genus: { buckets: [{ key: 'Acer', doc_count: 3 }] } });
  t.deepEqual(await networkOf({}), all);
});

test('a repeated document with another page returns another page', async (t) => {
  const { send } = await openTrees(t);
  const document = `query($first: Int, $after: JSON) { network {
    hits(first: $first, sort: [{ fieldName: "height" }], searchAfter: $after) { edges { searchAfter node { id } } }
  } }`;
  type Page = { hits: { edges: { searchAfter: unknown; node: { id: string } }[] } };
  const networkOf = async (variables: Record<string, unknown>) =>
    ((await send(document, variables)).data?.network as unknown as Page).hits.edges;
  const first = await networkOf({ first: 2 });
  const second = await networkOf({ first: 3, after: first[1]!.searchAfter });
  t.deepEqual(
    [...first, ...second].map(({ node }) => node.id),
    ['p4', 'p2', 'c1', 'p1', 'p3'],
  );
});

test('a clamped page is reported each time', async (t) => {
  const { send, warnings } = await openTrees(t);
  const document = '{ network { hits(first: 20000) { edges { nodeId } } } }';
  await send(document);
  await send(document);
  t.is(warnings.filter((warning) => warning.startsWith('first 20000 is more')).length, 2);
});
