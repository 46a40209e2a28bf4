import test from 'ava';
import { leavesOf, openShares, openTree, type NodeStyle, type Tree } from './split-collection.ts';
import type { OpenedNetwork, Share } from './split-collection.ts';

// what a condition means on fields that a node lacks does not depend on how many networks are above that node

const style: NodeStyle = { renames: true, translated: 3, sizeType: 'long', lacksPlanted: false };
const item = (id: string, kinds: readonly string[], tags: readonly string[] = []) => ({
  ...{ id, name: 'elm', tags, weight: null, planted: null, open: null },
  size: [id.codePointAt(0)! - 96],
  parts: kinds.map((kind) => ({ kind, count: 1 })),
});
const complete = { style, items: [item('a', ['root']), item('b', ['leaf', 'stem']), item('c', [])] };
const withoutParts = { style: { ...style, lacks: ['parts' as const] }, items: [item('d', [])] };
const withoutKinds = {
  style: { ...style, lacks: ['parts.kind' as const] },
  items: [item('e', ['root']), item('f', [])],
};
/** The network that translates the names and values of all of them, or of networks of them. */
const region: Tree = { style, shares: [complete, withoutParts, withoutKinds] };

const query = `query($filters: JSON) { network(filters: $filters) {
  hits(first: 50, sort: [{ fieldName: "id" }]) { edges { node { id } } }
} }`;

const idsOf = async ({ runQuery }: OpenedNetwork, filters: unknown): Promise<string> => {
  const { hits } = await runQuery(query, { filters });
  const { edges } = hits as { readonly edges: readonly { readonly node: { readonly id: string } }[] };
  return edges.map(({ node }) => node.id).join('');
};

const values = [['*e*'], ['root'], ['*e*', 'root'], ['__missing__'], ['__missing__', '*e*'], ['x:*'], []];
const conditions = [
  ...['in', 'not-in', 'some-not-in', 'all'].flatMap((op) =>
    values.map((value) => ({ op, content: { fieldName: 'parts.kind', value } })),
  ),
  { op: 'all', content: { fieldName: 'parts.kind', value: ['leaf', 'stem'] }, pivot: 'parts' },
  { op: 'starts-with', content: { fieldName: 'parts.kind', value: ['r'] } },
  { op: 'wildcard', content: { fieldNames: ['parts.kind', 'tags'], value: '*e*' } },
  { op: 'search', content: { fieldNames: ['parts.kind'], value: 'ro' } },
  { op: 'gt', content: { fieldName: 'parts.count', value: 0 } },
];
/** The condition by itself, negated, and about the same object as another. */
const uses = (one: object): readonly object[] => [
  one,
  { op: 'not', content: [one] },
  ...['and', 'not'].map((op) => ({ op, content: [one], pivot: 'parts' })),
  {
    op: 'or',
    content: [one, { op: 'in', content: { fieldName: 'parts.count', value: [9] } }],
    pivot: 'parts',
  },
];

for (const [levels, trees] of Object.entries({ one: [region], two: [[region]] }))
  test(`every operator means the same on fields that a node lacks: ${levels} network below`, async (t) => {
    const flat = await openShares(leavesOf(trees), false);
    const tall = await openTree(trees);
    t.teardown(async () => Promise.all([flat.close(), tall.close()]));
    for (const filters of conditions.flatMap(uses))
      t.is(await idsOf(tall, filters), await idsOf(flat, filters), JSON.stringify(filters));
  });

test('a negated pattern on nested objects holds at a node below that lacks them', async (t) => {
  const tall = await openTree([region]);
  t.teardown(tall.close);
  const filters = { op: 'not-in', content: { fieldName: 'parts.kind', value: ['*e*'] } };
  t.is(await idsOf(tall, filters), 'adef');
  t.is(await idsOf(tall, { op: 'not', content: [filters] }), 'bc');
});

test('filters of facets are written for a remote node as the filter of the query is', async (t) => {
  const items = [item('a', [], ['red']), item('b', [], ['green', 'grey']), item('c', [], ['grey'])];
  const open = async (share: Share, overHttp: boolean) => {
    const opened = await openShares([share], overHttp);
    t.teardown(opened.close);
    return opened;
  };
  const remote = await open({ style, items }, true);
  const whole = await open({ style: { ...style, renames: false, translated: 0 }, items }, false);
  for (const op of ['in', 'not-in', 'some-not-in', 'all'])
    for (const value of ['gr*', 'x*', 'x:*', 'x:red']) {
      const filter = `{ op: "${op}", content: { fieldName: "tags", value: ["${value}"] } }`;
      const facets = `size { survival(dead: ${filter}) { times { time events censored } } } name { buckets { filter_by_term(filter: ${filter}) } }`;
      const [found, expected] = await Promise.all(
        [remote, whole].map(({ runQuery }) => runQuery(`{ network { aggregations { ${facets} } } }`, {})),
      );
      t.deepEqual(found, expected, `${op} ${value}`);
    }
});
