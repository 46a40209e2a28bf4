import assert from 'node:assert/strict';
import test from 'ava';
import fc from '../fast-check.ts';
import { filters } from './random-filter.ts';
import { leavesOf, openShares, openTree, shares, type Share, type Tree } from './split-collection.ts';

// a network of networks answers as the network of all of its catalogues does

const terms = `{ bucket_count bucket_count_exact unlisted_upper_bound cardinality
  buckets { key key_as_string doc_count upper_bound exact nodes { nodeId doc_count } }
  coverage { nodeId state docs } }`;
const numbers = `{ stats { count min max sum avg } percentiles(percents: [0, 50, 100]) { percent value lower upper }
  survival(dead: { op: "in", content: { fieldName: "name", value: ["a*", "b*"] } }) { times { time events censored } no_time negative_time no_event }
  histogram(interval: 7) { buckets { key doc_count nodes { nodeId doc_count } } }
  range(ranges: [{ to: 0 }, { from: 0, key: "high" }]) { buckets { key doc_count } } coverage { nodeId state docs } }`;
const query = `query($filters: JSON) { network(filters: $filters) {
  total partial nodes { nodeId state hits }
  aggregations { name ${terms} tags ${terms} open ${terms} parts__kind ${terms} size ${numbers} weight ${numbers} planted { stats { count } coverage { nodeId state docs } } }
  hits(first: 50, sort: [{ fieldName: "id" }]) { edges { nodeId node { id name tags parts__kind } } }
} }`;

/** Nothing of the facet but its coverage. */
const coverageQuery = `query($filters: JSON) { network(filters: $filters) {
  aggregations { planted { coverage { nodeId state docs } } size { coverage { nodeId state docs } } name { bucket_count } }
} }`;

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

/** The answer with its nodes by the names that they have when all are side by side, in one order. */
const flattened = (answer: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(answer)) {
    const all = answer.map((one: unknown) => flattened(one, names));
    const isOfNodes = all.every(
      (one) => Object.keys((one ?? {}) as object)[0] === 'nodeId' && !('node' in (one as object)),
    );
    return isOfNodes
      ? all.sort((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)))
      : all;
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      key === 'nodeId' ? (names.get(value as string) ?? value) : flattened(value, names),
    ]),
  );
};

test('counts, bounds, coverage and rows over random trees are those of all catalogues side by side', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(trees, filters, async (tree, requested) => {
        const leaves = leavesOf(tree);
        const names = new Map(leaves.map(([path], index) => [path, `n${index}`]));
        const tall = await openTree(tree);
        const flat = await openShares(
          leaves.map(([, share]) => share),
          false,
        );
        try {
          const variables = { filters: requested };
          for (const one of [query, coverageQuery])
            assert.deepEqual(
              flattened(await tall.runQuery(one, variables), names),
              flattened(await flat.runQuery(one, variables), new Map()),
            );
        } finally {
          await tall.close();
          await flat.close();
        }
      }),
      { numRuns: Math.ceil(cases / 4), includeErrorInReport: true },
    ),
  );
});
