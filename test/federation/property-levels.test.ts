import assert from 'node:assert/strict';
import test from 'ava';
import fc from '../fast-check.ts';
import { filters, filtersOf, pivoted } from './random-filter.ts';
import {
  leavesOf,
  openShares,
  openTree,
  lackable,
  shares,
  type Share,
  type Tree,
} from './split-collection.ts';

// a network of networks answers as the network of all of its catalogues does

const terms = `{ bucket_count_exact cardinality unlisted_upper_bound buckets { key key_as_string doc_count upper_bound exact } }`;
const numbers = `{ stats { count min max sum avg } percentiles(percents: [0, 50, 100]) { percent value lower upper }
  survival(dead: { op: "in", content: { fieldName: "name", value: ["a*", "b*"] } }) { times { time events censored } no_time negative_time no_event }
  histogram(interval: 7) { buckets { key doc_count } }
  range(ranges: [{ to: 0 }, { from: 0, key: "high" }]) { buckets { key doc_count } } }`;
const query = `query($filters: JSON) { network(filters: $filters) {
  total partial
  aggregations { name ${terms} tags ${terms} open ${terms} parts__kind ${terms} size ${numbers} weight ${numbers} planted { stats { count } } }
  hits(first: 50, sort: [{ fieldName: "id" }]) { edges { node { id name tags parts__kind } } }
} }`;

/** The longest lists of one and two values. */
const cutQuery = `query($filters: JSON) { network(filters: $filters) { aggregations {
  name { unlisted_upper_bound buckets(max: 1) { key doc_count upper_bound } }
  tags { unlisted_upper_bound buckets(max: 2) { key doc_count upper_bound } }
} } }`;

/** Four for each network of networks; SPLIT_CASES=2000 for the full measure. */
const cases = Number(process.env['SPLIT_CASES'] ?? 25);

/** Shares in random networks, at most two levels below the first. */
const trees: fc.Arbitrary<readonly Tree[]> = fc
  .tuple(shares, fc.infiniteStream(fc.nat(2)))
  .map(([split, choices]) => {
    const [next] = [() => choices.next().value as number];
    const grouped = (all: readonly Share[], level: number): readonly Tree[] => {
      if (level === 0 || all.length === 1) return all;
      const groups = Map.groupBy(all, () => next());
      return [...groups.values()].flatMap((group): readonly Tree[] =>
        next() === 0 ? group : [grouped(group, level - 1)],
      );
    };
    return grouped(split, 2);
  });

interface CutList {
  readonly unlisted_upper_bound: number;
  readonly buckets: readonly {
    readonly key: string;
    readonly doc_count: number;
    readonly upper_bound: number;
  }[];
}
type CutLists = Readonly<Record<'name' | 'tags', CutList>>;
type WholeLists = Readonly<Record<'name' | 'tags', Pick<CutList, 'buckets'>>>;

/**
 * Fails unless the buckets of a list that may have been cut have the counts of the whole one, over all levels, and no other
 * bucket has more than it says.
 */
const assertExact = (
  { unlisted_upper_bound: unlisted, buckets }: CutList,
  whole: Pick<CutList, 'buckets'>,
) => {
  const shown = new Map(buckets.map((bucket) => [bucket.key, bucket]));
  for (const { key, doc_count: count } of whole.buckets) {
    if (key === '__missing__') continue;
    const bucket = shown.get(key);
    if (bucket) assert.deepEqual(bucket, { key, doc_count: count, upper_bound: count });
    else assert(count <= unlisted, `${key}: ${count} is more than ${unlisted}`);
  }
};

test('totals, facets and rows over random trees are those of all catalogues side by side', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(trees, filters, async (tree, requested) => {
        const tall = await openTree(tree);
        const flat = await openShares(leavesOf(tree), false);
        try {
          const variables = { filters: requested };
          const whole = await flat.runQuery(query, variables);
          assert.deepEqual(await tall.runQuery(query, variables), whole);
          const cut = (await tall.runQuery(cutQuery, variables))['aggregations'] as CutLists;
          const { name, tags } = whole['aggregations'] as WholeLists;
          assertExact(cut.name, name);
          assertExact(cut.tags, tags);
        } finally {
          await tall.close();
          await flat.close();
        }
      }),
      { numRuns: Math.ceil(cases / 4), includeErrorInReport: true },
    ),
  );
});

/** Lists of fields that some node may lack, and a total. */
const lackingQuery = `query($filters: JSON) { network(filters: $filters) {
  total partial
  aggregations { name { buckets { key doc_count } } parts__kind { buckets { key doc_count } } }
  hits(first: 50, sort: [{ fieldName: "id" }]) { edges { node { id tags } } }
} }`;

/** Networks of nodes that lack some fields: side by side, in a network, and in one whose names are translated above it. */
const lackingTrees: fc.Arbitrary<readonly Tree[]> = fc
  .tuple(shares, fc.infiniteStream(fc.subarray([...lackable])), fc.infiniteStream(fc.nat(2)))
  .map(([split, lacks, choices]) => {
    // one has every field, so that they can be selected
    const [whole, ...others] = split;
    const lacking = others.map((share) => ({
      ...share,
      style: { ...share.style, lacks: lacks.next().value },
    }));
    const groups = Map.groupBy(lacking, () => choices.next().value);
    const networks = [...groups].flatMap(([place, group]): readonly Tree[] => {
      const { renames, translated } = group[0]!.style;
      const alike = group.map((one) => ({ ...one, style: { ...one.style, renames, translated } }));
      const region = { style: { ...alike[0]!.style, lacks: [] }, shares: alike };
      return place === 0 ? group : place === 1 ? [region] : [[region]];
    });
    return [whole!, ...networks];
  });

test('negations, pivots and lists on fields that some nodes lack mean the same over all levels', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(
        lackingTrees,
        fc.array(filtersOf(pivoted), { minLength: 8, maxLength: 8 }),
        async (tree, all) => {
          const tall = await openTree(tree);
          const flat = await openShares(leavesOf(tree), false);
          try {
            for (const requested of all) {
              const variables = { filters: requested };
              assert.deepEqual(
                await tall.runQuery(lackingQuery, variables),
                await flat.runQuery(lackingQuery, variables),
                JSON.stringify(requested),
              );
            }
          } finally {
            await tall.close();
            await flat.close();
          }
        },
      ),
      { numRuns: Math.ceil(cases / 4), includeErrorInReport: true },
    ),
  );
});
