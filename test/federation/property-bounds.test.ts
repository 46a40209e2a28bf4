import assert from 'node:assert/strict';
import test from 'ava';
import fc from '../fast-check.ts';
import { fanout } from '../../src/federation/query/fanout.ts';
import type { MergedTerms } from '../../src/search/facets/terms/merge-terms.ts';
import { mergeFacets } from '../../src/federation/merge/answers.ts';
import { utf8Order } from '../../src/lib/text/text-comparison.ts';
import { networkFields } from '../../src/federation/nodes/network-fields.ts';
import { plan } from '../../src/federation/query/plan.ts';
import { lowerOf, upperOf } from '../../src/search/count.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { fieldsOf } from './collection.ts';
import { contextOf, nodeView } from './node-fixtures.ts';

// nodes that are queried for their largest buckets only: what the network says of a count must hold for the true one

const fields = fieldsOf({ labels: 'keyword' });

/** The labels of one record; at a node that translates, two of its own may show as one. */
type Labels = readonly number[];

/** Fewer large labels than small ones, as collections have them. */
const label = fc.oneof(fc.nat(3), fc.nat(12), fc.nat(50));
const node = fc.record({
  records: fc.array(fc.uniqueArray(label, { maxLength: 4 }), { maxLength: 60 }),
  translates: fc.boolean(),
});
interface Node {
  readonly records: readonly Labels[];
  readonly translates: boolean;
}

/** The node's own label; those from 4 on come in pairs that mean the same in the network. */
const ownLabel = (label: number): string => `own-${label}`;
const shownLabel = (label: number): string => `label-${label < 4 ? label : label - (label % 2)}`;

const values = new Map([
  ['labels', new Map(Array.from({ length: 51 }, (_, label) => [ownLabel(label), shownLabel(label)]))],
]);

const labelAt = ({ translates }: Node) => (translates ? ownLabel : shownLabel);

/** Exact counts of the largest buckets, as every node publishes them. */
const searchOf =
  (node: Node): SearchFn =>
  async (query) => {
    const [facet] = query.facets;
    if (facet?.measure.kind !== 'terms') throw new Error('only terms are queried here');
    const counts = new Map<string, number>();
    for (const record of node.records)
      for (const one of new Set(record.map(labelAt(node)))) counts.set(one, (counts.get(one) ?? 0) + 1);
    const buckets = [...counts]
      .map(([key, count]) => ({ key, count }))
      .sort((a, b) => b.count - a.count || utf8Order(a.key, b.key))
      .slice(0, facet.measure.max ?? Infinity);
    const missing = node.records.filter((record) => record.length === 0).length;
    const terms = { kind: 'terms' as const, buckets, distinct: counts.size, missing };
    return { total: node.records.length, hits: [], facets: [terms], warnings: [] };
  };

const askTerms = async (nodes: readonly Node[], max: number | null) => {
  const views = nodes.map((one, index) =>
    nodeView(`n${index}`, fields, searchOf(one), one.translates ? { values } : {}),
  );
  const network = networkFields(new Map(), views);
  const facets = [{ path: 'labels', measure: { kind: 'terms' as const, max } }];
  const question = {
    filters: null,
    filterThemselves: false,
    includeMissing: true,
    only: null,
    hits: null,
    facets,
  };
  const answers = await fanout(plan(question, network, views), contextOf());
  const [merged] = await mergeFacets(question, answers, network);
  if (merged?.kind !== 'terms') throw new Error('no terms');
  return merged as MergedTerms;
};

/** How many records of all nodes have a label that shows so. */
const truth = (nodes: readonly Node[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const record of nodes.flatMap(({ records }) => records))
    for (const one of new Set(record.map(shownLabel))) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
};

const boundsHold = (numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 6 }), fc.nat(12), async (nodes, max) => {
      const [terms, counts] = [await askTerms(nodes, max), truth(nodes)];
      const listed = new Map(terms.buckets.map((bucket) => [bucket.key, bucket]));
      for (const [key, count] of counts) {
        const bucket = listed.get(key);
        if (!bucket) {
          assert.ok(count <= terms.unlistedUpperBound!, `${key}: ${count} > ${terms.unlistedUpperBound!}`);
          continue;
        }
        const [lower, upper] = [lowerOf(bucket.count), upperOf(bucket.count)!];
        assert.ok(lower <= count, `${key}: at least ${lower}, but it is ${count}`);
        assert.ok(count <= upper, `${key}: at most ${upper}, but it is ${count}`);
      }
      for (const key of listed.keys()) assert.ok(counts.has(key), `${key} is nowhere`);
      const missing = nodes.flatMap(({ records }) => records).filter((record) => record.length === 0).length;
      assert.equal(terms.missing, missing);
      const distinct = counts.size;
      if (terms.complete) assert.equal(terms.distinct, distinct);
      else assert.ok(terms.distinct <= distinct, `${terms.distinct} > ${distinct} values`);
    }),
    { numRuns, seed: 20_240_604, includeErrorInReport: true },
  );

test('the true count lies within the published bounds, of buckets that are listed and of those that are not', (t) =>
  t.notThrowsAsync(boundsHold(400)));

const wholeListsExact = (numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 6 }), async (drafts) => {
      const nodes = drafts.map((one) => ({ ...one, translates: false }));
      const terms = await askTerms(nodes, null);
      assert.deepEqual(new Map(terms.buckets.map(({ key, count }) => [key, count])), truth(nodes));
      assert.equal(terms.unlistedUpperBound!, 0);
      assert.ok(terms.complete);
    }),
    { numRuns, seed: 20_240_605, includeErrorInReport: true },
  );

test('whole lists give exact counts', (t) => t.notThrowsAsync(wholeListsExact(60)));
